import type { Mutant, MutantFate, Strength } from '@treadle/contracts/strength'
import { expect, onTestFinished, test } from 'vitest'
import { makeChange } from '../testing/change.ts'
import { checkMutation, judgeStrength } from './mutation.ts'

const mutant = (fate: MutantFate, line = 1): Mutant => {
  return { file: 'a.js', line, operator: 'x', before: 'a < b', after: 'a <= b', fate, by: null }
}

const table: [string, MutantFate[], object][] = [
  ['all killed', ['killed', 'killed'], { killed: 2, counted: 2, percent: 100 }],
  ['rounded down', ['killed', 'killed', 'survived'], { killed: 2, counted: 3, percent: 66 }],
  ['a time-out is no kill', ['timed_out', 'survived'], { killed: 0, counted: 1, percent: 0 }],
  ['nor is a program that breaks by itself', ['broke', 'killed'], { killed: 1, counted: 1, percent: 100 }],
  ['what was not tried does not count', ['not_tried', 'killed', 'survived'], { counted: 2, percent: 50 }],
  ['nothing but time-outs', ['timed_out', 'timed_out'], { counted: 0, percent: 0 }],
]

test.each(table)('the share that assertions noticed: %s', (_, fates, expected) => {
  expect(judgeStrength(fates.map((fate) => mutant(fate)))).toMatchObject(expected)
})

const change = { 'a.js': 'const a = 1\nconst b = 2\n', 'a.test.js': '', 'README.md': 'new\n' }

async function look(strength: Strength, config: object = {}, head: Record<string, string> = change) {
  const made = makeChange({ 'a.js': 'const a = 1\n' }, head)
  onTestFinished(made.remove)
  let asked: object | null = null
  const request = await made.request({ command: 'true', config })
  const result = await checkMutation(made.options, request, async (order) => {
    asked = order
    return strength
  })
  return { result, asked, output: made.output(result) }
}
const measured = (...mutants: Mutant[]): Strength => ({
  is: 'measured',
  how: 'in_process',
  possible: 9,
  mutants,
})

test('faults are asked for in changed lines of code only', async () => {
  const { asked } = await look(measured(mutant('killed')))
  expect(asked).toMatchObject({ lines: { 'a.js': [2] }, mutantsMax: 60, budgetMs: 120_000 })
})

test('fewer than asked for is a warning that names what survived; the evidence has every fault', async () => {
  const { result, output } = await look(
    measured(mutant('killed'), mutant('survived', 7), mutant('timed_out')),
  )
  expect(result).toMatchObject({
    is: 'passed_with_warnings',
    gate: 'mutation',
    warnings: [
      'assertions noticed 1 of 2 planted faults (50 %), 60 % are asked for',
      'a.js:7: no test noticed when a < b was changed: it became a <= b',
    ],
  })
  expect(JSON.parse(output)).toMatchObject({
    percent: 50,
    possible: 9,
    mutants: [{ fate: 'killed' }, { fate: 'survived', line: 7 }, { fate: 'timed_out' }],
  })
  const enough = await look(measured(mutant('killed'), mutant('survived')), { mutation: { share: 50 } })
  expect(enough.result).toMatchObject({ is: 'passed' })
})

test('where nothing can be said, it says why', async () => {
  const whys = [
    await look({ is: 'not_run', why: 'another language' }),
    await look(measured(mutant('broke'), mutant('timed_out'))),
    await look(measured(), { mutation: { mutants: 0 } }),
    await look(measured(), {}, { 'README.md': 'new\n' }),
  ].map(({ result }) => ('why' in result ? `${result.is}: ${result.why}` : result.is))
  expect(whys).toEqual([
    'not_run: another language',
    'not_run: of 2 planted fault(s) none could be judged',
    'skipped: gates.mutation.mutants is 0',
    'skipped: no line of code was added or changed',
  ])
})

test('faults that all broke the program by themselves were noticed by no assertion', async () => {
  const { result } = await look(measured(mutant('broke'), mutant('broke')))
  expect(result).toMatchObject({
    is: 'passed_with_warnings',
    warnings: ['assertions noticed 0 of 2 planted faults (0 %), 60 % are asked for'],
    evidence: { strength: { noticed: 0, planted: 2, ran: true } },
  })
})

test('a branch that no test takes is told, and counts for no share', async () => {
  const probe = (fate: MutantFate, line: number): Mutant => ({
    ...mutant(fate, line),
    operator: 'branch-taken',
  })
  const { result } = await look(measured(mutant('killed'), probe('broke', 2), probe('survived', 3)))
  expect(result).toMatchObject({
    is: 'passed_with_warnings',
    warnings: ['a.js:3: no test takes this branch: a < b'],
    evidence: { strength: { noticed: 1, planted: 1, untaken: 1 } },
  })
})
