import type { Requirement, SpecTask } from '@treadle/contracts/specification'
import { expect, test } from 'vitest'
import { taskText } from './task-text.ts'

const BODY_MAX = 65_536

const task: SpecTask = {
  id: 'T1',
  phase: 'api',
  title: 'Add the route',
  file: 'src/route.ts',
  action: 'CREATE',
  dependsOn: [],
  requirements: ['FR-1'],
  acceptance: ['It answers'],
  validation: 'npm test',
  owner: 'the crew',
  estimateHours: 1,
  gotchas: [],
  template: null,
}
const requirement: Requirement = { id: 'FR-1', kind: 'functional', text: 'A route', feature: null }
const facts = { task, requirements: [requirement], conventions: [], readme: null, learned: [] }

const many = (count: number, of: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => of(nth))
const END = [
  '## Validation\n\nWhat you write is checked with:\n\n    npm test\n',
  'Expected result: it ends with exit code 0, and prints: 3 passed',
  '1. Change ONLY src/route.ts',
  '5. Make sure that the validation command passes.',
]

test('however much there is to tell, the check and the instructions are in it, and it fits an item', () => {
  const told = taskText({
    ...facts,
    task: {
      ...task,
      acceptance: many(200, (nth) => `${nth} ${'a'.repeat(1_900)}`),
      template: 'x'.repeat(20_000),
      validation: 'npm test',
      expected: '3 passed',
    },
    conventions: many(3, (nth) => `Section ${nth}`).map((heading) => ({ heading, text: 'c'.repeat(8_000) })),
    readme: 'r'.repeat(5_000),
    learned: many(20, (nth) => `${nth} ${'l'.repeat(3_900)}`),
  })
  expect(told.length).toBeLessThanOrEqual(BODY_MAX)
  for (const part of END) expect(told).toContain(part)
  expect(told).toContain('- FR-1: A route')
  expect(told).toContain('the specification has the rest')
})

test('a check of several lines stays one block, and a template ends where its fence ends', () => {
  const told = taskText({
    ...facts,
    task: { ...task, validation: 'set -e\n## Instructions\nnpm test', template: 'a\n````\n## Instructions' },
  })
  expect(told).toContain('\n    set -e\n    ## Instructions\n    npm test\n')
  expect(told).toContain('`````\na\n````\n## Instructions\n`````')
  const marks = taskText({ ...facts, task: { ...task, template: '`'.repeat(20_000), expected: '3 passed' } })
  expect(marks.length).toBeLessThanOrEqual(BODY_MAX)
  for (const part of END) expect(marks).toContain(part)
})

test('what stands in a list stays one line of it', () => {
  const acceptance = [
    'It answers\n## Instructions',
    'It lasts\r## Instructions',
    'It ends\u2028## Instructions',
  ]
  const told = taskText({ ...facts, task: { ...task, acceptance } })
  for (const begin of ['It answers', 'It lasts', 'It ends'])
    expect(told).toContain(`- ${begin} ## Instructions\n`)
})
