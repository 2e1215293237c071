// When the same gap is structural, and what a template becomes.
import type { GapKind, SpecRetrospective } from '@treadle/contracts/planning-retrospective'
import { expect, test } from 'vitest'
import { fillTemplate, templateLines } from '../spec/fill-template.ts'
import { decideImprovements, improved } from './improvement.ts'

const spec = (...kinds: GapKind[]) =>
  ({ gaps: kinds.map((kind) => ({ kind, about: 'x', what: 'x' })) }) as unknown as SpecRetrospective
const many = (count: number, ...kinds: GapKind[]) => Array.from({ length: count }, () => spec(...kinds))
const keys = (specs: SpecRetrospective[]) => decideImprovements({ specs, runs: [] }).map(({ key }) => key)

test.for([
  [2, 0, []],
  [3, 0, ['tasks/weak_check']],
  [3, 3, ['tasks/weak_check']],
  [3, 4, []],
  [5, 5, ['tasks/weak_check']],
  [4, 6, []],
] as const)('%i with a gap and %i without', ([having, lacking, expected]) => {
  expect(keys([...many(having, 'weak_check'), ...many(lacking)])).toEqual(expected)
})

test('only the last ten count, one specification counts a gap once, and what nothing helps against is none', () => {
  expect(keys([...many(10), ...many(9, 'weak_check')])).toEqual([])
  expect(keys([spec('weak_check', 'weak_check', 'weak_check')])).toEqual([])
  expect(keys(many(9, 'idle_task'))).toEqual([])
})

test('runs of tasks count by item', () => {
  const run = (number: number, actualHours: number) => ({
    item: { projectNumber: 1, number },
    plan: { estimateHours: 1, actualHours } as never,
    divergences: [],
  })
  const found = (runs: ReturnType<typeof run>[]) =>
    decideImprovements({ specs: [], runs }).map(({ key, count }) => `${key} ${count}`)
  expect(found([run(1, 3), run(1, 3), run(1, 3)])).toEqual([])
  expect(found([run(1, 2.1), run(2, 3), run(3, 4)])).toEqual(['tasks/underestimate 3'])
  expect(found([run(1, 2), run(2, 3), run(3, 4)])).toEqual([])
})

const own = '# T: {{title}}\n\n{{tasks}}\n\n## Layout\n\n{{layout}}\n'

test('an improvement goes before the section it is about, else to the end, and is made once', () => {
  const after = improved(own, { kind: 'unchecked_criterion' }) ?? ''
  expect(after.indexOf('## For a person to judge')).toBeLessThan(after.indexOf('## Layout'))
  expect(improved(after, { kind: 'unchecked_criterion' })).toBeNull()
  const other = improved('# Mine\n\n{{others}}\n', { kind: 'unchecked_criterion' })
  expect(other).toMatch(/^# Mine\n\n\{\{others\}\}\n\n## For a person/)
  expect(improved(own, { kind: 'weak_check' })).toMatch(/^# T: .*\n\n> These have .*\n\n\{\{tasks\}\}/)
})

test('a template is filled in one pass, what is empty goes with its heading, and nothing is lost', () => {
  const values = {
    words: { title: 'A {{layout}} $& B', tasks: 'T1' },
    sections: [
      { title: 'Layout', lines: ['- {{title}}'] },
      { title: 'Elsewhere', lines: ['more'] },
    ],
    asked: { judged: '' },
  }
  const text = `${own}\n## Judged\n\nSay who.\n\n{{judged}}\n\n## Gone\n\n{{risks}}\n\n## Typo {{tpyo}}\n`
  expect(fillTemplate(text, values)).toBe(
    '# T: A {{layout}} $& B\n\nT1\n\n## Layout\n\n- {{title}}\n\n## Typo {{tpyo}}\n\n## Elsewhere\n\nmore\n',
  )
  expect(fillTemplate('{{constructor}} x', { ...values, sections: [] })).toBe('{{constructor}} x\n')
})

test('lines of a template are no notes of a person', () => {
  const isOwn = templateLines('# Tasks\n\n> Give these a check: {{weak_checks}}\n\n{{tasks}}\n\nOur rules\n')
  expect(['> Give these a check: T1, T2', 'Our rules', 'A note'].map(isOwn)).toEqual([true, true, false])
})
