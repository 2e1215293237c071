// The likely causes of what the gates found, with the help of the project's own sources and tests.
import type { FailureGroup } from '@treadle/contracts/failure'
import type { GateResult } from '@treadle/contracts/gate'
import type { Engine } from '../../ports/engine.ts'
import type { Gates, HintsRequest } from '../../ports/gates.ts'
import { failuresIn } from './evidence.ts'
import { groupFailures } from './group.ts'

export interface GroupingWorld {
  readonly gates: Pick<Gates, 'hints'>
  readonly worktree: string
  readonly config: { readonly tests: { readonly timeoutMs: number } }
  readonly engine: Pick<Engine, 'takes'>
  readonly signal: AbortSignal
}

/** The biggest first: mending it helps most. */
export async function runGrouping(
  world: GroupingWorld,
  evidence: readonly GateResult[],
): Promise<FailureGroup[]> {
  const failures = failuresIn(evidence)
  if (failures.length === 0) return []
  const request = { cwd: world.worktree, failures, ...runOf(world, evidence) }
  const groups = groupFailures(failures, await world.gates.hints(request))
  return groups.toSorted((a, b) => b.tests.length - a.tests.length)
}

/** The command that found most of the failures, if it was one of the project's tests. */
function runOf(
  { config, engine, signal }: GroupingWorld,
  evidence: readonly GateResult[],
): Pick<HintsRequest, 'run'> {
  // An engine that takes everything at once is not worth another run of the tests.
  if (engine.takes === 'all') return {}
  const [first] = evidence
    .flatMap((gate) =>
      gate.is === 'failed' && (gate.evidence.report?.failed ?? 0) > 0 && !gate.evidence.timedOut
        ? [gate]
        : [],
    )
    .sort((a, b) => b.failures.length - a.failures.length)
  if (first === undefined) return {}
  const { command, durationMs } = first.evidence
  return { run: { command, timeoutMs: config.tests.timeoutMs, tookMs: durationMs, signal } }
}
