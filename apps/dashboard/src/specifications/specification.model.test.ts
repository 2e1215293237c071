import type { SpecTask } from '@treadle/contracts/specification'
import { expect, test } from 'vitest'
import { differenceIn, sizeWords, tasksByPhase } from './specification.model.ts'

const task = (id: string, phase: SpecTask['phase'], dependsOn: string[] = []): SpecTask => ({
  id,
  phase,
  title: `Task ${id}`,
  file: `src/${id}.ts`,
  action: 'CREATE',
  dependsOn,
  requirements: [],
  acceptance: [],
  validation: 'true',
  owner: 'ada',
  estimateHours: 1.5,
  gotchas: [],
  template: null,
})

const tasks = [
  task('T1', 'types'),
  task('T2', 'types', ['T1']),
  task('T3', 'api', ['T1']),
  task('T4', 'tests', ['T1', 'T3', 'T9']),
]

test('tasks are counted with their hours, and listed by phase', () => {
  expect(sizeWords(tasks)).toBe('4 tasks, about 6 h')
  expect(tasksByPhase(tasks).map((group) => [group.phase, group.tasks.length])).toEqual([
    ['types', 2],
    ['api', 1],
    ['tests', 1],
  ])
})

test.each([
  [{ difference: ['- a', '+ b'] }, '- a\n+ b'],
  [{ difference: '- a' }, '- a'],
  [{ difference: [] }, null],
  [{ revision: 2 }, null],
  [undefined, null],
])('the difference in %j is %j', (details, wanted) => {
  expect(differenceIn(details)).toBe(wanted)
})
