// Follows the items of a build: what their ends mean for the rest of it. Whatever is done here is done in one
// transaction under the lock of the build, and done again it finds nothing to do.
import type { Build, PackageToInstall, TaskFailure } from '@treadle/contracts/build'
import type { Config } from '@treadle/contracts/config'
import type { Item } from '@treadle/contracts/item'
import { isDelivery, isStuck, isTask, lastFailure, momentOf, type TaskItem } from '../../work/build-items.ts'
import { attemptFacts } from './attempt-error.ts'
import { runKeepBranch } from './branch.run.ts'
import { type BuildSign, buildAfter } from './build.machine.ts'
import type { BuildWorld } from './build-world.ts'
import { decideContinue } from './continue.ts'
import {
  type AttemptFacts,
  type Classified,
  classifyError,
  decideFailure,
  type FailureChoice,
  failuresSince,
  isOfPython,
} from './failure.ts'
import { installWords } from './install.ts'
import type { PackageJudged } from './package-rule.ts'
import { planDelivery } from './plan-delivery.run.ts'
import { decideSkips } from './skips.ts'
import { hasFailed, isMoving, statusOfTask } from './task-status.ts'
import { tell } from './tell.run.ts'
import { withdrawItem, withdrawOpen } from './withdraw.run.ts'
import { clockAt, workedMs } from './work-clock.ts'

export interface FollowWorld extends Pick<BuildWorld, 'store' | 'advance' | 'now' | 'config' | 'git'> {
  /** Whether a package may be installed, and how; asked of the registry. */
  readonly judgePackage: (name: string) => Promise<PackageJudged>
}

type Packages = ReadonlyMap<string, PackageJudged>

export async function runFollow(world: FollowWorld, id: string): Promise<void> {
  // A registry is asked before the transaction: nobody waits for a network under a lock.
  const packages = await judgePackages(world, id)
  const noBranch = await whyNoBranch(world, id)
  await world.store.tx(async () => {
    const build = await world.store.builds.lock(id)
    if (build === null || build.status === 'priming' || build.status === 'completed') return
    const followed = await follow(world, build, { packages, noBranch })
    if (JSON.stringify(followed) !== JSON.stringify(build)) await world.store.builds.save(followed)
  })
}

/** A build that runs has its branch; null: it is there. */
async function whyNoBranch({ store, git }: FollowWorld, id: string): Promise<string | null> {
  const build = await store.builds.find(id)
  return build?.status === 'running' ? runKeepBranch(git, build, await store.items.ofBuild(id)) : null
}

async function judgePackages(world: FollowWorld, id: string): Promise<Packages> {
  const judged = new Map<string, PackageJudged>()
  const build = await world.store.builds.find(id)
  if (build === null) return judged
  for (const item of await undecided(world, build)) {
    const name = asked(await factsOf(world, item))
    if (name !== null && !judged.has(name)) judged.set(name, await world.judgePackage(name))
  }
  return judged
}

/** The package that the registry is asked about; null: none. */
function asked(facts: AttemptFacts): string | null {
  return isOfPython(facts.error) ? null : classifyError(facts).package
}

/** Tasks that have stopped by themselves, and nobody has said yet what follows. */
async function undecided({ store }: FollowWorld, build: Build): Promise<TaskItem[]> {
  const items = await store.items.ofBuild(build.id)
  return items
    .filter(isTask)
    .filter((item) => isStuck(item) && lastFailure(build, item)?.runId !== item.runId)
}

async function factsOf({ store }: FollowWorld, item: TaskItem) {
  return attemptFacts(item, item.runId === null ? null : await store.runs.find(item.runId))
}

interface Looked {
  readonly packages: Packages
  /** Why the branch is not there. */
  readonly noBranch: string | null
}

async function follow(world: FollowWorld, given: Build, { packages, noBranch }: Looked): Promise<Build> {
  let build = given
  for (const item of await undecided(world, build)) build = await decide(world, build, { item, packages })
  build = await skipWhatWaits(world, build)
  const items = await world.store.items.ofBuild(build.id)
  await planDelivery(world, items)
  build = await withResults(world, build, items)
  return end(world, build, { items, noBranch })
}

interface Deciding {
  readonly item: TaskItem
  readonly packages: Packages
}

async function decide(world: FollowWorld, build: Build, { item, packages }: Deciding): Promise<Build> {
  const facts = await factsOf(world, item)
  const name = asked(facts)
  // It failed while the registry was asked about others: the next look decides.
  if (name !== null && !packages.has(name)) return build
  const found = classifyError(facts)
  const before = failuresSince(build.failures, item.specTask.id)
  const attempt = before.length + 1
  const installedBefore = before.some(
    (each) => each.decision === 'INSTALL_AND_RETRY' && each.package === found.package,
  )
  const choice = allowed(
    decideFailure({ ...found, attempts: attempt, installedBefore, error: facts.error }),
    found,
    packages,
  )
  const failure: TaskFailure = {
    task: item.specTask.id,
    attempt,
    ...found,
    decision: choice.decision,
    install: choice.install,
    reason: choice.reason.slice(0, 1_000),
    error: facts.error,
    runId: item.runId,
    at: world.now().toISOString(),
  }
  const { task, decision } = failure
  const why = failure.reason
  const told = { type: 'task.failed', task, attempt, class: found.class, decision, why } as const
  await tell(world, build, `failed:${item.runId ?? item.fence}`, told)
  await act(world, item, failure)
  const failures = [...build.failures, failure].slice(-FAILURES_MAX)
  if (decision !== 'SKIP') return { ...build, failures }
  await tell(world, build, `skipped:${momentOf(item)}`, { type: 'task.skipped', task, why })
  return { ...build, failures, skipped: [...build.skipped, { task, because: null, why }] }
}

const FAILURES_MAX = 2_000

interface Allowed extends FailureChoice {
  /** What is installed before the next attempt. */
  readonly install: PackageToInstall | null
}

/** Nothing is installed that the registry does not have, or not for long enough. */
function allowed(choice: FailureChoice, found: Classified, packages: Packages): Allowed {
  if (choice.decision !== 'INSTALL_AND_RETRY' || found.package === null) return { ...choice, install: null }
  const judged = packages.get(found.package)
  if (judged?.is === 'allowed') return { ...choice, install: judged.install }
  const why = judged?.why ?? 'nobody could ask the registry'
  return {
    decision: 'ESCALATE',
    reason: `${found.package} is missing, and is not installed: ${why}`,
    install: null,
  }
}

async function act(world: FollowWorld, item: TaskItem, failure: TaskFailure): Promise<void> {
  const { decision, reason, error, install } = failure
  if (decision === 'ESCALATE') return
  if (decision === 'SKIP') return withdrawItem(world, item, 'skip')
  const words = [
    `${reason}.`,
    ...(install === null ? [] : [installWords(install)]),
    'What the last attempt ended with:',
    error,
  ].join('\n\n')
  await world.advance({
    item: { projectNumber: item.projectNumber, number: item.number },
    eventId: `build:${item.build}:again:${momentOf(item)}`,
    fence: null,
    agentId: null,
    move: { type: 'item.reopened', by: 'the build', words: words.slice(0, 4_000) },
  })
}

/** Tasks that wait for one that is not coming are skipped with it, and those that wait for these. */
async function skipWhatWaits(world: FollowWorld, build: Build): Promise<Build> {
  const tasks = (await world.store.items.ofBuild(build.id)).filter(isTask)
  const { kept, news } = decideSkips(tasks, build)
  for (const { task, why } of news) {
    const item = tasks.find(({ specTask }) => specTask.id === task)
    if (item === undefined) continue
    await withdrawItem(world, item, 'skip')
    await tell(world, build, `skipped:${momentOf(item)}`, { type: 'task.skipped', task, why })
  }
  return { ...build, skipped: [...kept, ...news] }
}

async function withResults(world: FollowWorld, build: Build, items: readonly Item[]): Promise<Build> {
  const merged = items.filter((item) => isTask(item) && item.mergeCommit !== null)
  const commits = merged
    .toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt))
    .flatMap(({ mergeCommit }) => mergeCommit ?? [])
  const known = new Set(build.commits)
  const news = commits.filter((commit) => !known.has(commit))
  const delivery = items.find(isDelivery)
  const run =
    delivery?.runId == null || delivery.headCommit === null
      ? null
      : await world.store.runs.find(delivery.runId)
  const finalValidation =
    run === null ? build.finalValidation : run.gates.map(({ gate, is }) => ({ gate, is }))
  return { ...build, commits: [...build.commits, ...news], finalValidation }
}

/** Whether it is over, or must not go on. */
async function end(
  world: FollowWorld,
  build: Build,
  { items, noBranch }: Pick<Looked, 'noBranch'> & { readonly items: readonly Item[] },
): Promise<Build> {
  const now = world.now()
  const delivery = items.find(isDelivery)
  const tasks = items.filter(isTask)
  if (delivery?.state === 'done')
    return ended(world, build, { sign: { type: 'delivered' }, items, why: null })
  const isOver = tasks.every(({ state }) => state === 'done' || state === 'withdrawn')
  if (build.status === 'running' && isOver && !tasks.some(({ state }) => state === 'done')) {
    await withdrawOpen(world, build.id, 'nothing')
    return ended(world, build, { sign: { type: 'failed' }, items, why: 'None of its tasks was built' })
  }
  if (build.status === 'running' && delivery?.state === 'withdrawn')
    return ended(world, build, { sign: { type: 'failed' }, items, why: 'Its delivery was withdrawn' })
  if (build.status === 'running') {
    const decided = decideContinue(continueFacts(build, tasks, { now, config: world.config() }))
    const choice = noBranch === null ? decided : ({ is: 'stopped', reason: noBranch } as const)
    if (choice.is === 'failed')
      return ended(world, build, { sign: { type: 'failed' }, items, why: choice.reason })
    if (choice.is === 'stopped') {
      const why = choice.reason
      await tell(world, build, `stopped:${now.getTime()}`, { type: 'build.stopped', why })
      return { ...build, ...clockAt(build, now, false), status: 'stopped', why }
    }
  }
  return { ...build, ...clockAt(build, now, build.status === 'running' && isMoving(items)) }
}

function continueFacts(
  build: Build,
  tasks: readonly TaskItem[],
  { now, config }: { now: Date; config: Config },
) {
  const failed = tasks.filter((item) => hasFailed(item, build))
  return {
    failed: failed.length,
    databaseFailed: failed.some(({ phase }) => phase === 'database'),
    workedMs: workedMs(build, now),
    stopSignal: false,
    failuresMax: config.builds.failures,
    timeMaxMs: config.builds.timeMs,
  }
}

interface Ending {
  readonly sign: BuildSign
  readonly items: readonly Item[]
  readonly why: string | null
}

async function ended(world: FollowWorld, build: Build, { sign, items, why }: Ending): Promise<Build> {
  const status = buildAfter(build.status, sign)
  if (status === null) return build
  const now = world.now()
  const tasks = items.filter(isTask)
  const count = (wanted: string) => tasks.filter((item) => statusOfTask(item, build) === wanted).length
  await tell(world, build, `completed:${status}:${now.getTime()}`, {
    type: 'build.completed',
    outcome: status === 'completed' ? 'completed' : 'failed',
    complete: count('complete'),
    skipped: tasks.length - count('complete'),
    why,
  })
  const spentUSD = await spentOn(world, items)
  return { ...build, ...clockAt(build, now, false), status, why, spentUSD, completedAt: now.toISOString() }
}

const RUNS_MAX = 50

async function spentOn({ store }: FollowWorld, items: readonly Item[]): Promise<number> {
  let sum = 0
  for (const item of items)
    for (const { usage } of await store.runs.ofItem(item, RUNS_MAX))
      sum += usage.reduce((all, { usd }) => all + (usd ?? 0), 0)
  return sum
}
