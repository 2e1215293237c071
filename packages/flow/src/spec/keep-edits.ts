// What people changed in tasks.md goes on into what is generated anew: field by field, with what they added or took out.
import type { SpecTask } from '@treadle/contracts/specification'

interface EditFacts {
  /** As they were generated the last time, before anybody edited them. */
  readonly before: readonly SpecTask[]
  /** As they stand in tasks.md now. */
  readonly theirs: readonly SpecTask[]
  /** As they are generated now. */
  readonly ours: readonly SpecTask[]
}

export interface Kept {
  readonly tasks: readonly SpecTask[]
  /** What a person should know about it. */
  readonly notes: readonly string[]
}

export function keepEdits({ before, theirs, ours }: EditFacts): Kept {
  const old = byId(before)
  const edited = byId(theirs)
  const removed = before.filter(({ id }) => !edited.has(id))
  const takenOut = new Set(removed.map(({ id }) => id))
  const now = byId(ours)
  const kept = ours
    .filter(({ id }) => !takenOut.has(id))
    .map((task) => withEdits(task, { before: old.get(task.id), theirs: edited.get(task.id) }))
  const added = theirs.filter(({ id }) => !old.has(id) && !now.has(id))
  const lost = theirs.filter((task) => {
    const was = old.get(task.id)
    return was !== undefined && !now.has(task.id) && !isSame(was, task)
  })
  const tasks = [...kept, ...added]
  const there = byId(tasks)
  const gone = new Set([...old.keys(), ...edited.keys()].filter((id) => !there.has(id)))
  return {
    tasks: tasks.map((task) => withoutGone(task, gone)),
    notes: [
      ...removed
        .filter(({ id }) => now.has(id))
        .map(({ id, title }) => `${id} (${title}) was taken out by hand and stays out`),
      ...lost.map(({ id, title }) => `${id} (${title}) was edited by hand and has gone with what it was for`),
    ],
  }
}

function byId(tasks: readonly SpecTask[]): Map<string, SpecTask> {
  return new Map(tasks.map((task) => [task.id, task]))
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function withEdits(
  task: SpecTask,
  { before, theirs }: { before: SpecTask | undefined; theirs: SpecTask | undefined },
): SpecTask {
  if (before === undefined || theirs === undefined) return task
  const fields = Object.keys(task) as (keyof SpecTask)[]
  const changed = fields.filter((field) => !isSame(before[field], theirs[field]))
  const edited = { ...task, ...Object.fromEntries(changed.map((field) => [field, theirs[field]])) }
  const lists = LISTS.filter((field) => changed.includes(field))
  return {
    ...edited,
    ...Object.fromEntries(lists.map((field) => [field, joined(task[field], { before, theirs, field })])),
  }
}

/** Where a person edited these, what is generated anew comes in and goes out all the same. */
const LISTS = ['dependsOn', 'requirements', 'acceptance'] as const

function joined(
  ours: readonly string[],
  { before, theirs, field }: { before: SpecTask; theirs: SpecTask; field: (typeof LISTS)[number] },
): string[] {
  const [was, own] = [before[field], theirs[field]]
  return [
    ...own.filter((each) => ours.includes(each) || !was.includes(each)),
    ...ours.filter((each) => !was.includes(each) && !own.includes(each)),
  ]
}

function withoutGone(task: SpecTask, gone: ReadonlySet<string>): SpecTask {
  const dependsOn = task.dependsOn.filter((id) => !gone.has(id))
  return dependsOn.length === task.dependsOn.length ? task : { ...task, dependsOn }
}
