// One item from claim to delivery: each stage in turn, each result said aloud before the next begins.
import { randomUUID } from 'node:crypto'
import type { CountTokens } from '@treadle/context/fill'
import type { Config } from '@treadle/contracts/config'
import type { AgentMove, RunNote, RunReport } from '@treadle/contracts/event'
import type { GateResult } from '@treadle/contracts/gate'
import { type AgentId, branchName } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { isGoal } from '@treadle/contracts/paor'
import { phaseRecord, type Run } from '@treadle/contracts/run'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { runBuild } from '@treadle/flow/build/build.run'
import { Fault, messageOf } from '@treadle/flow/fault'
import { isHeld } from '@treadle/flow/flow'
import type { Purse } from '@treadle/flow/ports/budget'
import type { Clock } from '@treadle/flow/ports/clock'
import type { Engine } from '@treadle/flow/ports/engine'
import type { Gates } from '@treadle/flow/ports/gates'
import type { WorktreeGit } from '@treadle/flow/ports/git'
import type { Counsel } from '@treadle/flow/ports/guidance'
import type { LessonBook } from '@treadle/flow/ports/memory'
import type { RunPatch } from '@treadle/flow/ports/runs'
import { step } from '@treadle/flow/step'
import { ownGates } from '@treadle/flow/verify/failure/evidence'
import { runVerify } from '@treadle/flow/verify/verify.run'
import { changesOf } from '@treadle/flow/work/changes.run'
import { checkpointMessage } from '@treadle/flow/work/commit-message'
import { runRedeliver } from '@treadle/flow/work/push.run'
import { runAfterMove, runAfterNote } from '@treadle/flow/work/run-fold'
import { runTestGates } from '@treadle/flow/work/test-gates.run'
import { checkpointRef, type WorkJob, type WorkWorld } from '@treadle/flow/work/work-world'
import { readText } from './read-text.ts'
import { worktreeOf } from './worktrees.ts'

export interface Bench {
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
  readonly purse: (held: Held) => Purse
  /** Whom this run can listen to and ask; null: nobody. */
  readonly counsel: Counsel | null
  readonly engineHome?: string
  readonly counter: () => Promise<CountTokens>
  readonly env: Readonly<Record<string, string>>
  readonly log: (message: string) => void
  /** Shows which stage is under way. */
  readonly onPhase: (item: Item, branch: string) => void
}

/** Where reports go. Resolves once a report is safe on disk; keeps the order. */
export interface Journal {
  append(
    report: RunReport,
    of: { readonly run: Run; readonly fence: number; readonly item: Item },
  ): Promise<void>
}

export interface Held {
  readonly item: Item
  readonly run: Run
  readonly fence: number
  readonly resumed: boolean
}

/** Where the work is done. */
export interface Place {
  readonly worktree: string
  readonly branch: string
  /** Branch or commit that new work starts from. */
  readonly target: string
}

export type Worked =
  | { readonly is: 'ended'; readonly item: Item; readonly run: Run }
  | { readonly is: 'lost'; readonly why: string }

/** An agent's own place for an item. */
export function placeOf(bench: Bench, item: Item): Place {
  return {
    worktree: worktreeOf(bench.paths, bench.id, item),
    branch: branchName(bench.id, item),
    target: bench.target,
  }
}

export interface WorkOptions {
  readonly place: Place
  readonly signal: AbortSignal
  /** Between two phases; a pause is waited out there. */
  readonly checkpoint?: () => Promise<void>
  /** While the delivered tree is still there; the item itself goes on meanwhile. */
  readonly afterDelivery?: (item: Item) => Promise<void>
  /** A reason to stop once it is known what fails before any change; null: go on. */
  readonly isEnough?: (baseline: readonly GateResult[]) => string | null
}

export async function workOn(bench: Bench, held: Held, options: WorkOptions): Promise<Worked> {
  const { signal, place } = options
  const { worktree } = place
  const teller = new Teller(bench, held)
  const world: WorkWorld = {
    git: bench.git,
    gates: bench.gates,
    engine: bench.engine,
    first: bench.first,
    clock: bench.clock,
    config: bench.config,
    testCommand: bench.testCommand,
    testsSeeChanges: bench.testsSeeChanges,
    env: bench.env,
    worktree,
    signal,
    lessons: bench.lessons,
    purse: bench.purse(held),
    counsel: bench.counsel,
    ...(bench.engineHome === undefined ? {} : { engineHome: bench.engineHome }),
    counter: bench.counter,
    read: (path) => readText(worktree, path),
    say: (report) => teller.say(report),
    note: (report) => teller.note(report),
  }
  try {
    let job = await begin(bench, world, held, { teller, place })
    const enough = options.isEnough?.(job.run.baseline) ?? null
    if (enough !== null) await teller.say({ type: 'claim.released', why: enough })
    while (isHeld(teller.item.state)) {
      await options.checkpoint?.()
      if (signal.aborted) throw new Fault('stopped', 'this agent was told to stop')
      bench.onPhase(teller.item, job.branch)
      const move = await stage(world, job, teller.run.gates)
      await teller.say(move)
      job = { ...job, item: teller.item, run: teller.run }
    }
  } catch (error) {
    if (signal.aborted) return { is: 'lost', why: messageOf(signal.reason) }
    await escalate(bench, teller, error)
  }
  const given = teller.run.history.at(-1)?.phase === 'escalation'
  if (teller.item.state === 'escalated' && !given) await giveUp(world, teller)
  if (isDelivered(teller.item)) await options.afterDelivery?.(teller.item)
  await bench.git.removeWorktree(worktree, checkpointRef(held.run.id, 'last'))
  return { is: 'ended', item: teller.item, run: teller.run }
}

export function isDelivered({ status }: Pick<Item, 'status'>): boolean {
  return status === 'in_review' || status === 'done'
}

async function escalate(bench: Bench, teller: Teller, error: unknown): Promise<void> {
  // Somebody kills what we start: that is no finding about the item. Whoever comes after us resumes it.
  if (error instanceof Fault && error.kind === 'git_killed') throw error
  bench.log(error instanceof Error ? (error.stack ?? error.message) : String(error))
  await teller.say({ type: 'item.escalated', why: messageOf(error).slice(0, 4_000) })
}

/** The files go back to where the work began; what the attempts did stays in history and under its reference. */
async function giveUp(world: WorkWorld, teller: Teller): Promise<void> {
  const { id } = teller.run
  const startedAt = world.clock.now()
  const start = await world.git.commitOf(checkpointRef(id, '0-start'))
  const kept = checkpointRef(id, 'given-up')
  const last = lastCheckpoint(teller.run)
  if (start !== null) await world.git.restore(world.worktree, start, kept)
  const changes =
    start === null || last === null
      ? { changes: [], diff: '', diffOutput: null }
      : await changesOf(world, start, last)
  await teller.say({
    type: 'run.phase',
    record: phaseRecord({
      phase: 'escalation',
      iteration: teller.run.iteration,
      startedAt: startedAt.toISOString(),
      durationMs: world.clock.now().getTime() - startedAt.getTime(),
      outcome: 'escalated',
      summary: teller.item.reason ?? '',
      checkpoint: start,
      ...changes,
    }),
  })
}

async function stage(world: WorkWorld, job: WorkJob, gates: readonly GateResult[]): Promise<AgentMove> {
  switch (job.item.state) {
    case 'building':
      return (await runRedeliver(world, job)) ?? runBuild(world, job, ownGates(job.run.baseline))
    case 'improving':
      return runBuild(world, job, gates)
    case 'verifying':
      return runVerify(world, job)
    default:
      throw new Fault('state', `an agent has nothing to do with an item that is ${job.item.state}`)
  }
}

/** Takes up the worktree: from the start on a new claim, from the last finished phase after a restart. */
async function begin(
  bench: Bench,
  world: WorkWorld,
  held: Held,
  { teller, place }: { teller: Teller; place: Place },
): Promise<WorkJob> {
  const { item, run } = held
  const { branch } = place
  const keepRef = checkpointRef(run.id, `found-${randomUUID().slice(0, 8)}`)
  if (held.resumed && run.base !== null && item.state !== 'claimed') {
    await bench.git.ensureWorktree({ path: world.worktree, branch, base: run.base, fresh: false, keepRef })
    const from =
      lastCheckpoint(run) ?? (await bench.git.commitOf(checkpointRef(run.id, '0-start'))) ?? run.base
    // What a goal has done so far is what its next plan starts from.
    if (!isGoal(item) || item.state === 'verifying') await bench.git.restore(world.worktree, from, keepRef)
    await teller.say({ type: 'run.resumed', from: item.state, why: 'the agent was restarted' })
    return { item, run, branch, base: run.base }
  }
  const { commit: base, note: from } = await bench.git.latest(place.target, bench.config.limits.fetchMs)
  await bench.git.ensureWorktree({ path: world.worktree, branch, base, fresh: true, keepRef })
  await teller.say({ type: 'build.started', branch, base, from })
  bench.onPhase(teller.item, branch)
  await setUp(bench, world)
  await bench.git.checkpoint(
    world.worktree,
    checkpointRef(run.id, '0-start'),
    checkpointMessage('start', run.id),
  )
  const baseline = await runTestGates({
    gates: bench.gates,
    cwd: world.worktree,
    item,
    suite: bench.testCommand,
    timeoutMs: bench.config.tests.timeoutMs,
    signal: world.signal,
  })
  if (world.signal.aborted) throw new Fault('stopped', 'this agent was told to stop')
  await teller.say({ type: 'run.baseline', base, gates: baseline })
  return { item: teller.item, run: teller.run, branch, base }
}

async function setUp(bench: Bench, world: WorkWorld): Promise<void> {
  const { setupCommand, timeoutMs } = bench.config.tests
  if (setupCommand === null) return
  const ready = await bench.gates.runSetup({
    cwd: world.worktree,
    command: setupCommand,
    timeoutMs,
    signal: world.signal,
  })
  if (ready.is === 'failed') throw new Fault('setup', `tests.setupCommand failed: ${ready.why}`)
}

function lastCheckpoint(run: Run): string | null {
  const made = run.history.filter((record) => record.phase !== 'test' && record.checkpoint !== null)
  return made.at(-1)?.checkpoint ?? null
}

/** Writes every report down in order and keeps the agent's own view of item and run, daemon or no daemon. */
class Teller {
  readonly bench: Bench
  readonly fence: number
  item: Item
  run: Run
  #line: Promise<void> = Promise.resolve()

  constructor(bench: Bench, held: Held) {
    this.bench = bench
    this.fence = held.fence
    this.item = held.item
    this.run = held.run
  }

  say(report: RunReport): Promise<void> {
    this.#follow(report)
    const of = { run: this.run, fence: this.fence, item: this.item }
    this.#line = this.#line.then(() => this.bench.journal.append(report, of))
    return this.#line
  }

  note(report: RunNote): void {
    this.say(report).catch((error: unknown) => this.bench.log(`journal: ${messageOf(error)}`))
  }

  #follow(report: RunReport): void {
    if (isNote(report)) {
      this.run = { ...this.run, ...stored(runAfterNote(this.run, report)) }
      return
    }
    const before = this.item
    const next = step(before, report, { config: this.bench.config, now: this.bench.clock.now() })
    if (next.is === 'refused') throw new Fault('state', next.why)
    this.item = next.item
    this.run = { ...this.run, ...stored(runAfterMove(this.run, { before, after: next.item }, report)) }
  }
}

/** A patch as far as it says something. */
function stored(patch: RunPatch | null): Partial<Run> {
  return Object.fromEntries(Object.entries(patch ?? {}).filter(([, value]) => value !== undefined))
}

function isNote(report: RunReport): report is RunNote {
  return report.type.startsWith('run.')
}
