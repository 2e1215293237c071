// A goal as the terminal shows it: one line for where it stands, a few lines for what is worth keeping.
import type { StoredEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/event/sentence'
import type { GoalEnd, Guidance, Question } from '@treadle/contracts/paor'
import { type GoalRound, roundWords } from '@treadle/contracts/words/goal'
import { answeredBy } from '@treadle/contracts/words/question'
import { duration } from '@treadle/contracts/words/time'

export interface GoalNow {
  /** The goal's phase in our words: waiting, planning, acting, … */
  readonly phase: string
  readonly iteration: number
  readonly doing: string
  /** The question that the goal waits for an answer to. */
  readonly question: Question | null
  readonly end: GoalEnd | null
}

export const AT_FIRST: GoalNow = {
  phase: 'waiting for an agent',
  iteration: 0,
  doing: '',
  question: null,
  end: null,
}

export function goalAfter(now: GoalNow, { event }: StoredEvent): GoalNow {
  switch (event.type) {
    case 'claim.taken':
      return { ...AT_FIRST, phase: 'preparing' }
    case 'run.moved':
      return { ...now, phase: event.to, doing: '' }
    case 'run.planned':
      return { ...now, iteration: event.plan.iteration, doing: event.plan.tasks[0]?.text ?? '' }
    case 'run.observed':
      return { ...now, doing: `${event.observation.tool} ${event.observation.input}` }
    case 'run.asked':
      // A question that holds nobody up is in the inbox; the goal goes on.
      if (event.question.detail?.blocking === false) return now
      return { ...now, question: event.question, phase: 'waiting for you', doing: '' }
    case 'run.guided':
      return event.guidance.answers !== null && event.guidance.answers === now.question?.id
        ? { ...now, question: null, phase: 'going on' }
        : now
    case 'run.paused':
      return { ...now, phase: `waiting until ${event.until}`, doing: event.why }
    case 'run.concluded':
      return { ...now, end: event.end, doing: '', phase: 'concluding' }
    case 'build.finished':
      return { ...now, phase: 'running the checks', doing: '' }
    case 'verify.passed':
      return { ...now, phase: 'delivered', doing: '' }
    case 'verify.failed':
      return { ...now, phase: 'improving', doing: event.why }
    default:
      return now
  }
}

/** The state of a goal in one line. */
export function statusLine({ phase, iteration, doing }: GoalNow, sinceMs: number): string {
  const round = iteration === 0 ? '' : `iteration ${iteration} · `
  const what = doing === '' ? '' : ` · ${doing.replace(/\s+/g, ' ').trim()}`
  return `${round}${phase} · ${duration(sinceMs)}${what}`
}

/** Lines that stay on the screen; none for events of something that is still under way. */
export function keptLines(stored: StoredEvent, verbose: boolean): string[] {
  const { event } = stored
  switch (event.type) {
    case 'run.planned': {
      const { iteration, tasks, scope } = event.plan
      const where = scope.length === 0 ? '' : ` (only in ${scope.join(', ')})`
      return [`Plan ${iteration}${where}: ${tasks.map(({ text }) => firstLine(text)).join('; ')}`]
    }
    case 'run.reflected': {
      const { verdict, why, stuck } = event.reflection
      return [`  ${stuck ? 'stuck' : verdict.replaceAll('_', ' ')}: ${firstLine(why)}`]
    }
    case 'run.asked':
      return [
        `? ${event.question.title}`,
        ...event.question.options.map((text, n) => `    ${n + 1}. ${text}`),
      ]
    case 'run.guided':
      return [`> ${saidBy(event.guidance)}: ${event.guidance.text}`]
    case 'run.heard':
      return ['  heard']
    case 'run.paused':
    case 'run.resumed':
    case 'run.retrying':
    case 'run.noted':
    case 'verify.failed':
    case 'build.failed':
    case 'engine.suspended':
    case 'engine.rested':
    case 'item.escalated':
      return [wordsOf(stored)]
    case 'run.observed':
      return verbose ? [`    ${event.observation.tool} ${firstLine(event.observation.input)}`] : []
    default:
      return []
  }
}

function wordsOf(stored: StoredEvent): string {
  const { text, detail } = sentence(stored)
  return detail === null ? text : `${text}: ${firstLine(detail)}`
}

/** Every iteration with its plan, its observations and its reflection. */
export function stepsWords(events: readonly StoredEvent[]): string {
  return roundsIn(events).map(roundWords).join('\n\n')
}

export function roundsIn(events: readonly StoredEvent[]): GoalRound[] {
  const rounds: GoalRound[] = []
  for (const { event } of events) {
    const last = rounds.at(-1)
    if (event.type === 'run.planned') rounds.push({ plan: event.plan, observations: [], reflection: null })
    else if (last === undefined) continue
    else if (event.type === 'run.observed')
      rounds.splice(-1, 1, { ...last, observations: [...last.observations, event.observation] })
    else if (event.type === 'run.reflected') rounds.splice(-1, 1, { ...last, reflection: event.reflection })
  }
  return rounds
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}

function saidBy({ by, how }: Guidance): string {
  return how === undefined ? by : answeredBy({ by, how })
}
