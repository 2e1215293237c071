// The gates on the agent's worktree, and the delivery commit if all of them hold.
import type { AgentMove } from '@treadle/contracts/event'
import { type GateResult, isBlocking } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import { type KeptChange, type PhaseRecord, phaseRecord } from '@treadle/contracts/run'
import { checkpointMessage, deliveryMessage } from '../work/commit-message.ts'
import { runPush } from '../work/push.run.ts'
import { checkRevert } from '../work/revert-check.run.ts'
import { judgesOf, runTestGates } from '../work/test-gates.run.ts'
import { triedFixes } from '../work/tried-fixes.ts'
import { checkpointRef, type WorkJob, type WorkWorld } from '../work/work-world.ts'
import { blindWords, hasWitness } from './canary.ts'
import {
  decideVerify,
  fixedSince,
  judgeRegression,
  judgeShrunk,
  refusedBeside,
  seenBefore,
  type VerifyChoice,
} from './decide.ts'
import { failuresIn, ownGates, testGates } from './failure/evidence.ts'
import { runGrouping } from './failure/grouping.run.ts'
import { groupNote } from './failure/note.ts'

/** The results in the light of what was found before the change. */
export function holdAgainst(
  gates: readonly GateResult[],
  baseline: readonly GateResult[],
  { mayChangeTests, reverts }: Pick<Item, 'mayChangeTests' | 'reverts'>,
): GateResult[] {
  return gates.map((found) => {
    const before = baseline.find((each) => each.gate === found.gate) ?? null
    // Tests that came with a merge go with it.
    const gate = mayChangeTests || reverts !== null ? found : judgeShrunk(found, before)
    return gate.gate === 'no_regression' ? judgeRegression(gate, before) : gate
  })
}

type Verified = Extract<AgentMove, { type: 'verify.passed' | 'verify.failed' }>

export async function runVerify(world: WorkWorld, job: WorkJob): Promise<Verified> {
  const { clock, git, worktree } = world
  const startedAt = clock.now()
  await git.clearArtefacts(worktree)
  const changed = await git.changedFiles(worktree, job.base)
  const early = job.item.attempts > 1 ? await affectedFirst(world, job, changed) : null
  // One watch for all that is run: nothing but tests writes meanwhile.
  const found =
    early === null ? await git.watch(worktree, 'gate', () => testsOf(world, job, changed)) : [early]
  // A part of the suite has fewer tests than the whole; that is no finding.
  const tests = early === null ? holdAgainst(found, job.run.baseline, job.item) : found
  // What the tests already refuse is not looked at further: the next attempt changes it anyway. Where they are green
  // and only fewer than before, the gates say why.
  const gates =
    !tests.some(isBlocking) || !found.some(isBlocking)
      ? [...tests, ...(await furtherGates(world, job, { changed, startedAt }))]
      : tests
  const choice = await trusted(world, job, {
    gates,
    choice: decideVerify({ gates, changedFiles: changed.length, toolFault: toolFaultOf(job) }),
  })
  const groups = await runGrouping(world, gates)
  const record: PhaseRecord = {
    ...recordOf(world, job, { phase: 'test', startedAt }),
    outcome: choice.is === 'deliver' ? 'passed' : 'failed',
    summary: choice.is === 'deliver' ? `${changed.length} file(s) changed` : choice.why,
    groups: groups.slice(0, 100).map(groupNote),
    kept: choice.is === 'fail' && changed.length > 0 ? await keepRefused(world, job, gates) : null,
  }
  if (choice.is === 'fail') return { type: 'verify.failed', gates, why: choice.why, records: [record] }
  return deliver(world, job, { gates, changed, record })
}

/** Of the attempt that is looked at. */
function toolFaultOf({ run }: WorkJob): string | undefined {
  return run.history.findLast(({ phase }) => phase !== 'test')?.toolFault
}

/** What passes the item's tests outlives the refusal, and the attempts after it. */
async function keepRefused(
  { git, worktree }: WorkWorld,
  { item, run }: WorkJob,
  gates: readonly GateResult[],
): Promise<KeptChange | null> {
  const refusedBy = refusedBeside(gates)
  if (refusedBy.length === 0) return null
  await git.clearArtefacts(worktree)
  const ref = checkpointRef(run.id, `${item.attempts}-kept`)
  return { ref, commit: await git.checkpoint(worktree, ref, checkpointMessage('verify', run.id)), refusedBy }
}

/** Where nothing shows yet that the tests see the change, a source file is broken and they must notice. */
async function trusted(
  world: WorkWorld,
  { item, run }: WorkJob,
  { gates, choice }: { gates: readonly GateResult[]; choice: VerifyChoice },
): Promise<VerifyChoice> {
  const { config, worktree: cwd, signal } = world
  const command = item.testCommand ?? world.testCommand
  const isKnown = world.testsSeeChanges || config.tests.canary === 'off'
  if (choice.is === 'fail' || command === null || isKnown) return choice
  if (hasWitness(run.baseline, gates)) return choice
  const found = await world.gates.canary({ cwd, command, timeoutMs: config.tests.timeoutMs, signal })
  return found.is === 'blind' ? { is: 'fail', why: blindWords(found) } : choice
}

function recordOf(
  world: WorkWorld,
  job: WorkJob,
  { phase, startedAt }: { phase: PhaseRecord['phase']; startedAt: Date },
): PhaseRecord {
  return phaseRecord({
    phase,
    iteration: Math.max(0, job.item.attempts - 1),
    startedAt: startedAt.toISOString(),
    durationMs: world.clock.now().getTime() - startedAt.getTime(),
    outcome: 'passed',
  })
}

async function testsOf(world: WorkWorld, job: WorkJob, changed: readonly string[]): Promise<GateResult[]> {
  const found = await runTestGates({
    gates: world.gates,
    cwd: world.worktree,
    item: job.item,
    suite: world.testCommand,
    timeoutMs: world.config.tests.timeoutMs,
    signal: world.signal,
  })
  const settled: GateResult[] = []
  for (const gate of found) settled.push(await settle(world, job, { gate, changed }))
  const confirmed: GateResult[] = []
  for (const gate of settled) confirmed.push(await confirm(world, job, gate))
  return confirmed
}

/**
 * After an improvement the tests that failed come first, then those it can concern: what is red already, or null if
 * the whole suite has to say.
 */
async function affectedFirst(
  world: WorkWorld,
  job: WorkJob,
  changed: readonly string[],
): Promise<GateResult | null> {
  const command = job.item.testCommand ?? world.testCommand
  if (command === null) return null
  const failed = failuresIn(testGates(job.run.gates)).flatMap(({ file }) => file ?? [])
  const results = await world.gates.runAffected({
    cwd: world.worktree,
    command,
    changedFiles: changed,
    failed: [...new Set(failed)],
    budgetMs: world.config.tests.timeoutMs,
    signal: world.signal,
  })
  return results.find((gate) => gate.is === 'failed') ?? null
}

/** A test that fails only at times is reported, and is never counted as mended. */
async function settle(
  world: WorkWorld,
  job: WorkJob,
  { gate, changed }: { gate: GateResult; changed: readonly string[] },
): Promise<GateResult> {
  if (gate.is !== 'failed') return gate
  const baseline = job.run.baseline.find((before) => before.gate === gate.gate) ?? null
  const settled = await world.gates.settleFlaky({
    cwd: world.worktree,
    command: gate.evidence.command,
    timeoutMs: world.config.tests.timeoutMs,
    signal: world.signal,
    result: gate,
    before: (failure) => seenBefore(failure, baseline, changed),
  })
  return { ...settled, gate: gate.gate }
}

/** What failed before and passes now is believed only if it passes again. */
async function confirm(world: WorkWorld, job: WorkJob, gate: GateResult): Promise<GateResult> {
  const baseline = job.run.baseline.find((before) => before.gate === gate.gate) ?? null
  const fixed = fixedSince(gate, baseline)
  if (fixed.length === 0 || !('evidence' in gate)) return gate
  const confirmed = await world.gates.confirmFixed({
    cwd: world.worktree,
    command: gate.evidence.command,
    timeoutMs: world.config.tests.timeoutMs,
    signal: world.signal,
    result: gate,
    fixed,
  })
  return { ...confirmed, gate: gate.gate }
}

async function furtherGates(
  world: WorkWorld,
  job: WorkJob,
  { changed, startedAt }: { changed: readonly string[]; startedAt: Date },
): Promise<GateResult[]> {
  return world.gates.runDeliveryGates({
    cwd: world.worktree,
    base: job.base,
    changed,
    testsStartedAt: startedAt,
    readBase: (path) => world.git.fileAt(job.base, path),
    config: world.config.gates,
    level: (await world.buildLevel?.(job.item)) ?? world.config.validation.level,
    mayChangeTests: job.item.mayChangeTests,
    revert: await revertOf(world, job, changed),
    judgedBy: judgesOf(job.item, world.testCommand),
    timeoutMs: world.config.tests.timeoutMs,
    signal: world.signal,
  })
}

function revertOf({ git, worktree }: WorkWorld, { item, base, run }: WorkJob, changed: readonly string[]) {
  return checkRevert(item, {
    base,
    changed,
    inverseOf: (merge, onto) => git.inverseOf(merge, onto),
    differsFrom: async (commit) => {
      const ref = checkpointRef(run.id, `${item.attempts}-verify`)
      const stand = await git.checkpoint(worktree, ref, checkpointMessage('verify', run.id))
      return (await git.diff(commit, stand)).files
    },
  })
}

async function deliver(
  world: WorkWorld,
  job: WorkJob,
  { gates, changed, record }: { gates: GateResult[]; changed: string[]; record: PhaseRecord },
): Promise<Verified> {
  const startedAt = world.clock.now()
  const message = deliveryMessage(job.item, {
    changed,
    fixes: triedFixes([...job.run.history, record]),
    mended: failuresIn(ownGates(job.run.baseline)).map(({ id }) => id),
    applied: job.run.history.flatMap((record) => record.applied),
    iterations: Math.max(0, job.item.attempts - 1),
    runId: job.run.id,
    gates,
  })
  const made = await world.git.commit(world.worktree, message)
  // Nothing left to commit: a predecessor was killed after its commit, or the engine committed by itself.
  const head = made.is === 'committed' ? made.commit : await world.git.commitOf(job.branch)
  if (head === null)
    return { type: 'verify.failed', gates, why: `branch ${job.branch} is gone`, records: [record] }
  const push = await pushForReview(world, job.branch)
  const committed: PhaseRecord = {
    ...recordOf(world, job, { phase: 'commit', startedAt }),
    outcome: 'committed',
    summary: message.split('\n', 1)[0] ?? '',
    checkpoint: head,
    changes: changed.slice(0, 200),
  }
  return { type: 'verify.passed', branch: job.branch, head, gates, ...push, records: [record, committed] }
}

/** Where nothing is merged, the daemon pushes, after it has held the branch against the target. */
async function pushForReview(
  world: WorkWorld,
  branch: string,
): Promise<{ pushed: boolean; pushNote: string | null }> {
  if (world.config.merge.approval === 'never') return { pushed: false, pushNote: null }
  const { git, clock, signal } = world
  const sleep = clock.sleep.bind(clock)
  const retries = world.config.limits.pushRetries
  const { pushed, note } = await runPush({ git, sleep, retries, signal }, branch)
  return { pushed, pushNote: note }
}
