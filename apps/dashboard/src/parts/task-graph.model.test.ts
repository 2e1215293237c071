import type { SpecTask } from '@treadle/contracts/specification'
import { expect, test } from 'vitest'
import { taskGraphOf } from './task-graph.model.ts'

const shows = ({ title }: { title: string }) => ({ second: title, href: '#' })
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

test('a phase stands behind the one before it, and a task behind those of its phase that it waits for', () => {
  const { nodes, edges, heads } = taskGraphOf(tasks, shows)
  expect(nodes.map(({ key, layer, row }) => [key, layer, row])).toEqual([
    ['T1', 0, 0],
    ['T2', 1, 1],
    ['T3', 2, 0],
    ['T4', 3, 0],
  ])
  expect(heads).toEqual([
    { layer: 0, words: 'Types' },
    { layer: 2, words: 'API' },
    { layer: 3, words: 'Tests' },
  ])
  // A task that there is not has no arrow, and neither has one that others lead to.
  expect(edges.map(({ from, to }) => `${from.key} ${to.key}`)).toEqual(['T1 T2', 'T1 T3', 'T3 T4'])
})

test('tasks that wait for each other are drawn all the same', () => {
  const { nodes } = taskGraphOf([task('T1', 'ui', ['T2']), task('T2', 'ui', ['T1'])], shows)
  expect(nodes.map(({ layer }) => layer).sort()).toEqual([0, 1])
})

test('the graph as text says what each task waits for, or where it stands', () => {
  expect(taskGraphOf(tasks, shows).words[1]).toBe('T2 Task T2 (Types): waits for T1')
  const graph = taskGraphOf(tasks, (each) => ({ ...shows(each), stands: 'Ready' }))
  expect(graph.words[1]).toBe('T2 Task T2 (Types): Ready')
})
