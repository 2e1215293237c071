import assert from 'node:assert/strict'
import { test } from 'node:test'
import { affectedBy, plan, sortTasks, type Task } from '../src/task-graph.ts'

let state = 17
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

function randomTasks(count: number): Task[] {
  const ids = Array.from({ length: count }, (_, index) => String.fromCharCode(97 + ((index * 7) % 26)))
  const tasks = ids.map((id, index) => ({
    id,
    minutes: random(20) + 1,
    needs: ids.slice(0, index).filter(() => random(4) === 0),
  }))
  return tasks.sort((a, b) => (a.id < b.id ? -1 : 1))
}

// The smallest id whose needs are all done, again and again.
function slowOrder(tasks: readonly Task[]): string[] {
  const done: string[] = []
  while (done.length < tasks.length) {
    const open = tasks.filter((task) => !done.includes(task.id))
    const ready = open
      .filter((task) => task.needs.every((need) => done.includes(need)))
      .map((task) => task.id)
    done.push(ready.sort()[0] ?? '?')
  }
  return done
}

function finishOf(tasks: readonly Task[], id: string): number {
  const task = tasks.find((one) => one.id === id)
  if (!task) return 0
  return task.minutes + Math.max(0, ...task.needs.map((need) => finishOf(tasks, need)))
}

function reaches(tasks: readonly Task[], from: string, to: string): boolean {
  const needs = tasks.find((task) => task.id === from)?.needs ?? []
  return from === to || needs.some((need) => reaches(tasks, need, to))
}

test('random graphs', () => {
  for (let round = 0; round < 120; round += 1) {
    const tasks = randomTasks(random(8) + 1)
    const expected = slowOrder(tasks)
    assert.deepEqual(
      sortTasks(tasks).map((task) => task.id),
      expected,
    )
    const result = plan(tasks)
    assert.deepEqual(result.order, expected)
    for (const task of tasks) assert.equal(result.start.get(task.id), finishOf(tasks, task.id) - task.minutes)
    assert.equal(result.end, Math.max(...tasks.map((task) => finishOf(tasks, task.id))))
    let clock = 0
    for (const id of result.critical) {
      assert.equal(result.start.get(id), clock)
      clock += tasks.find((task) => task.id === id)?.minutes ?? 0
    }
    assert.equal(clock, result.end)
    for (const { id } of tasks) {
      const touched = tasks.map((task) => task.id).filter((other) => reaches(tasks, other, id))
      assert.deepEqual(affectedBy(tasks, id), touched.sort())
    }
  }
})

test('refusals', () => {
  const self = [{ id: 'a', minutes: 1, needs: ['a'] }]
  assert.throws(() => sortTasks(self), /cycle/)
  assert.throws(() => plan(self), /cycle/)
  const three: Task[] = [
    { id: 'a', minutes: 1, needs: ['c'] },
    { id: 'b', minutes: 1, needs: ['a'] },
    { id: 'c', minutes: 1, needs: ['b'] },
  ]
  assert.throws(() => plan(three), /cycle/)
  assert.throws(() => plan([...three.slice(0, 1)]), /a needs unknown c/)
  const twice: Task[] = [
    { id: 'q', minutes: 1, needs: [] },
    { id: 'q', minutes: 2, needs: [] },
  ]
  assert.throws(() => plan(twice), /duplicate q/)
})

test('the first need of equal ones is the cause, and the first of equal ends is last', () => {
  const tasks: Task[] = [
    { id: 'a', minutes: 5, needs: [] },
    { id: 'b', minutes: 5, needs: [] },
    { id: 'c', minutes: 1, needs: ['b', 'a'] },
    { id: 'd', minutes: 1, needs: ['a', 'b'] },
  ]
  assert.deepEqual(plan(tasks).critical, ['b', 'c'])
})
