// The look back on a build that is over, by rules: what was given up, what took several attempts, and how time and
// money compare with what was foreseen. Pure.
import type { BuildTask, BuildView } from '@treadle/contracts/build'
import type { BuildRetrospective, Gap, GapKind } from '@treadle/contracts/planning-retrospective'
import type { LearnedNote } from '@treadle/contracts/retrospective'
import type { SpecTask } from '@treadle/contracts/specification'
import { isLonger } from './planned-task.ts'

export interface BuildReviewFacts {
  readonly build: BuildView
  /** The tasks as they were planned. */
  readonly planned: readonly Pick<SpecTask, 'id' | 'estimateHours'>[]
  /** What the looks back on its runs have recorded. */
  readonly learned: readonly LearnedNote[]
}

type Reviewed = Omit<BuildRetrospective, 'look'>

const GAPS_MAX = 200
const LEARNED_MAX = 50
const HOUR_MS = 3_600_000

/** Null: the build is not over. */
export function reviewBuild({ build, planned, learned }: BuildReviewFacts, at: Date): Reviewed | null {
  const { status, completedAt } = build
  if (completedAt === null || (status !== 'completed' && status !== 'failed')) return null
  const worked = build.elapsedMs / HOUR_MS
  const hours = {
    worked,
    planned: planned.reduce((sum, { estimateHours }) => sum + estimateHours, 0),
    forecast: build.forecast?.hours ?? null,
    held: isWithin(build.forecast?.hours, worked),
  }
  const usd = build.spentUSD ?? build.usd
  const money = {
    usd,
    forecast: build.forecast?.usd ?? null,
    held: isWithin(build.forecast?.usd, usd),
  }
  return {
    is: 'build',
    slug: build.spec,
    trigger: 'build.completed',
    reviewedAt: at.toISOString(),
    build: build.id,
    revision: build.revision,
    outcome: status,
    why: build.why,
    completedAt,
    tasks: countsOf(build),
    attempts: build.tasks.reduce((sum, { attempts }) => sum + attempts, 0),
    errors: errorsOf(build),
    hours,
    money,
    gaps: [...taskGaps(build.tasks, planned), ...gateGaps(build), ...foreseenGaps({ hours, money })].slice(
      0,
      GAPS_MAX,
    ),
    learned: learned.slice(0, LEARNED_MAX),
  }
}

type Foreseen = BuildRetrospective['money']['forecast']

/** Null: nobody has foreseen anything. */
function isWithin(range: Foreseen | undefined, value: number): boolean | null {
  return range == null ? null : value >= range.low && value <= range.high
}

function countsOf({ tasks, counts }: BuildView): BuildRetrospective['tasks'] {
  const of = (status: BuildTask['status']) => counts[status] ?? 0
  return {
    total: tasks.length,
    complete: of('complete'),
    skipped: of('skipped'),
    failed: of('failed'),
    open: of('pending') + of('in_progress'),
    atFirstAttempt: tasks.filter(({ status, attempts }) => status === 'complete' && attempts === 1).length,
  }
}

function errorsOf({ failures }: BuildView): BuildRetrospective['errors'] {
  const counts = new Map<BuildRetrospective['errors'][number]['class'], number>()
  for (const { class: is } of failures) counts.set(is, (counts.get(is) ?? 0) + 1)
  return [...counts]
    .map(([is, count]) => ({ class: is, count }))
    .toSorted((a, b) => b.count - a.count || a.class.localeCompare(b.class))
}

function gap(kind: GapKind, about: string, what: string): Gap {
  return { kind, about: about.slice(0, 500), what: what.slice(0, 1_000).toWellFormed() }
}

function taskGaps(tasks: readonly BuildTask[], planned: BuildReviewFacts['planned']): Gap[] {
  return tasks.flatMap((task) => {
    const estimateHours = planned.find(({ id }) => id === task.id)?.estimateHours ?? null
    return [
      ...endGaps(task),
      ...(task.attempts > 1
        ? [gap('repeated_attempts', task.id, `${task.id} took ${task.attempts} attempts`)]
        : []),
      ...(estimateHours === null ? [] : longerGaps(task, estimateHours)),
    ]
  })
}

function endGaps({ id, status, why, title }: BuildTask): Gap[] {
  if (status !== 'failed' && status !== 'skipped') return []
  const because = why === null ? '' : `: ${why}`
  return status === 'failed'
    ? [gap('failed_task', id, `${id} (${title}) failed${because}`)]
    : [gap('skipped_task', id, `${id} (${title}) was skipped${because}`)]
}

function longerGaps({ id, workedMs }: BuildTask, estimateHours: number): Gap[] {
  const actualHours = workedMs / HOUR_MS
  if (!isLonger({ estimateHours, actualHours })) return []
  const text = `${id} took ${rounded(actualHours)} h, ${rounded(estimateHours)} h were planned`
  return [gap('underestimate', id, text)]
}

/** A check of the delivery that was neither passed nor left out on purpose. */
function gateGaps({ finalValidation }: BuildView): Gap[] {
  return (finalValidation ?? [])
    .filter(({ is }) => is === 'failed' || is === 'not_run')
    .map(({ gate, is }) =>
      gap('gate_not_passed', gate, `${gate} of the delivery ${is === 'failed' ? 'failed' : 'was not run'}`),
    )
}

function foreseenGaps({ hours, money }: Pick<BuildRetrospective, 'hours' | 'money'>): Gap[] {
  const words = ({ low, high }: NonNullable<Foreseen>) => `${rounded(low)} to ${rounded(high)}`
  return [
    ...(hours.forecast !== null && hours.held === false
      ? [
          gap(
            'forecast_missed',
            'hours',
            `It took ${rounded(hours.worked)} h, ${words(hours.forecast)} h were foreseen`,
          ),
        ]
      : []),
    ...(money.forecast !== null && money.held === false
      ? [
          gap(
            'forecast_missed',
            'money',
            `It cost $${rounded(money.usd)}, $${words(money.forecast)} were foreseen`,
          ),
        ]
      : []),
  ]
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
