// Any build comes to an end in an order that its tasks allow, whoever takes what and whatever fails: random graphs of
// fourteen tasks, random schedules of three agents.
import type { Build, TaskFailure } from '@treadle/contracts/build'
import { blankItem } from '@treadle/contracts/item'
import type { SpecTask } from '@treadle/contracts/specification'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TaskItem } from '../../work/build-items.ts'
import { decideSkips } from './skips.ts'
import { inBuildOrder } from './task-items.ts'
import { isMoving, readinessOf, statusOfTask } from './task-status.ts'

const AT = '2026-11-19T12:00:00.000Z'
const TASKS = 14
const AGENTS = 3
const BUILD = '00000000-0000-4000-8000-000000000066'
const nothing: Pick<Build, 'failures' | 'skipped'> = { failures: [], skipped: [] }

const specTask = (nth: number, dependsOn: readonly string[]): SpecTask => ({
  id: `T${nth}`,
  phase: 'queries',
  title: `Task ${nth}`,
  file: `src/${nth}.ts`,
  action: 'CREATE',
  dependsOn: [...dependsOn],
  requirements: [],
  acceptance: [],
  validation: 'true',
  owner: 'build-agent',
  estimateHours: 1,
  gotchas: [],
  template: null,
})

function itemOf(task: SpecTask, number: number, dependsOn: readonly number[]): TaskItem {
  const ref = { spec: 'a', revision: 1, id: task.id }
  const given = { number, title: task.title, createdAt: AT, dependsOn: [...dependsOn], build: BUILD }
  return { ...blankItem(given), specTask: ref }
}

const failure = (task: string, runId: string): TaskFailure => ({
  task,
  attempt: 1,
  class: 'UNKNOWN',
  decision: 'ESCALATE',
  reason: 'no idea',
  error: 'no idea',
  package: null,
  install: null,
  runId,
  at: AT,
})

/** Each task waits for some of those before it; some fail; the order in which they are written is any. */
const graphs = fc.record({
  waits: fc.array(fc.array(fc.nat({ max: TASKS - 1 }), { maxLength: 4 }), {
    minLength: TASKS,
    maxLength: TASKS,
  }),
  fails: fc.uniqueArray(fc.nat({ max: TASKS - 1 }), { maxLength: 3 }),
  picks: fc.array(fc.nat(), { minLength: 4 * TASKS, maxLength: 4 * TASKS }),
  mix: fc.nat({ max: TASKS - 1 }),
})

function tasksOf(waits: readonly (readonly number[])[]): SpecTask[] {
  return waits.map((each, nth) =>
    specTask(
      nth,
      [...new Set(each)].filter((other) => other < nth).map((other) => `T${other}`),
    ),
  )
}

/** A build as it is played: who has what, and what has become of it. */
class Played {
  readonly ordered: readonly SpecTask[]
  readonly begun: string[] = []
  items: TaskItem[]
  build = nothing

  constructor(tasks: readonly SpecTask[]) {
    this.ordered = inBuildOrder(tasks)
    const numbers = new Map(this.ordered.map(({ id }, nth) => [id, nth + 1]))
    this.items = this.ordered.map((task, nth) =>
      itemOf(
        task,
        nth + 1,
        task.dependsOn.flatMap((id) => numbers.get(id) ?? []),
      ),
    )
  }

  statusOf(id: string) {
    const item = this.items.find(({ specTask: { id: own } }) => own === id)
    if (item === undefined) throw new Error(`there is no ${id}`)
    return statusOfTask(item, this.build)
  }

  free(): readonly SpecTask[] {
    const statusOf = (id: string) => this.statusOf(id)
    return this.ordered.filter(
      (task) => statusOf(task.id) === 'pending' && readinessOf(task, statusOf).ready === 'Ready',
    )
  }

  take({ id, dependsOn }: SpecTask): void {
    this.begun.push(id)
    for (const other of dependsOn) expect(this.statusOf(other)).toBe('complete')
    this.#set(id, { state: 'building', claimedByAgentId: 'agent-1' })
  }

  end(id: string, isWell: boolean): void {
    if (isWell) this.#set(id, { state: 'done' })
    else {
      this.#set(id, { state: 'escalated', needsHuman: true, runId: BUILD })
      this.build = { ...this.build, failures: [...this.build.failures, failure(id, BUILD)] }
    }
    const { kept, news } = decideSkips(this.items, this.build)
    for (const { task } of news) this.#set(task, { state: 'withdrawn' })
    this.build = { ...this.build, skipped: [...kept, ...news] }
  }

  #set(id: string, change: Partial<TaskItem>): void {
    this.items = this.items.map((item) => (item.specTask.id === id ? { ...item, ...change } : item))
  }
}

/** One step: somebody takes a task that is free, or one that is held comes to its end. False: nothing is left to do. */
function step(played: Played, pick: number, fails: readonly number[]): boolean {
  const held = played.items.filter(({ state }) => state === 'building')
  const free = played.free()
  const takes = held.length < AGENTS && free.length > 0 && (held.length === 0 || pick % 2 === 0)
  const next = takes ? free[pick % free.length] : undefined
  const ended = held[pick % Math.max(1, held.length)]
  if (next !== undefined) played.take(next)
  else if (ended !== undefined)
    played.end(ended.specTask.id, !fails.includes(Number(ended.specTask.id.slice(1))))
  return next !== undefined || ended !== undefined
}

test('fifty random schedules: nothing begins before what it waits for, everything ends once, and nobody is left waiting', () => {
  fc.assert(
    fc.property(graphs, ({ waits, fails, picks, mix }) => {
      const tasks = tasksOf(waits)
      const played = new Played([...tasks.slice(mix), ...tasks.slice(0, mix)])
      for (const pick of picks) if (!step(played, pick, fails)) break
      expect(new Set(played.begun).size).toBe(played.begun.length)
      const ends = tasks.map(({ id }) => played.statusOf(id))
      expect(ends.filter((status) => status === 'pending' || status === 'in_progress')).toEqual([])
      expect(isMoving(played.items)).toBe(false)
      for (const { because } of played.build.skipped)
        expect(because === null ? 'nobody' : played.statusOf(because)).toMatch(/failed|skipped/)
    }),
    { numRuns: 50 },
  )
})

/** Four deep: four that wait for nothing, four on those, three on these, and a check of each of the last three. */
const FOUR_DEEP = [[], [], [], [], [0, 1], [1], [2, 3], [3], [4, 5], [6], [5, 7], [8], [9], [10]]

test('fifty random schedules of fourteen tasks, four deep: each begins once, after all that it waits for, and ends', () => {
  const tasks = tasksOf(FOUR_DEEP)
  const depth = new Map<string, number>()
  for (const { id, dependsOn } of tasks)
    depth.set(id, 1 + Math.max(0, ...dependsOn.map((other) => depth.get(other) ?? 0)))
  expect(Math.max(...depth.values())).toBe(4)
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 4 * TASKS, maxLength: 4 * TASKS }), (picks) => {
      const played = new Played(tasks)
      for (const pick of picks) if (!step(played, pick, [])) break
      expect(played.begun.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted())
      for (const { id, dependsOn } of tasks)
        for (const other of dependsOn)
          expect(played.begun.indexOf(other)).toBeLessThan(played.begun.indexOf(id))
      expect(tasks.filter(({ id }) => played.statusOf(id) !== 'complete')).toEqual([])
    }),
    { numRuns: 50 },
  )
})

test('what a person takes away is skipped with all that waits for it; what they put back is not any more', () => {
  const tasks = tasksOf([[], [0], [1]])
  const items = tasks.map((task, nth) => itemOf(task, nth + 1, nth === 0 ? [] : [nth]))
  const taken = items.map((item, nth) =>
    nth === 0 ? { ...item, state: 'withdrawn' as const, reason: 'withdrawn by ada' } : item,
  )
  const { kept, news } = decideSkips(taken, nothing)
  expect(kept).toEqual([{ task: 'T0', because: null, why: 'withdrawn by ada' }])
  expect(news).toEqual([
    { task: 'T1', because: 'T0', why: 'it waits for T0, which is skipped' },
    { task: 'T2', because: 'T1', why: 'it waits for T1, which is skipped' },
  ])
  expect(decideSkips(items, { failures: [], skipped: [...kept] })).toEqual({ kept: [], news: [] })
})
