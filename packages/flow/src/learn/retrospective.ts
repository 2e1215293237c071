// One retrospective from all that is known of a run: pure.
import type { GateResult, TestReport } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import type { Plan } from '@treadle/contracts/paor'
import type {
  Divergence,
  LearnedNote,
  Retrospective,
  RetrospectiveTrigger,
} from '@treadle/contracts/retrospective'
import type { Run } from '@treadle/contracts/run'
import { passedAt } from '@treadle/memory/trial/outcome'
import { matchesAny } from '../work/glob.ts'
import { metricsOf } from './metrics.ts'
import { divergencesOf } from './planned.ts'
import { type LoadedPlan, plannedTaskOf, taskDivergences } from './planned-task.ts'

export const AGENT_TYPE = 'build'
const FILES_MAX = 500
const NOTES_MAX = 200
const DIVERGENCES_MAX = 200

/** Everything that a retrospective is made from. */
export interface Captured {
  readonly run: Run
  readonly item: Item
  readonly plans: readonly Plan[]
  /** Of an item that was made of a task of a specification. */
  readonly plan: LoadedPlan | null
  readonly guidance: readonly string[]
  readonly diff: Retrospective['diff'] & { readonly text: string }
  /** Of the same kind of agent and outcome, newest first. */
  readonly similar: readonly Retrospective[]
  /** The globs of the patterns that it was shown, and whether it was shown something to avoid. */
  readonly shown: { readonly patterns: readonly string[]; readonly gotchas: boolean }
}

export function retrospectiveOf(
  captured: Captured,
  learned: readonly LearnedNote[],
  at: Date,
): Retrospective {
  const { run, item, plans, plan, guidance, diff, similar, shown } = captured
  const passed = passedAt(run)
  const endedAt = run.endedAt ?? at.toISOString()
  const { text, ...kept } = diff
  const attempts = run.iteration + 1
  const added = addedIn(text)
  const ofTask =
    plan === null
      ? []
      : taskDivergences(plan, {
          changed: diff.files,
          added,
          removed: removedIn(text),
          gates: run.gates,
          passed: passed !== null,
        })
  return {
    runId: run.id,
    item: run.item,
    agentType: AGENT_TYPE,
    outcome: run.outcome ?? 'unknown',
    trigger: triggerOf(run),
    reviewedAt: at.toISOString(),
    diff: { ...kept, files: kept.files.slice(0, FILES_MAX) },
    tests: testsIn(run.gates),
    plan: plan === null ? null : plannedTaskOf(plan, run.gates),
    divergences: mergeDivergences(
      ofTask,
      divergencesOf({
        item,
        plans,
        guidance,
        summary: run.history.map(({ summary }) => summary).join('\n'),
        changed: diff.files,
        added,
        meant: plan === null ? [] : [plan.task.file],
        suspected: suspectedIn(run.baseline),
        passed: passed !== null,
        followed: (path) => matchesAny(path, shown.patterns),
      }),
    ),
    learned: learned.slice(0, NOTES_MAX),
    metrics: metricsOf([{ complete: passed !== null, attempts, hadGotchas: shown.gotchas }], {
      startedAt: run.startedAt,
      endedAt,
    }),
    similar: similar.map(({ runId }) => runId).slice(0, 10),
  }
}

function triggerOf({ outcome }: Pick<Run, 'outcome'>): RetrospectiveTrigger {
  return outcome === 'success' ? 'build.completed' : 'task.failed'
}

/** What the last gates found, all test runs together where there are several. */
function testsIn(gates: readonly GateResult[]): Retrospective['tests'] {
  const reports = gates.flatMap((gate): TestReport[] => {
    if (!('evidence' in gate) || gate.evidence.report === null) return []
    return gate.gate === 'tests_pass' || gate.gate === 'no_regression' ? [gate.evidence.report] : []
  })
  // The suite contains what the item's own command ran.
  const largest = reports.toSorted((a, b) => b.total - a.total)[0]
  if (largest === undefined) return null
  const { total, passed, failed, skipped } = largest
  return { total, passed, failed, skipped }
}

/** Files that a unified diff makes. */
export function addedIn(diff: string): ReadonlySet<string> {
  const found = diff.matchAll(/^diff --git a\/.+ b\/(.+)\nnew file mode/gm)
  return new Set([...found].flatMap(([, path]) => (path === undefined ? [] : [path])))
}

/** Files that a unified diff takes away. */
function removedIn(diff: string): ReadonlySet<string> {
  const found = diff.matchAll(/^diff --git a\/(.+) b\/.+\ndeleted file mode/gm)
  return new Set([...found].flatMap(([, path]) => (path === undefined ? [] : [path])))
}

/** What the task says of a file goes before what the words of the item say of it. */
function mergeDivergences(ofTask: readonly Divergence[], others: readonly Divergence[]): Divergence[] {
  const told = new Set(ofTask.map(({ what }) => what))
  return [...ofTask, ...others.filter(({ what }) => !told.has(what))].slice(0, DIVERGENCES_MAX)
}

function suspectedIn(baseline: readonly GateResult[]): string[] {
  return baseline.flatMap((gate) =>
    gate.is === 'failed'
      ? gate.failures.flatMap(({ file, frames }) => [
          ...(file === null ? [] : [file]),
          ...(frames ?? []).filter(({ own }) => own).map((frame) => frame.file),
        ])
      : [],
  )
}

export function summaryOf({ run, item }: Pick<Captured, 'run' | 'item'>): string {
  const passed = passedAt(run)
  if (passed === null) return `#${item.number} did not pass: ${run.outcome ?? 'unknown'}.`
  return passed === 1
    ? `#${item.number} passed at the first attempt.`
    : `#${item.number} passed at attempt ${passed}.`
}
