// The checks of a review, in a clean checkout of what was delivered. No model takes part in them.
import type { Config } from '@treadle/contracts/config'
import { type GateResult, gatesGreen, isBlocking } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import type { Run } from '@treadle/contracts/run'
import { checksTasksInFull, type ValidationLevel } from '@treadle/contracts/validation-level'
import { Fault, messageOf } from '../fault.ts'
import type { Gates, OtherTask } from '../ports/gates.ts'
import type { MergeGit, WorktreeGit } from '../ports/git.ts'
import type { CheckoutUse, ReviewChecks } from '../ports/review-checks.ts'
import { holdAgainst } from '../verify/verify.run.ts'
import { isTask } from '../work/build-items.ts'
import { onTargetOf } from '../work/item-target.ts'
import { checkRevert } from '../work/revert-check.run.ts'
import { judgesOf, runTestGates } from '../work/test-gates.run.ts'
import { repeatedIn } from './repeated.run.ts'

export interface ExamineWorld {
  readonly git: Pick<MergeGit, 'commitOf' | 'treeOf' | 'mergeBase' | 'inverseOf' | 'withCheckout'>
  /** Reads what a change is, without a checkout. */
  readonly source: Pick<WorktreeGit, 'diff' | 'fileAt'>
  readonly gates: Gates
  /** What a review looks at besides; null: nothing. */
  readonly checks: ReviewChecks | null
  readonly target: string
  readonly testCommand: string | null
  readonly config: () => Config
  /** How thoroughly a change is validated; null: nobody has said. */
  readonly levelOf: (item: Item) => Promise<ValidationLevel | null>
  /** Why a package may not be brought newly by a task of a build, null if it may; null in its place: nobody can say. */
  readonly packageJudge: () => Promise<((name: string) => Promise<string | null>) | null>
  /** Where a throw-away checkout may be put. */
  readonly scratch: (name: string) => string
  readonly now: () => Date
  readonly signal: AbortSignal
  /** What the whole suite found on a base, by commit and command: items that begin together share it. */
  readonly suites: Map<string, GateResult>
}

export type Examined =
  | {
      readonly is: 'examined'
      readonly checks: readonly GateResult[]
      readonly tree: string
      /** The cycle of the delivery that was sent back and is the same change; null if there is none. */
      readonly repeats: number | null
    }
  /** The delivered commit is not in this repository. */
  | { readonly is: 'missing' }

/** A delivered item, the run that delivered it, and the reviews that have sent the item back, newest first. */
export interface ExaminedItem {
  readonly item: Item
  readonly run: Run | null
  readonly refused: readonly Review[]
  /** Of a task of a build: its other tasks. */
  readonly others: readonly OtherTask[]
}

export async function runExamine(
  anywhere: ExamineWorld,
  { item, run, refused, others }: ExaminedItem,
): Promise<Examined> {
  const world = onTargetOf(anywhere, item)
  const { git } = world
  const head = item.headCommit === null ? null : await git.commitOf(item.headCommit)
  if (head === null) return { is: 'missing' }
  const base = await baseOf(world, head, run)
  const path = world.scratch(`review-${item.projectNumber}-${item.number}`)
  const checks = await git.withCheckout(head, path, async (cwd) => {
    await setUp(world, cwd)
    return lookAt(world, item, { run, base, head, cwd, path, others })
  })
  if (world.signal.aborted) throw new Fault('stopped', 'the daemon is stopping')
  const repeats = await repeatedIn({ patchOf: (commit) => patchOf(world, commit) }, head, refused)
  return { is: 'examined', checks, tree: await git.treeOf(head), repeats }
}

async function patchOf(world: ExamineWorld, commit: string): Promise<string | null> {
  const head = await world.git.commitOf(commit)
  const base = head === null ? null : await world.git.mergeBase(world.target, head)
  return head === null || base === null ? null : (await world.source.diff(base, head)).text
}

/**
 * Where the change began; null if nobody knows any more. What a merge would take is told by the two histories alone:
 * whoever made the change is believed only once the target holds it, and only where the change was built on it.
 */
export async function baseOf(
  { git, target }: { readonly git: Pick<MergeGit, 'commitOf' | 'mergeBase'>; readonly target: string },
  head: string,
  run: Pick<Run, 'base'> | null,
): Promise<string | null> {
  const met = await git.mergeBase(target, head)
  if (met !== head || run?.base == null) return met
  const told = await git.commitOf(run.base)
  return told !== null && (await git.mergeBase(told, head)) === told ? told : met
}

interface ExaminedDelivery {
  readonly run: Run | null
  readonly base: string | null
  readonly head: string
  readonly cwd: string
  readonly path: string
  readonly others: readonly OtherTask[]
}

async function lookAt(world: ExamineWorld, item: Item, place: ExaminedDelivery): Promise<GateResult[]> {
  const { run, base, head, cwd } = place
  const startedAt = world.now()
  const found = await runTestGates({ ...planFor(world, item, cwd), recordsLoads: areLoadsRecorded(world) })
  // What was red before the change is asked again, and not of whoever made it.
  const suiteRed = found.some((gate) => gate.gate === 'no_regression' && gate.is === 'failed')
  const baseline = run?.baseline ?? []
  const suite = suiteRed ? await suiteOfBase(world, place) : []
  const told = suiteRed ? baseline.filter(({ gate }) => gate !== 'no_regression') : baseline
  const tests = await settleAll(world, cwd, holdAgainst(found, [...told, ...suite], item))
  // A red suite refuses it already; nothing more is to be found out.
  if (tests.some(isBlocking) || base === null || world.signal.aborted) return tests
  const { files: changed } = await world.source.diff(base, head)
  const revert = await checkRevert(item, {
    base,
    changed,
    inverseOf: (merge, onto) => world.git.inverseOf(merge, onto),
    differsFrom: async (commit) => (await world.source.diff(commit, head)).files,
  })
  const level = await world.levelOf(item)
  const request = {
    cwd,
    base,
    changed,
    revert,
    readBase: (path: string) => world.source.fileAt(base, path),
    config: world.config().gates,
    level,
    timeoutMs: world.config().tests.timeoutMs,
    signal: world.signal,
  }
  const delivery = await world.gates.runDeliveryGates({
    ...request,
    mayChangeTests: item.mayChangeTests,
    judgedBy: judgesOf(item, world.testCommand),
    others: place.others,
    judgePackage: isTask(item) ? ((await world.packageJudge()) ?? undefined) : undefined,
    testsStartedAt: startedAt,
  })
  const earlier = [...tests, ...delivery]
  // Whether tests notice a change is asked of the whole build: its tests are tasks of their own.
  const isEnough = isTask(item) && !checksTasksInFull(level)
  if (world.checks === null || isEnough || !gatesGreen(earlier) || world.signal.aborted) return earlier
  const further = await world.checks.run({
    ...request,
    head,
    item,
    earlier,
    before: [...baseline, ...suite],
    command: world.testCommand ?? item.testCommand,
    withBase: (use) => withBase(world, place, use),
    withHead: (use) => withFresh(world, { commit: head, path: `${place.path}-head` }, use),
  })
  return [...earlier, ...further]
}

/** The builder had them green: what fails here and passes the next time is flaky, and refuses nothing. */
async function settleAll(
  world: ExamineWorld,
  cwd: string,
  found: readonly GateResult[],
): Promise<GateResult[]> {
  const settled: GateResult[] = []
  for (const gate of found) {
    if (gate.is !== 'failed' || world.signal.aborted) {
      settled.push(gate)
      continue
    }
    const { timeoutMs } = world.config().tests
    const { command } = gate.evidence
    const request = {
      cwd,
      command,
      timeoutMs,
      signal: world.signal,
      result: gate,
      before: () => 'passed' as const,
    }
    settled.push({ ...(await world.gates.settleFlaky(request)), gate: gate.gate })
  }
  return settled
}

function areLoadsRecorded({ checks, config }: ExamineWorld): boolean {
  return checks !== null && config().gates.loads === 'auto'
}

const SUITES_MAX = 50

async function suiteOfBase(world: ExamineWorld, place: ExaminedDelivery): Promise<GateResult[]> {
  const { suites, testCommand: command } = world
  const key = `${place.base} ${command}`
  const known = suites.get(key)
  if (known !== undefined) return [known]
  const { timeoutMs } = world.config().tests
  const recordsLoads = areLoadsRecorded(world)
  const used = await withBase(world, place, (cwd) =>
    world.gates.runTests({ cwd, command, timeoutMs, signal: world.signal, recordsLoads }),
  )
  if (used.is === 'failed' || world.signal.aborted) return []
  const found: GateResult = { ...used.value, gate: 'no_regression' }
  if (suites.size >= SUITES_MAX) suites.clear()
  suites.set(key, found)
  return [found]
}

async function withBase<T>(
  world: ExamineWorld,
  { base, path }: ExaminedDelivery,
  use: (cwd: string) => Promise<T>,
): Promise<CheckoutUse<T>> {
  if (base === null) return { is: 'failed', why: 'nobody knows where the change began' }
  return withFresh(world, { commit: base, path: `${path}-base` }, use)
}

async function withFresh<T>(
  world: ExamineWorld,
  { commit, path }: { commit: string; path: string },
  use: (cwd: string) => Promise<T>,
): Promise<CheckoutUse<T>> {
  return world.git.withCheckout(commit, path, async (cwd): Promise<CheckoutUse<T>> => {
    try {
      await setUp(world, cwd)
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== 'setup') throw error
      return { is: 'failed', why: messageOf(error) }
    }
    return { is: 'used', value: await use(cwd) }
  })
}

function planFor(world: ExamineWorld, item: Item, cwd: string) {
  return {
    gates: world.gates,
    cwd,
    item,
    suite: world.testCommand,
    timeoutMs: world.config().tests.timeoutMs,
    signal: world.signal,
  }
}

async function setUp(world: ExamineWorld, cwd: string): Promise<void> {
  const { setupCommand, timeoutMs } = world.config().tests
  if (setupCommand === null) return
  const ready = await world.gates.runSetup({ cwd, command: setupCommand, timeoutMs, signal: world.signal })
  if (ready.is === 'failed') throw new Fault('setup', `tests.setupCommand failed: ${ready.why}`)
}
