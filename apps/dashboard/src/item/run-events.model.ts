// The story of a run, told from its events: which steps belong to which attempt, and what each has cost.
import type { StoredEvent } from '@treadle/contracts/event'
import type { GoalEnd, PaorState, Plan, Reflection } from '@treadle/contracts/paor'
import type { LessonNote } from '@treadle/contracts/recall'
import type { Observation } from '@treadle/contracts/run'
import type { Tone } from '@treadle/contracts/words/state'
import { revealed } from '../live/unseen-characters.model.ts'

/** A round of a goal: once through plan, act, observe and reflect. */
export interface Round {
  readonly at: string
  readonly plan: Plan
  readonly steps: readonly Observation[]
  /** The reflection that ended the round; null while it goes on. */
  readonly reflection: Reflection | null
}

/** The part of a run's events that belongs to one attempt. */
export interface AttemptEvents {
  /** The number of the attempt, from 1. */
  readonly attempt: number
  readonly rounds: readonly Round[]
  /** Steps outside of any plan. */
  readonly steps: readonly Observation[]
  /** The attempt's cost; null if it is not known. */
  readonly usd: number | null
  readonly shown: readonly LessonNote[]
  readonly withheld: readonly LessonNote[]
}

export interface RunEvents {
  readonly attempts: readonly AttemptEvents[]
  readonly end: GoalEnd | null
  /** The state of a goal now; null if the run has none. */
  readonly at: PaorState | null
}

interface Open {
  rounds: { at: string; plan: Plan; steps: Observation[]; reflection: Reflection | null }[]
  steps: Observation[]
  usd: number | null
  shown: LessonNote[]
  withheld: LessonNote[]
}

const blank = (): Open => ({ rounds: [], steps: [], usd: null, shown: [], withheld: [] })

/** The events of a run by attempts, oldest first. An attempt is over when its build has ended; what follows belongs to the next. */
export function runEventsOf(events: readonly StoredEvent[]): RunEvents {
  const attempts: Open[] = []
  let open = blank()
  let end: GoalEnd | null = null
  let at: PaorState | null = null
  for (const stored of events) {
    take(open, stored)
    const { event } = stored
    if (event.type === 'run.concluded') end = event.end
    if (event.type === 'run.moved') at = event.to
    if (event.type !== 'build.finished' && event.type !== 'build.failed') continue
    attempts.push(open)
    open = blank()
  }
  if (!isEmpty(open)) attempts.push(open)
  return { attempts: attempts.map((events, index) => ({ attempt: index + 1, ...events })), end, at }
}

function take(open: Open, { event, at }: StoredEvent): void {
  switch (event.type) {
    case 'run.planned':
      open.rounds.push({ at, plan: event.plan, steps: [], reflection: null })
      break
    case 'run.observed': {
      const round = open.rounds.at(-1)
      if (round === undefined || round.reflection !== null) open.steps.push(event.observation)
      else round.steps.push(event.observation)
      break
    }
    case 'run.reflected': {
      const round = open.rounds.at(-1)
      if (round !== undefined) round.reflection = event.reflection
      break
    }
    case 'run.used':
      if (event.usage.usd !== null) open.usd = (open.usd ?? 0) + event.usage.usd
      break
    case 'run.recalled':
      open.shown.push(...event.shown)
      open.withheld.push(...event.withheld)
      break
    default:
  }
}

function isEmpty({ rounds, steps, usd, shown }: Open): boolean {
  return rounds.length === 0 && steps.length === 0 && usd === null && shown.length === 0
}

export const VERDICT_WORDS: Record<Reflection['verdict'], { readonly words: string; readonly tone: Tone }> = {
  achieved: { words: 'achieved', tone: 'good' },
  not_yet: { words: 'not yet', tone: 'busy' },
  needs_user: { words: 'needs you', tone: 'attention' },
  impossible: { words: 'impossible', tone: 'bad' },
}

export const END_WORDS: Record<GoalEnd['outcome'], { readonly words: string; readonly tone: Tone }> = {
  goal_achieved: { words: 'Goal achieved', tone: 'good' },
  max_iterations: { words: 'All iterations are used up', tone: 'bad' },
  needs_user: { words: 'Needs you', tone: 'attention' },
  unrecoverable: { words: 'It could not go on', tone: 'bad' },
}

/** A tool's input, cut to one line. */
export function stepInput(input: string): string {
  const line = revealed(input).trim().replace(/\s+/g, ' ')
  return line.length > 160 ? `${line.slice(0, 159)}…` : line
}

export function stepTone({ success, denied }: Observation): { readonly words: string; readonly tone: Tone } {
  if (denied === true) return { words: 'not allowed', tone: 'attention' }
  return success ? { words: 'worked', tone: 'good' } : { words: 'failed', tone: 'bad' }
}
