import assert from 'node:assert/strict'
import { test } from 'node:test'
import { affectedBy, plan, sortTasks, type Task } from '../src/task-graph.ts'

const house: Task[] = [
  { id: 'roof', minutes: 30, needs: ['walls'] },
  { id: 'walls', minutes: 60, needs: ['base'] },
  { id: 'base', minutes: 40, needs: [] },
  { id: 'garden', minutes: 20, needs: ['base'] },
  { id: 'party', minutes: 5, needs: ['roof', 'garden'] },
]

test('needs come before what needs them', () => {
  assert.deepEqual(
    sortTasks(house).map((task) => task.id),
    ['base', 'garden', 'walls', 'roof', 'party'],
  )
  assert.deepEqual(sortTasks([]), [])
})

test('cycles, duplicates and unknown needs are refused', () => {
  const loop: Task[] = [
    { id: 'a', minutes: 1, needs: ['b'] },
    { id: 'b', minutes: 1, needs: ['a'] },
    { id: 'c', minutes: 1, needs: [] },
  ]
  assert.throws(() => sortTasks(loop), /cycle/)
  assert.throws(() => sortTasks([{ id: 'a', minutes: 1, needs: ['x'] }]), /a needs unknown x/)
  const twice = { id: 'a', minutes: 1, needs: [] }
  assert.throws(() => sortTasks([twice, twice]), /duplicate a/)
})

test('the plan starts early and knows its critical path', () => {
  const result = plan(house)
  assert.equal(result.start.get('base'), 0)
  assert.equal(result.start.get('garden'), 40)
  assert.equal(result.start.get('roof'), 100)
  assert.equal(result.start.get('party'), 130)
  assert.equal(result.end, 135)
  assert.deepEqual(result.critical, ['base', 'walls', 'roof', 'party'])
  assert.deepEqual(plan([]), { order: [], start: new Map(), end: 0, critical: [] })
})

test('what is affected by a change', () => {
  assert.deepEqual(affectedBy(house, 'walls'), ['party', 'roof', 'walls'])
  assert.deepEqual(affectedBy(house, 'party'), ['party'])
})
