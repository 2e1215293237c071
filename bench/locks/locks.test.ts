// A small part of the benchmark: every task lands once, and locks let no two tasks meet in a file.
import { expect, test } from 'vitest'
import { RULES, simulate } from './simulate.ts'
import { workloads } from './workloads.ts'

/** Enough for tasks to meet. */
const small = () => workloads().map(({ name, tasks }) => ({ name, tasks: tasks.slice(-80) }))

test('under every rule each task lands once; with locks none meets another in a file', () => {
  for (const workload of small()) {
    for (const rule of RULES)
      expect([workload.name, rule, simulate(workload, rule, 1).landed]).toEqual([
        workload.name,
        rule,
        workload.tasks.length,
      ])
    expect(simulate(workload, 'none', 1).sameFile).toBeGreaterThan(0)
    expect(simulate(workload, 'locks', 1)).toMatchObject({ sameFile: 0, conflicts: 0 })
    expect(simulate(workload, 'later', 1).sameFile).toBeLessThan(simulate(workload, 'none', 1).sameFile)
  }
})

test('agents are not idle for want of a rule, and one build is always the same', () => {
  const [workload] = small()
  if (workload === undefined) throw new Error('no workload')
  expect(simulate(workload, 'none', 1).idleMinutes).toBe(0)
  expect(simulate(workload, 'locks', 2)).toEqual(simulate(workload, 'locks', 2))
})
