// A build as people see it: its record, and its tasks as their items are now.
import type { Build, BuildTask, BuildView } from '@treadle/contracts/build'
import type { Item } from '@treadle/contracts/item'
import type { FileLock } from '@treadle/contracts/lock'
import type { Run } from '@treadle/contracts/run'
import type { SpecTask } from '@treadle/contracts/specification'
import { clearanceWords } from '@treadle/contracts/words/clearance'
import { judgeClearance } from '../../claim/file-locks.ts'
import { differenceOf } from '../../spec/difference.ts'
import { isDelivery, isStuck, isTask, lastFailure, type TaskItem } from '../../work/build-items.ts'
import type { BuildWorld } from './build-world.ts'
import { readinessOf, skipOf, statusOfTask } from './task-status.ts'
import { expectedOf } from './task-text.ts'
import { workedInAll } from './work-clock.ts'

type ViewWorld = Pick<BuildWorld, 'store' | 'now'>

const RUNS_MAX = 50
const DIFFERENCE_MAX = 200

export async function viewBuild(world: ViewWorld, known: Build): Promise<BuildView> {
  const { store } = world
  const items = await store.items.ofBuild(known.id)
  // After the items: what was decided about one is in the same transaction as its move.
  const build = (await store.builds.find(known.id)) ?? known
  const kept = await store.specifications.revision(build.spec, build.revision)
  const specTasks = new Map((kept?.spec.tasks ?? []).map((task) => [task.id, task]))
  const own = items.filter(isTask)
  const statuses = new Map(own.map((item) => [item.specTask.id, statusOfTask(item, build)]))
  const live = await store.fileLocks.live(world.now(), build.id)
  const tasks: BuildTask[] = []
  for (const item of own) {
    const task = specTasks.get(item.specTask.id)
    if (task === undefined) continue
    const runs = await store.runs.ofItem(item, RUNS_MAX)
    tasks.push(taskView({ item, task, build, runs, statuses, live, now: world.now() }))
  }
  const delivery = items.find(isDelivery) ?? null
  const deliveryRuns = delivery === null ? [] : await store.runs.ofItem(delivery, RUNS_MAX)
  const counts = { pending: 0, in_progress: 0, complete: 0, failed: 0, skipped: 0 }
  for (const { status } of tasks) counts[status] += 1
  return {
    ...build,
    tasks,
    counts,
    usd: tasks.reduce((sum, { usd }) => sum + usd, 0) + usdOf(deliveryRuns),
    elapsedMs: workedInAll(build, world.now()),
    deliveryState: delivery?.state ?? null,
    mergeCommit: delivery?.mergeCommit ?? null,
    edited: await editedSince(world, build),
    hint: hintFor(build, tasks, delivery),
  }
}

interface TaskFacts {
  readonly item: TaskItem
  readonly task: SpecTask
  readonly build: Build
  readonly runs: readonly Run[]
  readonly statuses: ReadonlyMap<string, BuildTask['status']>
  /** The files that agents have. */
  readonly live: readonly FileLock[]
  readonly now: Date
}

function taskView({ item, task, build, runs, statuses, live, now }: TaskFacts): BuildTask {
  const status = statuses.get(task.id) ?? 'pending'
  const { ready, waitsFor } = readinessOf(task, (id) => statuses.get(id) ?? 'pending')
  const clearance = waitsFor.length > 0 ? null : judgeClearance(item, live)
  return {
    id: task.id,
    number: item.number,
    title: task.title,
    phase: task.phase,
    action: task.action,
    file: task.file,
    status,
    state: item.state,
    dependsOn: task.dependsOn,
    ready: clearance === null ? ready : clearanceWords(clearance),
    waitsFor: [...waitsFor],
    agent: item.claimedByAgentId,
    attempts: runs.length,
    validation: task.validation,
    expected: expectedOf(task),
    requirements: task.requirements,
    template: task.template,
    gotchas: task.gotchas.map(({ text }) => text),
    why: whyOf(item, build),
    needsHuman: item.needsHuman,
    owner: item.owner,
    requiresCoordination: item.requiresCoordination,
    usd: usdOf(runs),
    workedMs: runs.reduce((sum, run) => sum + durationOf(run, now), 0),
    mergeCommit: item.mergeCommit,
  }
}

function whyOf(item: TaskItem, build: Build): string | null {
  if (item.state === 'withdrawn') return skipOf(build, item.specTask.id)?.why ?? item.reason
  if (isStuck(item)) return lastFailure(build, item)?.reason ?? item.reason
  return item.state === 'done' ? null : (lastFailure(build, item)?.reason ?? null)
}

function usdOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { usage }) => sum + usage.reduce((all, { usd }) => all + (usd ?? 0), 0), 0)
}

function durationOf({ startedAt, endedAt }: Run, now: Date): number {
  return Math.max(0, (endedAt === null ? now.getTime() : Date.parse(endedAt)) - Date.parse(startedAt))
}

/** What a newer revision of the specification has that this build does not build. */
async function editedSince({ store }: ViewWorld, build: Build): Promise<BuildView['edited']> {
  const latest = await store.specifications.find(build.spec)
  if (latest === null || latest.spec.revision <= build.revision) return null
  const built = await store.specifications.revision(build.spec, build.revision)
  const difference = built === null ? [] : differenceOf(built.tasksText, latest.tasksText)
  return { revision: latest.spec.revision, difference: [...difference].slice(0, DIFFERENCE_MAX) }
}

function hintFor(build: Build, tasks: readonly BuildTask[], delivery: Item | null): string | null {
  const { spec, status } = build
  const failed = tasks.find((task) => task.status === 'failed')
  const retry =
    failed === undefined
      ? null
      : `Look at ${failed.id} (treadle show ${failed.number}), then have it tried again: treadle build retry ${spec} ${failed.id}; or leave it out: treadle withdraw ${failed.number}`
  if (status === 'stopped') return `Nothing is lost. Go on: treadle build resume ${spec}`
  if (status === 'failed')
    return `${retry === null ? 'Nothing is lost.' : `${retry}.`} Go on with the rest: treadle build resume ${spec}`
  if (status === 'completed') return null
  if (retry !== null) return retry
  if (delivery !== null && isStuck(delivery))
    return `The whole could not be delivered: ${delivery.reason ?? `look at it: treadle show ${delivery.number}`}`
  if (delivery?.needsHuman === true) return `The whole waits for you: treadle review show ${delivery.number}`
  const owned = tasks.find(({ requiresCoordination }) => requiresCoordination)
  if (owned !== undefined)
    return `${owned.id} changes ${owned.file}, which is not the crew's: ${owned.ready}. When they agree: treadle edit ${owned.number} --agreed`
  const waiting = tasks.find(({ needsHuman }) => needsHuman)
  return waiting === undefined ? null : `${waiting.id} waits for you: treadle show ${waiting.number}`
}
