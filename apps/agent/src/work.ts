// One item from claim to delivery: each stage in turn, each result said aloud before the next begins.
import { randomUUID } from 'node:crypto'
import type { CountTokens } from '@treadle/context/fill'
import type { PackageToInstall } from '@treadle/contracts/build'
import type { Config } from '@treadle/contracts/config'
import type { AgentMove } from '@treadle/contracts/event'
import type { GateResult } from '@treadle/contracts/gate'
import { type AgentId, branchName } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { isGoal } from '@treadle/contracts/paor'
import type { StepProgress } from '@treadle/contracts/readiness'
import { phaseRecord, type Run } from '@treadle/contracts/run'
import type { ValidationLevel } from '@treadle/contracts/validation-level'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { watchTests } from '@treadle/environment/readiness/watch-tests'
import { runBuild } from '@treadle/flow/build/build.run'
import { runBuildChange } from '@treadle/flow/build/builds/change-of-build.run'
import { runInstall } from '@treadle/flow/build/builds/install.run'
import { conversationOf, type EarlierRun } from '@treadle/flow/build/conversation'
import { runMissingContext } from '@treadle/flow/build/missing-context.run'
import { runRevert } from '@treadle/flow/build/revert.run'
import { runTakeOver, runTakeUp } from '@treadle/flow/build/take-over.run'
import { Fault, messageOf } from '@treadle/flow/fault'
import { isHeld } from '@treadle/flow/flow'
import type { BudgetClient } from '@treadle/flow/ports/budget'
import type { Clock } from '@treadle/flow/ports/clock'
import type { Engine } from '@treadle/flow/ports/engine'
import type { Gates } from '@treadle/flow/ports/gates'
import type { WorktreeGit } from '@treadle/flow/ports/git'
import type { GuidanceChannel } from '@treadle/flow/ports/guidance'
import type { LessonBook } from '@treadle/flow/ports/memory'
import { ownGates } from '@treadle/flow/verify/failure/evidence'
import { runVerify } from '@treadle/flow/verify/verify.run'
import { changesOf } from '@treadle/flow/work/changes.run'
import { checkpointMessage } from '@treadle/flow/work/commit-message'
import { runRedeliver } from '@treadle/flow/work/push.run'
import type { Requested, Rework } from '@treadle/flow/work/rework'
import { findRequested, findRework } from '@treadle/flow/work/rework.run'
import { runTestGates } from '@treadle/flow/work/test-gates.run'
import { checkpointRef, type WorkJob, type WorkWorld } from '@treadle/flow/work/work-world'
import { NotReady, needReady, setUp, tellStep } from './get-ready.ts'
import { keepWork, takeUpWork } from './given-back.ts'
import { readText } from './read-text.ts'
import { type Journal, RunReporter } from './run-reporter.ts'
import { secretsRemover } from './without-secrets.ts'
import { worktreeOf } from './worktrees.ts'

type Delivery = NonNullable<Extract<AgentMove, { type: 'build.started' }>['delivery']>

export interface AgentTools {
  readonly id: AgentId
  readonly paths: WorkspacePaths
  readonly config: Config
  readonly target: string
  readonly testCommand: string | null
  /** Whether the whole suite is known to turn red when a source file is broken. */
  readonly testsSeeChanges: boolean
  readonly git: WorktreeGit
  readonly gates: Gates
  readonly engine: Engine
  readonly first: Engine | null
  readonly clock: Clock
  readonly journal: Journal
  readonly lessons: LessonBook
  readonly budget: (held: Held) => BudgetClient
  /** Whom this run can listen to and ask; null: nobody. */
  readonly guidanceChannel: GuidanceChannel | null
  readonly engineHome?: string
  /** What reviews of an item have asked for and that is still open; left out: nobody can be asked. */
  readonly requested?: (item: Item) => Promise<Requested>
  /** The branch of the build that a delivery brings; left out: nobody can be asked. */
  readonly buildBranch?: (item: Item) => Promise<string | null>
  /** How thoroughly the build of an item is validated; left out: nobody can be asked. */
  readonly buildLevel?: (item: Item) => Promise<ValidationLevel | null>
  /** What is installed for a task of a build before it is tried again; left out: nobody can be asked. */
  readonly packagesToInstall?: (item: Item) => Promise<readonly PackageToInstall[]>
  /** The run of the item before this one; left out: nobody can be asked. */
  readonly earlierRun?: (held: Held) => Promise<EarlierRun | null>
  readonly counter: () => Promise<CountTokens>
  readonly env: Readonly<Record<string, string>>
  readonly log: (message: string) => void
  /** Shows which stage is under way. */
  readonly onPhase: (item: Item, branch: string) => void
  /** Shows what is done before an engine is asked; left out: nobody looks. */
  readonly onStep?: (progress: StepProgress) => void
}

export interface Held {
  readonly item: Item
  readonly run: Run
  readonly fence: number
  readonly resumed: boolean
}

/** Where the work is done. */
export interface WorkingCopy {
  readonly worktree: string
  readonly branch: string
  /** Branch or commit that new work starts from. */
  readonly target: string
}

export type Worked =
  | { readonly is: 'ended'; readonly item: Item; readonly run: Run }
  | { readonly is: 'lost'; readonly why: string }

/** An agent's own place for an item. */
export function workingCopyOf(tools: AgentTools, item: Item): WorkingCopy {
  return {
    worktree: worktreeOf(tools.paths, tools.id, item),
    branch: branchName(tools.id, item),
    target: item.target ?? tools.target,
  }
}

export interface WorkOptions {
  readonly workingCopy: WorkingCopy
  readonly signal: AbortSignal
  /** Between two phases; a pause is waited out there. */
  readonly checkpoint?: () => Promise<void>
  /** While the delivered tree is still there; the item itself goes on meanwhile. */
  readonly afterDelivery?: (item: Item) => Promise<void>
  /** A reason to stop once it is known what fails before any change; null: go on. */
  readonly isEnough?: (baseline: readonly GateResult[]) => string | null
}

export async function workOn(tools: AgentTools, held: Held, options: WorkOptions): Promise<Worked> {
  const { signal, workingCopy } = options
  const { worktree } = workingCopy
  const reporter = new RunReporter(tools, held)
  const withoutSecrets = secretsRemover(tools.env)
  const world: WorkWorld = {
    git: tools.git,
    gates: tools.gates,
    engine: tools.engine,
    first: tools.first,
    clock: tools.clock,
    config: tools.config,
    testCommand: tools.testCommand,
    testsSeeChanges: tools.testsSeeChanges,
    env: tools.env,
    worktree,
    signal,
    ...(options.checkpoint === undefined ? {} : { checkpoint: options.checkpoint }),
    lessons: tools.lessons,
    budget: tools.budget(held),
    guidanceChannel: tools.guidanceChannel,
    ...whomToAsk(tools),
    ...(tools.engineHome === undefined
      ? {}
      : { engineHome: tools.engineHome, conversations: new Map(tools.guidanceChannel?.conversations()) }),
    counter: tools.counter,
    read: (path) => readText(worktree, path),
    say: (report) => reporter.say(report),
    note: (report) => reporter.note(withoutSecrets(report)),
  }
  try {
    let job = await begin(tools, world, held, { reporter, workingCopy })
    const enough = options.isEnough?.(job.run.baseline) ?? null
    if (enough !== null) await reporter.say({ type: 'claim.released', why: enough })
    while (isHeld(reporter.item.state)) {
      await options.checkpoint?.()
      if (signal.aborted) throw new Fault('stopped', 'this agent was told to stop')
      tools.onPhase(reporter.item, job.branch)
      const move = await stage(tools, world, job, reporter.run.gates)
      await keepGivenBack(world, job, move)
      await reporter.say(move)
      job = { ...job, item: reporter.item, run: reporter.run, isContinued: false }
    }
  } catch (error) {
    if (signal.aborted) return { is: 'lost', why: messageOf(signal.reason) }
    await escalate(tools, reporter, error)
  }
  const given = reporter.run.history.at(-1)?.phase === 'escalation'
  if (reporter.item.state === 'escalated' && !given) await giveUp(world, reporter)
  if (isDelivered(reporter.item)) await options.afterDelivery?.(reporter.item)
  await tools.git.removeWorktree(worktree, checkpointRef(held.run.id, 'last'))
  return { is: 'ended', item: reporter.item, run: reporter.run }
}

/** What the daemon is asked of an item, where there is one. */
function whomToAsk({ requested, buildBranch, buildLevel, packagesToInstall }: AgentTools) {
  return {
    ...(requested === undefined ? {} : { requested }),
    ...(buildBranch === undefined ? {} : { buildBranch }),
    ...(buildLevel === undefined ? {} : { buildLevel }),
    ...(packagesToInstall === undefined ? {} : { packagesToInstall }),
  }
}

export function isDelivered({ status }: Pick<Item, 'status'>): boolean {
  return status === 'in_review' || status === 'done'
}

async function escalate(tools: AgentTools, reporter: RunReporter, error: unknown): Promise<void> {
  // Somebody kills what we start: that is no finding about the item. Whoever comes after us resumes it.
  if (error instanceof Fault && error.kind === 'git_killed') throw error
  // What is missing is no mistake of ours, and needs no stack.
  const isStackNeeded = error instanceof Error && !(error instanceof NotReady)
  tools.log(isStackNeeded ? (error.stack ?? error.message) : messageOf(error))
  // What every item would meet is no finding about this one: it goes back unharmed.
  if (error instanceof NotReady && !error.isItsOwn)
    return reporter.say({ type: 'claim.released', why: error.message, trouble: error.trouble })
  await reporter.say({ type: 'item.escalated', why: messageOf(error).slice(0, 4_000) })
}

/** The files go back to where the work began; what the attempts did stays in history and under its reference. */
async function giveUp(world: WorkWorld, reporter: RunReporter): Promise<void> {
  const { id } = reporter.run
  const startedAt = world.clock.now()
  const start = await world.git.commitOf(checkpointRef(id, '0-start'))
  const kept = checkpointRef(id, 'given-up')
  const last = lastCheckpoint(reporter.run)
  if (start !== null) await world.git.restore(world.worktree, start, kept)
  const changes =
    start === null || last === null
      ? { changes: [], diff: '', diffOutput: null }
      : await changesOf(world, start, last)
  await reporter.say({
    type: 'run.phase',
    record: phaseRecord({
      phase: 'escalation',
      iteration: reporter.run.iteration,
      startedAt: startedAt.toISOString(),
      durationMs: world.clock.now().getTime() - startedAt.getTime(),
      outcome: 'escalated',
      summary: reporter.item.reason ?? '',
      checkpoint: start,
      ...changes,
    }),
  })
}

async function stage(
  tools: AgentTools,
  world: WorkWorld,
  job: WorkJob,
  gates: readonly GateResult[],
): Promise<AgentMove> {
  switch (job.item.state) {
    case 'building':
      return (await runRedeliver(world, job)) ?? begun(tools, world, job)
    case 'improving':
      return runBuild(world, job, gates)
    case 'verifying':
      return runVerify(world, job)
    default:
      throw new Fault('state', `an agent has nothing to do with an item that is ${job.item.state}`)
  }
}

/** Its engine is in trouble: whoever claims it next goes on with what is there. */
async function keepGivenBack({ git, worktree }: WorkWorld, job: WorkJob, move: AgentMove): Promise<void> {
  // Its key or account was refused: nothing of that is the item's either.
  if (move.type !== 'claim.released') return
  await keepWork(git, { item: job.item, base: job.base, worktree })
}

/** The first attempt: what can be computed is not asked of an engine. */
async function begun(tools: AgentTools, world: WorkWorld, job: WorkJob): Promise<AgentMove> {
  const built = await runBuildChange(world, job)
  if (built.is === 'moved') return built.move
  const left = await runMissingContext(world, job)
  if (left !== null) return left
  const missing = await runInstall(world, job)
  if (missing !== null) return missing
  const reverted = await runRevert(world, job)
  if (reverted.is === 'moved') return reverted.move
  return runBuild(world, reverted.job, await failingNow(tools, world, job))
}

/** What fails in the files that the work begins with: those of the target, or those of the delivery on it. */
async function failingNow(tools: AgentTools, world: WorkWorld, job: WorkJob): Promise<readonly GateResult[]> {
  const { rework, item, run } = job
  if (rework?.commit == null) return ownGates(run.baseline)
  // What was delivered on the same commit was green there.
  const isKnown = !rework.isMoved && item.sentBackBy === 'review'
  return isKnown ? [] : ownGates(await runItemTests(tools, world, item))
}

/** Takes up the worktree: from the start on a new claim, from the last finished phase after a restart. */
async function begin(
  tools: AgentTools,
  world: WorkWorld,
  held: Held,
  { reporter, workingCopy }: { reporter: RunReporter; workingCopy: WorkingCopy },
): Promise<WorkJob> {
  const { item, run } = held
  const { branch } = workingCopy
  const keepRef = checkpointRef(run.id, `found-${randomUUID().slice(0, 8)}`)
  if (held.resumed && run.base !== null && item.state !== 'claimed') {
    await tools.git.ensureWorktree({ path: world.worktree, branch, base: run.base, fresh: false, keepRef })
    const rework = await findRework(world, item, run.base)
    const takenUp = await tools.git.commitOf(checkpointRef(run.id, TAKEN_UP))
    const started = takenUp ?? rework?.commit ?? (await tools.git.commitOf(checkpointRef(run.id, '0-start')))
    const from = lastCheckpoint(run) ?? started ?? run.base
    // A conversation that goes on, and the next plan of a goal, start from the files as they were left.
    const isContinued = item.state !== 'verifying' && conversationOf(world, world.engine) !== null
    if (!isContinued && (!isGoal(item) || item.state === 'verifying'))
      await tools.git.restore(world.worktree, from, keepRef)
    const how = isContinued ? '; its conversation goes on' : ''
    await reporter.say({ type: 'run.resumed', from: item.state, why: `the agent was restarted${how}` })
    const asked = await findRequested(world, item)
    return { item, run, branch, base: run.base, rework, asked, isContinued }
  }
  const { commit: base, note: from } = await tools.git.latest(workingCopy.target, tools.config.limits.fetchMs)
  await tools.git.ensureWorktree({ path: world.worktree, branch, base, fresh: true, keepRef })
  const rework = await findRework(world, item, base)
  await reporter.say({ type: 'build.started', branch, base, from, ...deliveryOf(item, rework) })
  tools.onPhase(reporter.item, branch)
  await setUp(tools, world)
  await tools.git.checkpoint(
    world.worktree,
    checkpointRef(run.id, '0-start'),
    checkpointMessage('start', run.id),
  )
  const onOutput = watchTests(world.worktree, tellStep(tools, world))
  const baseline = await runItemTests(tools, world, item, onOutput)
  tools.onPhase(reporter.item, branch)
  await reporter.say({ type: 'run.baseline', base, gates: baseline })
  needReady(tools, { item, worktree: world.worktree, baseline })
  // What fails is known of the target by itself; what was delivered is put on it only now.
  if (rework?.commit != null)
    await tools.git.restore(world.worktree, rework.commit, checkpointRef(run.id, 'before-rework'))
  // What was begun and given back stands on the same commit, and on the delivery where there was one.
  const earlier = onlyOnce(async () => (await tools.earlierRun?.(held)) ?? null)
  const isTakenUp = await takeUpWork(
    tools.git,
    { item, base, worktree: world.worktree },
    {
      keepRef: checkpointRef(run.id, 'before-taken-up'),
      takenUpRef: checkpointRef(run.id, TAKEN_UP),
      isGivenBack: async () => (await earlier())?.givenBackBy != null,
    },
  )
  const begun = { item, agentId: tools.id, base, rework, isTakenUp }
  await runTakeUp(world, begun, earlier)
  const talk = await runTakeOver(world, begun, earlier)
  const asked = await findRequested(world, item)
  return { item: reporter.item, run: reporter.run, branch, base, asked, ...talk }
}

/** Name of the checkpoint of work that was given back and is gone on with. */
const TAKEN_UP = 'taken-up'

function onlyOnce<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | null = null
  return () => {
    found ??= find()
    return found
  }
}

async function runItemTests(
  tools: AgentTools,
  world: WorkWorld,
  item: Item,
  onOutput?: (text: string) => void,
): Promise<GateResult[]> {
  const run = () =>
    runTestGates({
      gates: tools.gates,
      cwd: world.worktree,
      item,
      suite: tools.testCommand,
      timeoutMs: tools.config.tests.timeoutMs,
      signal: world.signal,
      onOutput,
    })
  const results = await tools.git.watch(world.worktree, 'gate', run)
  if (world.signal.aborted) throw new Fault('stopped', 'this agent was told to stop')
  return results
}

/** What the work has to do with an earlier delivery; nothing where there was none, or where it has been merged. */
function deliveryOf(item: Item, rework: Rework | null): { delivery?: Delivery } {
  const { headCommit: head, startsAnew } = item
  if (rework !== null) return { delivery: { head: rework.head, how: rework.how } }
  return head !== null && startsAnew ? { delivery: { head, how: 'anew' } } : {}
}

function lastCheckpoint(run: Run): string | null {
  const made = run.history.filter((record) => record.phase !== 'test' && record.checkpoint !== null)
  return made.at(-1)?.checkpoint ?? null
}
