// Each recorded event as one sentence.
import type { AlertLevel } from '../cost.ts'
import type { EventType, StoredEvent, TreadleEvent } from '../event.ts'
import { itemLabel, NO_REMOTE } from '../ids.ts'
import type { ItemState } from '../item.ts'
import type { LessonVerdict } from '../lesson.ts'
import type { LessonNote } from '../recall.ts'
import type { EngineOutcome } from '../run.ts'
import { gatesWords } from './gates.ts'
import { spendLabel, usd } from './money.ts'
import { ANSWER_WORDS } from './question.ts'
import { STATE_WORDS, type Tone } from './state.ts'
import { duration } from './time.ts'

export interface Line {
  readonly text: string
  readonly detail: string | null
  readonly tone: Tone
}

/** Who and what a sentence is about, ready to be put in. */
interface Subject {
  readonly agent: string
  readonly item: string
  readonly state: string | null
}
type Say<T extends EventType> = (event: Extract<TreadleEvent, { type: T }>, subject: Subject) => Line

const line = (text: string, detail: string | null = null, tone: Tone = 'plain'): Line => ({
  text,
  detail: detail === '' ? null : detail,
  tone,
})

const VERDICT_WORDS: Record<LessonVerdict, string> = {
  on_trial: 'on trial',
  promoted: 'proven to help',
  retired: 'retired, for it does not help',
  unproven: 'kept, though unproven',
}

function noteWords({ lessonId, type, topic }: LessonNote): string {
  return `${spaced(type)} ${topic ?? lessonId.slice(0, 8)}`
}

const SENTENCES: { readonly [T in EventType]: Say<T> } = {
  'item.added': ({ title }, { item }) => line(`${item} was added`, title),
  'item.commented': ({ by, text }, { item }) => line(`${by} commented on ${item}`, text),
  'owner.notified': ({ text }, { item }) => line(`${item} needs your attention`, text, 'attention'),
  'conflict.predicted': ({ other, otherItem, files, committed }, { item }) =>
    line(
      `${item} will conflict with ${otherItem === null ? other : itemLabel(otherItem)} in ${count(files.length, 'file')}`,
      `${files.join(', ')}${committed ? '' : ' (not committed yet)'}`,
      'attention',
    ),
  'item.escalated': ({ why }, { item }) => line(`${item} needs you`, why, 'attention'),
  'item.withdrawn': ({ by }, { item }) => line(`${by} withdrew ${item}`),
  'item.reopened': ({ by }, { item }) => line(`${by} put ${item} back in the queue`),
  'item.assigned': ({ by, to }, { item }) =>
    line(to === null ? `${by} put ${item} back in the queue` : `${by} gave ${item} to ${to}`),
  'claim.taken': ({ agentId }, { item }) => line(`${agentId} claimed ${item}`, null, 'busy'),
  'claim.released': ({ why }, { agent, item }) => line(`${agent} gave ${item} back`, why),
  'claim.expired': ({ why }, { item }) => line(`The claim on ${item} expired`, why, 'attention'),
  'claim.extended': ({ byMs, why }, { item }) =>
    line(`The claim on ${item} stands ${duration(byMs)} longer`, why),
  'build.started': ({ branch, from }, { agent, item }) =>
    line(
      `${agent} started building ${item}`,
      `on ${branch}${from === undefined ? '' : ` from ${from}`}`,
      'busy',
    ),
  'build.finished': ({ summary }, { agent, item }) =>
    line(`${agent} finished building ${item}`, summary, 'busy'),
  'build.failed': ({ outcome, why }, { item }) =>
    line(`Building ${item} failed: ${OUTCOME_WORDS[outcome]}`, why, 'bad'),
  'verify.passed': ({ gates, pushNote }, { item, state }) =>
    line(
      state === 'in_review' ? `${item} passed its checks and is in review` : `${item} passed its checks`,
      [gatesWords(gates), pushNote === null ? null : `not pushed: ${pushNote}`].filter(Boolean).join('; '),
      'good',
    ),
  'verify.failed': ({ why }, { item }) => line(`${item} failed its checks`, why, 'bad'),
  'review.approved': ({ approval }, { item }) =>
    approval.kind === 'standing_order'
      ? line(`${item} was approved by standing order`, `of ${approval.by}`, 'good')
      : line(`${approval.by} approved ${item}`, null, 'good'),
  'review.rejected': ({ by, feedback }, { item }) => line(`${by} sent ${item} back`, feedback, 'attention'),
  'review.referred': ({ why }, { item }) => line(`The review of ${item} needs you`, why, 'attention'),
  'review.claimed': ({ cycle }, { agent, item }) =>
    line(`${agent} began to review ${item}`, cycle === 1 ? null : `delivery ${cycle}`, 'busy'),
  'review.escalated': ({ why }, { item }) => line(`The review of ${item} takes too long`, why, 'attention'),
  'merge.landed': ({ commit, target, note }, { item }) =>
    line(
      `${item} was merged into ${target}`,
      [`as ${shortCommit(commit)}`, note].filter(Boolean).join('; '),
      note === null ? 'good' : 'attention',
    ),
  'merge.conflicted': ({ files, why }, { item }) =>
    line(`${item} conflicts in ${count(files.length, 'file')}`, files.join(', ') || why, 'bad'),
  'merge.failed': ({ why }, { item }) => line(`${item} could not be merged`, why, 'bad'),
  'merge.auto_resolved': ({ how, files }, { item }) =>
    line(
      `${item} was adapted to the target by a ${how}; where both changed the same, the target's side was kept`,
      files.join(', '),
      'attention',
    ),
  'merge.resumed': ({ by }, { item }) => line(`${by} resolved the conflict of ${item}`, null, 'good'),
  'merge.delivered': ({ branch, pushed, note }, { item }) =>
    line(
      `${item} is done on ${branch}`,
      pushed ? 'pushed to origin' : `not pushed: ${note ?? 'unknown'}`,
      note === null || note === NO_REMOTE ? 'good' : 'attention',
    ),
  'deadline.passed': ({ state }, { item }) =>
    line(`${item} took too long`, `in the state ${stateWords(state)}`, 'attention'),
  'run.observed': ({ observation: { tool, input, success } }, { agent }) =>
    success
      ? line(`${agent} used ${tool}`, firstLine(input))
      : line(`${agent}: ${tool} failed`, firstLine(input)),
  'run.phase': ({ record: { phase, outcome, durationMs, summary } }, { agent, item }) =>
    line(
      `${agent} ended the phase ${phase} of ${item}: ${spaced(outcome)} after ${duration(durationMs)}`,
      firstLine(summary),
    ),
  'run.baseline': ({ gates }, { agent, item }) =>
    line(`${agent} ran the checks before its change for ${item}`, gatesWords(gates)),
  'run.used': ({ usage: { model, inputTokens, outputTokens, usd } }, { agent }) =>
    line(
      `${agent} used ${count(inputTokens + outputTokens, 'token')} of ${model}`,
      usd === null ? null : `$${usd.toFixed(usd < 1 ? 4 : 2)}`,
    ),
  'run.resumed': ({ from, why }, { agent, item }) =>
    line(`${agent} resumed ${item} from ${from}`, why, 'busy'),
  'run.moved': ({ to }, { agent, item }) => line(`${agent} is ${to} on ${item}`, null, 'busy'),
  'run.planned': ({ plan: { iteration, tasks } }, { agent, item }) =>
    line(`${agent} made plan ${iteration} for ${item}`, tasks.map(({ text }) => firstLine(text)).join('; ')),
  'run.reflected': ({ reflection: { verdict, why } }, { agent, item }) =>
    line(`${agent} looked back on ${item}: ${spaced(verdict)}`, firstLine(why)),
  'run.asked': ({ question: { title } }, { agent, item }) =>
    line(`${agent} has a question about ${item}`, title, 'attention'),
  'run.heard': ({ guidance }, { agent, item }) =>
    line(`${agent} took in ${count(guidance.length, 'word')} of guidance on ${item}`),
  'run.concluded': ({ end: { outcome, summary } }, { agent, item }) =>
    line(
      `${agent} ended ${item}: ${spaced(outcome)}`,
      firstLine(summary),
      outcome === 'goal_achieved' ? 'plain' : 'attention',
    ),
  'run.paused': ({ until, why }, { agent, item }) =>
    line(`${agent} waits with ${item} until ${until}`, why, 'attention'),
  'run.session': ({ engine }, { agent, item }) => line(`${agent} talks with ${engine} about ${item}`),
  'run.guided': ({ guidance: { by, text } }, { item }) => line(`${by} gave guidance on ${item}`, text),
  'question.asked': ({ question: { number, agent, blocking, text } }) =>
    line(`${agent} asks you (question ${number})`, text, blocking ? 'attention' : 'plain'),
  'question.answered': ({ number, by, text, how }) =>
    line(
      how === 'person' ? `${by} answered question ${number}` : `Question ${number} needed no answer of yours`,
      how === 'person' ? text : `${text} (${ANSWER_WORDS[how]})`,
    ),
  'question.defaulted': ({ number, text, how }) =>
    line(`The default of question ${number} holds`, `${text} (${ANSWER_WORDS[how]})`),
  'question.reminded': ({ number, text, blocking }) =>
    line(`Question ${number} still waits for you`, text, blocking ? 'attention' : 'plain'),
  'question.withdrawn': ({ number, why }) => line(`Question ${number} is over`, why),
  'run.recalled': ({ shown, withheld, leftOut }, { agent, item }) =>
    line(
      `${agent} was shown ${count(shown.length, 'lesson')} for ${item}`,
      [
        withheld.length === 0 ? null : `withheld for a trial: ${withheld.map(noteWords).join(', ')}`,
        leftOut.length === 0 ? null : `left out: ${leftOut.map(noteWords).join(', ')}`,
      ]
        .filter((part) => part !== null)
        .join('; '),
    ),
  'run.learned': ({ note: { text, how } }, { item }) =>
    line(`Something was learned from ${item}: ${spaced(how)}`, text),
  'run.reviewed': ({ divergences, learned, summary }, { item }) =>
    line(
      `The run of ${item} was looked back on: ${count(divergences, 'divergence')}, ${learned} learned`,
      summary,
    ),
  'lesson.judged': ({ lessonId, verdict, topic, runs, probability }) =>
    line(
      `The lesson ${topic ?? lessonId.slice(0, 8)} is ${VERDICT_WORDS[verdict]}`,
      `helps with a probability of ${Math.round(probability * 100)} % after ${count(runs, 'run')}`,
      verdict === 'promoted' ? 'good' : 'plain',
    ),
  'lesson.reconsidered': ({ lessonId, from, to, why }) =>
    line(`The lesson ${lessonId.slice(0, 8)} is ${to > from ? 'surer' : 'less sure'}: ${from} → ${to}`, why),
  'lesson.promoted': ({ lessonId, file, branch }) =>
    line(`The lesson ${lessonId.slice(0, 8)} stands in ${file}`, `on branch ${branch}`, 'good'),
  'engine.suspended': ({ engine, why }) => line(`The engine ${engine} rests`, why, 'attention'),
  'agent.started': ({ pid }, { agent }) => line(`${agent} started`, `process ${pid}`),
  'agent.status_changed': ({ to }, { agent }) => line(`${agent} is now ${to}`),
  'agent.status_refused': ({ to, why }, { agent }) =>
    line(`${agent} said it was ${to} and was not believed`, why, 'attention'),
  'agent.crashed': ({ why }, { agent }) => line(`${agent} crashed`, why, 'bad'),
  'agent.stopped': ({ why }, { agent }) => line(`${agent} stopped`, why),
  'recovery.acted': ({ action, why }) => line(`Recovery: ${spaced(action)}`, why, 'attention'),
  'order.given': ({ order, by, target, outcome, begun }) =>
    line(
      `${by} ${begun ? 'gives the order' : 'ordered'}: ${spaced(order)}${target === null ? '' : ` ${target}`}`,
      outcome,
      'attention',
    ),
  'cost.logged': ({ model, costUSD, assumed }, { agent }) =>
    line(`${agent} spent ${assumed ? 'an assumed ' : ''}${usd(costUSD)}`, `on ${model}`),
  'budget.crossed': ({ period, percent, level, spentUSD, limitUSD, nextUSD }) =>
    line(
      percent >= 100 ? `The ${period} budget is used up` : `${percent}% of the ${period} budget is spent`,
      `${spendLabel(spentUSD, limitUSD)}${nextWords(nextUSD)}${EFFECT_WORDS[level]}`,
      level === 'info' ? 'plain' : 'attention',
    ),
  'notification.created': ({ title, text, level }) =>
    line(`You are told: ${title}`, firstLine(text), level === 'info' ? 'plain' : 'attention'),
  'notification.acknowledged': ({ ids, by }) => line(`${by} has seen ${count(ids.length, 'notification')}`),
  'notification.resolved': ({ text }) => line(`It is over: ${text}`, null, 'good'),
  'notification.failed': ({ ids, channel, why }) =>
    line(`${channel} did not take ${count(ids.length, 'notification')}`, why, 'attention'),
  'daemon.crashed': ({ why }) => line('The daemon crashed', why, 'bad'),
  'daemon.started': ({ version, store }) =>
    line(
      'The daemon started',
      `version ${version}, ${store === 'embedded' ? 'embedded database' : 'PostgreSQL'}`,
    ),
}

function nextWords(nextUSD: number | undefined): string {
  return nextUSD === undefined ? '' : `, and the next call may cost ${usd(nextUSD)}`
}

const EFFECT_WORDS: Record<AlertLevel, string> = {
  info: '',
  warning: '',
  error: '; no new item is claimed',
  critical: '; all agents are stopped',
}

const OUTCOME_WORDS: Record<EngineOutcome, string> = {
  done: 'the engine said it was done',
  max_turns: 'the engine ran out of turns',
  budget: 'the budget was used up',
  interrupted: 'it was interrupted',
  refused: 'the engine refused',
  rate_limited: 'the engine was rate limited',
  overloaded: 'the engine was overloaded',
  network: 'the network failed',
  auth: 'the engine did not accept the key',
  billing: 'the engine wants to be paid',
  invalid: 'the engine answered nonsense',
  crashed: 'the engine crashed',
  stalled: 'the engine went silent',
}

/** Events that can end in an escalation. */
const MOVES = /^(build|verify|merge)\.|^deadline\.passed$/

export function sentence(stored: StoredEvent): Line {
  // Each entry takes exactly its own event; TypeScript cannot see that key and argument belong together.
  const say = SENTENCES[stored.event.type] as (event: TreadleEvent, subject: Subject) => Line
  const said = say(stored.event, {
    agent: stored.agentId ?? 'Treadle',
    item: stored.item ? itemLabel(stored.item) : 'an item',
    state: stored.state,
  })
  // However it came about, that a person is needed now must be plain from the sentence.
  const escalates =
    stored.state === 'escalated' && stored.event.type !== 'item.escalated' && MOVES.test(stored.event.type)
  const text = said.text.replace(/^an /, 'An ')
  return escalates ? { ...said, text: `${text} and needs you`, tone: 'attention' } : { ...said, text }
}

function stateWords(state: string): string {
  return (STATE_WORDS[state as ItemState]?.words ?? spaced(state)).toLowerCase()
}

function spaced(word: string): string {
  return word.replaceAll(/[_-]/g, ' ')
}

function firstLine(text: string): string {
  const first = text.trim().split('\n', 1)[0] ?? ''
  return first.length > 160 ? `${first.slice(0, 159)}…` : first
}

function count(many: number, noun: string): string {
  return `${many.toLocaleString('en')} ${noun}${many === 1 ? '' : 's'}`
}

export function shortCommit(commit: string): string {
  return commit.slice(0, 8)
}
