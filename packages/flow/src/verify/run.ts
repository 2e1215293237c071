// The gates on the agent's worktree, and the delivery commit if all of them hold.
import type { AgentMove } from '@treadle/contracts/event'
import type { GateResult } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import { deliveryMessage } from '../merge/commit-message.ts'
import type { Gates } from '../ports.ts'
import type { WorkJob, WorkWorld } from '../work.ts'
import { decideVerify, judgeRegression } from './decide.ts'

export interface TestPlan {
  readonly gates: Gates
  readonly cwd: string
  readonly item: Pick<Item, 'testCommand'>
  /** The whole suite's command. */
  readonly suite: string | null
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Runs the item's own tests, and the whole suite where that is something else. */
export async function runTestGates(plan: TestPlan): Promise<GateResult[]> {
  const { cwd, timeoutMs, signal } = plan
  const own = await plan.gates.runTests({
    cwd,
    command: plan.item.testCommand ?? plan.suite,
    timeoutMs,
    signal,
  })
  if (plan.item.testCommand === null || plan.suite === null) return [own]
  const suite = await plan.gates.runTests({ cwd, command: plan.suite, timeoutMs, signal })
  return [own, { ...suite, gate: 'no_regression' }]
}

/** The suite's result in the light of what failed before. */
export function holdAgainst(gates: readonly GateResult[], baseline: readonly GateResult[]): GateResult[] {
  const before = baseline.find((gate) => gate.gate === 'no_regression') ?? null
  return gates.map((gate) => (gate.gate === 'no_regression' ? judgeRegression(gate, before) : gate))
}

type Verified = Extract<AgentMove, { type: 'verify.passed' | 'verify.failed' }>

export async function runVerify(world: WorkWorld, job: WorkJob): Promise<Verified> {
  const { clock, config, git, worktree } = world
  const startedAt = clock.now()
  const found = await runTestGates({
    gates: world.gates,
    cwd: worktree,
    item: job.item,
    suite: world.testCommand,
    timeoutMs: config.tests.timeoutMs,
    signal: world.signal,
  })
  const gates = holdAgainst(found, job.run.baseline)
  const changed = await git.changedFiles(worktree, job.base)
  const choice = decideVerify({ gates, changedFiles: changed.length })
  await world.say({
    type: 'run.phase',
    record: {
      phase: 'test',
      iteration: job.item.attempts,
      startedAt: startedAt.toISOString(),
      durationMs: clock.now().getTime() - startedAt.getTime(),
      outcome: choice.is === 'deliver' ? 'passed' : 'failed',
      summary: choice.is === 'deliver' ? `${changed.length} file(s) changed` : choice.why,
      checkpoint: null,
    },
  })
  if (choice.is === 'fail') return { type: 'verify.failed', gates, why: choice.why }
  return deliver(world, job, gates, changed)
}

async function deliver(
  world: WorkWorld,
  job: WorkJob,
  gates: GateResult[],
  changed: string[],
): Promise<Verified> {
  const summary = `Changes ${changed.slice(0, 10).join(', ')}${changed.length > 10 ? ` and ${changed.length - 10} more` : ''}.`
  const message = deliveryMessage(job.item, {
    summary,
    attempts: job.item.attempts,
    runId: job.run.id,
    gates,
  })
  const made = await world.git.commit(world.worktree, message)
  // Nothing left to commit: a predecessor was killed after its commit, or the engine committed by itself.
  const head = made.is === 'committed' ? made.commit : await world.git.commitOf(job.branch)
  if (head === null) return { type: 'verify.failed', gates, why: `branch ${job.branch} is gone` }
  const push = await pushWithRetries(world, job.branch)
  return { type: 'verify.passed', branch: job.branch, head, gates, ...push }
}

async function pushWithRetries(
  world: WorkWorld,
  branch: string,
): Promise<{ pushed: boolean; pushNote: string | null }> {
  for (let tries = 0; ; tries += 1) {
    const pushed = await world.git.push(branch)
    if (pushed.is === 'pushed') return { pushed: true, pushNote: null }
    if (pushed.is === 'no_remote') return { pushed: false, pushNote: null }
    if (tries >= world.config.limits.pushRetries)
      return { pushed: false, pushNote: `push failed: ${pushed.why}`.slice(0, 1_000) }
    await world.clock.sleep(1_000 * 2 ** tries, world.signal)
  }
}
