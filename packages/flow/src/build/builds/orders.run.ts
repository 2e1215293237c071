// What people tell a build: stop, go on, try a task again. Each is one transaction under the lock of the build.
import type { Build } from '@treadle/contracts/build'
import type { Item } from '@treadle/contracts/item'
import { isQueued } from '../../flow.ts'
import { isDelivery, isStuck, isTask, type TaskItem } from '../../work/build-items.ts'
import { runKeepBranch } from './branch.run.ts'
import { buildAfter } from './build.machine.ts'
import type { BuildRefusal, BuildWorld } from './build-world.ts'
import { decideContinue } from './continue.ts'
import { planDelivery } from './plan-delivery.run.ts'
import { hasFailed, statusOfTask } from './task-status.ts'
import { tell } from './tell.run.ts'
import { clockAt, workedInAll } from './work-clock.ts'

export type Ordered = { readonly is: 'done'; readonly build: Build } | BuildRefusal

type OrderWorld = Pick<BuildWorld, 'store' | 'advance' | 'now' | 'config' | 'git'>

export interface BuildOrder {
  readonly slug: string
  readonly by: string
}

/** The newest build of a specification, or the one of that id. */
export async function findBuild({ store }: Pick<OrderWorld, 'store'>, slug: string): Promise<Build | null> {
  const [newest] = await store.builds.ofSpec(slug)
  return newest ?? (UUID.test(slug) ? await store.builds.find(slug) : null)
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function noBuild(slug: string): BuildRefusal {
  return {
    is: 'unknown',
    message: `There is no build of ${slug}.`,
    hint: `A build begins when its specification is approved: treadle spec approve ${slug}; treadle build list shows what there is.`,
  }
}

export function runStop(world: OrderWorld, order: BuildOrder): Promise<Ordered> {
  return locked(world, order, async (build) => {
    const status = buildAfter(build.status, { type: 'stopped' })
    if (status === null) return refused(build, `it is ${build.status} already`, showHint(build))
    const now = world.now()
    await tell(world, build, `stop:${now.getTime()}`, { type: 'build.stop', by: order.by })
    const { builds } = world.config()
    const { reason: why } = decideContinue({
      failed: 0,
      databaseFailed: false,
      workedMs: 0,
      stopSignal: true,
      failuresMax: builds.failures,
      timeMaxMs: builds.timeMs,
    })
    await tell(world, build, `stopped:${now.getTime()}`, { type: 'build.stopped', why })
    return { is: 'done', build: { ...build, ...clockAt(build, now, false), status, why } }
  })
}

interface ResumeOrder extends BuildOrder {
  /** What was skipped stays skipped, and counts as no failure any more. */
  readonly leavesSkipped?: boolean
}

export function runResume(world: OrderWorld, order: ResumeOrder): Promise<Ordered> {
  return locked(world, order, async (found) => {
    const status = buildAfter(found.status, { type: 'resumed' })
    if (status === null) return refused(found, `it is ${found.status}`, showHint(found))
    const superseded = await whySuperseded(world, found)
    if (superseded !== null) return superseded
    const items = await world.store.items.ofBuild(found.id)
    const build = order.leavesSkipped ? leaveOut(found, order.by) : found
    const noBranch = await runKeepBranch(world.git, build, items)
    if (noBranch !== null) return refused(build, noBranch, `Look at: git branch --list 'build*'`)
    const tasks = items.filter(isTask)
    // What ended it would end it again at once.
    const failed = build.status === 'failed' ? tasks.filter((item) => hasFailed(item, build)) : []
    if (failed.length === 0 && tasks.every(({ state }) => state === 'withdrawn'))
      return refused(
        build,
        'none of its tasks is left',
        `Have one tried again: treadle build retry ${build.spec} ${tasks[0]?.specTask.id ?? '<task>'}`,
      )
    const tried = await again(world, build, { failed, items, by: order.by })
    return { is: 'done', build: await goOn(world, tried, { by: order.by, status }) }
  })
}

/** What was approved last is built, and nothing older; null: that is this one. */
async function whySuperseded({ store }: OrderWorld, build: Build): Promise<BuildRefusal | null> {
  const newer = (await store.builds.ofSpec(build.spec))[0]
  if (newer === undefined || newer.id === build.id) return null
  return refused(build, `revision ${newer.revision} is built instead`, showHint(newer))
}

/** Tasks that were skipped after their own attempts stay so, as somebody wishes. */
function leaveOut(build: Build, by: string): Build {
  const skipped = build.skipped.map((each) =>
    each.because === null ? { ...each, leftOutBy: by.slice(0, 200) } : each,
  )
  return { ...build, skipped }
}

export function runRetry(world: OrderWorld, order: BuildOrder & { readonly task: string }): Promise<Ordered> {
  return locked(world, order, async (build) => {
    const superseded = await whySuperseded(world, build)
    if (superseded !== null) return superseded
    const items = await world.store.items.ofBuild(build.id)
    const item = items.filter(isTask).find(({ specTask }) => specTask.id === order.task)
    if (item === undefined) return refused(build, `it has no task ${order.task}`, showHint(build))
    const status = statusOfTask(item, build)
    if (status !== 'failed' && status !== 'skipped' && !isStuck(item))
      return refused(build, `task ${order.task} is ${status.replace('_', ' ')}`, showHint(build))
    const delivery = items.find(isDelivery)
    if (delivery === undefined || !(isQueued(delivery.state) || delivery.state === 'withdrawn'))
      return refused(
        build,
        `its delivery #${delivery?.number ?? ''} is ${delivery?.state.replace('_', ' ') ?? 'gone'} already`,
        'Add an item for what is left: treadle add "..."',
      )
    const tried = await again(world, build, { failed: [item], items, by: order.by })
    const on = buildAfter(build.status, { type: 'resumed' })
    return { is: 'done', build: on === null ? tried : await goOn(world, tried, { by: order.by, status: on }) }
  })
}

async function goOn(
  world: OrderWorld,
  build: Build,
  { by, status }: { by: string; status: Build['status'] },
): Promise<Build> {
  const now = world.now()
  await tell(world, build, `resume:${now.getTime()}`, { type: 'build.resume', by })
  // A new span: what was worked before does not count against it, and is not forgotten.
  const clock = { workedMs: 0, earlierMs: workedInAll(build, now), workingSince: now.toISOString() }
  return { ...build, ...clock, status, why: null, completedAt: null }
}

interface Again {
  readonly failed: readonly TaskItem[]
  readonly items: readonly Item[]
  readonly by: string
}

/** The tasks, whatever was skipped because of them, and the delivery, which waits for them anew. */
async function again(world: OrderWorld, build: Build, { failed, items, by }: Again): Promise<Build> {
  const wanted = new Set(failed.map(({ specTask }) => specTask.id))
  for (const { task, because } of build.skipped) if (because !== null && wanted.has(because)) wanted.add(task)
  for (const item of items.filter(isTask)) {
    if (!wanted.has(item.specTask.id) || !(isStuck(item) || item.state === 'withdrawn')) continue
    const last = build.failures.findLast(({ task }) => task === item.specTask.id)
    const words = last === undefined ? {} : { words: `What the last attempt ended with:\n\n${last.error}` }
    await world.advance({
      item: { projectNumber: item.projectNumber, number: item.number },
      eventId: `build:${build.id}:retry:${item.number}:${world.now().getTime()}`,
      fence: null,
      agentId: null,
      move: { type: 'item.reopened', by, ...words },
    })
    const told = { type: 'task.retry', task: item.specTask.id, by, why: last?.reason ?? '' } as const
    await tell(world, build, `retry-told:${item.number}:${world.now().getTime()}`, told)
  }
  const delivery = items.find(isDelivery)
  if (delivery?.state === 'withdrawn')
    await world.advance({
      item: { projectNumber: delivery.projectNumber, number: delivery.number },
      eventId: `build:${build.id}:retry:${delivery.number}:${world.now().getTime()}`,
      fence: null,
      agentId: null,
      move: { type: 'item.reopened', by },
    })
  // In the same transaction: nobody takes the whole before it waits for what is tried again.
  await planDelivery(world, await world.store.items.ofBuild(build.id))
  return { ...build, skipped: build.skipped.filter(({ task }) => !wanted.has(task)) }
}

async function locked(
  world: OrderWorld,
  { slug }: BuildOrder,
  act: (build: Build) => Promise<Ordered>,
): Promise<Ordered> {
  return world.store.tx(async () => {
    const found = await findBuild(world, slug)
    const build = found === null ? null : await world.store.builds.lock(found.id)
    if (build === null) return noBuild(slug)
    const ordered = await act(build)
    if (ordered.is === 'done') await world.store.builds.save(ordered.build)
    return ordered
  })
}

function refused({ spec }: Build, why: string, hint: string): BuildRefusal {
  return { is: 'refused', message: `The build of ${spec} stays as it is: ${why}.`, hint }
}

function showHint({ spec }: Build): string {
  return `Look at it: treadle build show ${spec}`
}
