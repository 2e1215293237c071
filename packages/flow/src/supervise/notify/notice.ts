// Which events the owner is told of, and in what words. Pure.
import type { Config } from '@treadle/contracts/config'
import type { StoredEvent, TreadleEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/event/sentence'
import { type ItemRef, itemLabel } from '@treadle/contracts/ids'
import type { NewNotification, NextStep, NotificationType } from '@treadle/contracts/notification'
import { IDEATION } from '@treadle/contracts/question'
import { mendWords } from '@treadle/contracts/words/readiness'
import { type Attempted, escalationNotice } from './escalation.ts'
import { type AskedFacts, questionNotice } from './question.ts'
import { clean, cut, itemSubject, ofItem, step } from './words.ts'

export interface NoticeFacts {
  readonly approval: Config['merge']['approval']
  /** Of the item, where there is one. */
  readonly title: string | null
  readonly attempted: Attempted
  /** It is a task of a build, which decides what follows and says so itself. */
  readonly isTask?: boolean
  readonly asked: AskedFacts
}

type Notice = Omit<NewNotification, 'item'>
type Tell<T extends TreadleEvent['type']> = (
  event: Extract<TreadleEvent, { type: T }>,
  stored: StoredEvent,
  facts: NoticeFacts,
) => Notice | null
type Told =
  | 'question.asked'
  | 'question.reminded'
  | 'owner.notified'
  | 'verify.passed'
  | 'review.escalated'
  | 'budget.crossed'
  | 'engine.suspended'
  | 'engine.rested'
  | 'environment.not_ready'
  | 'agent.crashed'
  | 'daemon.crashed'
  | 'lesson.judged'
  | 'order.given'
  | 'ideation.completed'
  | 'category.all_exhausted'
  | 'build.stopped'
  | 'build.spec_changed'
  | 'task.failed'

const TEXT_MAX = 1_500

const TELL: { readonly [T in Told]: Tell<T> } = {
  // What a talk asks is asked in the talk: whoever has it sits there.
  'question.asked': ({ question }, { item }, { asked }) =>
    question.agent === IDEATION ? null : questionNotice({ ...question, item }, asked),
  'question.reminded': ({ questionId: id, number, blocking, text }, { item }, { asked }) =>
    questionNotice({ id, number, blocking, text, agent: null, item }, asked),
  'owner.notified': ({ about: topic, text }, { item, state }) =>
    // What was escalated is told as such.
    state === 'escalated'
      ? null
      : {
          ...plainNotice('owner.notified', `${itemSubject(item)} ${topic}`),
          title: `${item === null ? 'Something' : itemLabel(item)} needs your attention: ${topic}`,
          text,
          nextSteps: item === null ? [] : ownerSteps(topic, item),
        },
  'verify.passed': (_, { item, state }, { approval, title, isTask = false }) =>
    item === null || isTask || state !== 'in_review' || approval !== 'human'
      ? null
      : {
          ...plainNotice('review.waiting', itemSubject(item)),
          level: 'info',
          title: `${itemLabel(item)} passed its checks and waits for your review`,
          text: title ?? '',
          nextSteps: reviewSteps(item),
        },
  'review.escalated': ({ why }, { item }) => ({
    ...plainNotice('review.overdue', itemSubject(item)),
    title: `The review of ${item === null ? 'an item' : itemLabel(item)} takes too long`,
    text: why,
    nextSteps: item === null ? [] : reviewSteps(item),
  }),
  'budget.crossed': ({ period, percent, level }, stored) => ({
    ...plainNotice('budget.crossed', `budget ${period} ${percent}`),
    level,
    ...said(stored),
    nextSteps: [step('See what was spent', 'treadle costs')],
  }),
  'engine.suspended': ({ engine }, stored) => ({
    ...plainNotice('engine.suspended', `engine ${engine}`),
    level: 'error',
    ...said(stored),
    nextSteps: [step('See what is wrong with it', 'treadle doctor')],
  }),
  'engine.rested': ({ engine }, stored) => ({
    ...plainNotice('engine.rested', `engine ${engine}`),
    ...said(stored),
    nextSteps: [
      step('It tries again by itself; see how long it rests', 'treadle status'),
      step('Name who builds meanwhile in engines.fallback of treadle.json', null),
    ],
  }),
  'environment.not_ready': ({ trouble }, stored) => ({
    ...plainNotice('environment.not_ready', 'environment'),
    level: 'error',
    ...said(stored),
    text: cut(`${mendWords(trouble)}.\n${trouble.lines}`, TEXT_MAX),
    nextSteps: [step('Check again once it is fixed', 'treadle ready --again')],
  }),
  'agent.crashed': (_, stored) => ({
    ...plainNotice('agent.crashed', `agent ${stored.agentId ?? 'unknown'}`),
    ...said(stored),
    nextSteps: [step('See how the crew is', 'treadle status')],
  }),
  'daemon.crashed': (_, stored) => ({
    ...plainNotice('daemon.crashed', 'daemon'),
    level: 'error',
    ...said(stored),
    nextSteps: [
      step('Check that everything is here', 'treadle doctor'),
      step('The log of the daemon is .treadle/logs/daemon.log', null),
    ],
  }),
  'order.given': ({ order, by, target, outcome, begun }) =>
    // Of all orders the one after which a part of the product is off for everybody.
    order !== 'rollback' || begun !== undefined
      ? null
      : {
          ...plainNotice('phase.rolled_back', `rollback ${target ?? ''}`),
          level: 'error',
          title: `${by} rolled back ${target ?? 'a phase'}`,
          text: outcome,
          nextSteps: [
            step('See who ordered what', 'treadle audit'),
            step('To turn it on again, set its switch to true in treadle.json', null),
          ],
        },
  'lesson.judged': ({ lessonId }, stored) => ({
    ...plainNotice('lesson.judged', `lesson ${lessonId}`),
    level: 'info',
    ...said(stored),
    nextSteps: [step('See what it is and how it did', `treadle lessons show ${lessonId}`)],
  }),
  'ideation.completed': ({ idea }, stored) => ({
    ...plainNotice('ideation.completed', `idea ${idea}`),
    level: 'info',
    ...said(stored),
    nextSteps: [
      step('Read the brief', `treadle idea brief ${idea}`),
      step('Make a specification of it', `treadle spec generate ${idea}`),
    ],
  }),
  'category.all_exhausted': (_, stored) => ({
    ...plainNotice('category.all_exhausted', 'categories'),
    level: 'info',
    ...said(stored),
    nextSteps: [
      step('Add an item yourself', 'treadle add "<title>"'),
      step('See why each category is left alone', 'treadle categories'),
      step(
        'Turn on more categories in agents.enabledCategories of treadle.json, or edit their templates',
        null,
      ),
    ],
  }),
  'build.stopped': ({ spec }, stored) => buildNotice(spec, 'stopped', stored),
  'build.spec_changed': ({ spec }, stored) => buildNotice(spec, 'changed', stored),
  'task.failed': ({ spec, task, decision }, stored) =>
    decision === 'ESCALATE' ? buildNotice(spec, task, stored) : null,
}

function buildNotice(spec: string, about: string, stored: StoredEvent): Notice {
  return {
    ...plainNotice('owner.notified', `build ${spec} ${about}`),
    ...said(stored),
    nextSteps: [step('Look at the build, and at what to do', `treadle build show ${spec}`)],
  }
}

/** Null: the owner is not told. */
export function noticeOf(stored: StoredEvent, facts: NoticeFacts): NewNotification | null {
  // An attempt of a task that came to nothing is its build's affair, until that has given it up.
  if (isEscalation(stored) && facts.isTask === true) return null
  const notice = isEscalation(stored) ? escalationNotice(stored, facts) : tellOf(stored, facts)
  if (notice === null) return null
  return {
    ...notice,
    item: stored.item,
    title: cut(clean(notice.title).replaceAll(/\s+/g, ' '), 200),
    text: cut(clean(notice.text), TEXT_MAX),
  }
}

function tellOf(stored: StoredEvent, facts: NoticeFacts): Notice | null {
  // Each entry takes exactly its own event; TypeScript cannot see that key and argument belong together.
  const tell = TELL[stored.event.type as Told] as Tell<TreadleEvent['type']> | undefined
  return tell === undefined ? null : tell(stored.event, stored, facts)
}

/** The least that can be said of an event. */
export function bareNotice({ item, event }: StoredEvent): NewNotification {
  return {
    ...plainNotice('owner.notified', `${itemSubject(item)} ${event.type}`),
    title: `${item === null ? 'Something' : itemLabel(item)} needs your attention`,
    text: `It is about ${event.type}. More could not be said of it; the log of the daemon has the reason.`,
    nextSteps: [step('See how things are', 'treadle status')],
    item,
  }
}

/** Without asking anybody anything: the owner may have to be told of it. */
export function mayBeTold(stored: StoredEvent): boolean {
  return stored.event.type in TELL || isEscalation(stored)
}

const ESCALATING = /^(build|verify|merge)\.|^(item\.escalated|deadline\.passed|review\.rejected)$/

/** However it came about: with this event the item waits for a person. */
export function isEscalation({ state, event }: StoredEvent): boolean {
  return state === 'escalated' && ESCALATING.test(event.type)
}

function plainNotice(type: NotificationType, subject: string) {
  return { type, subject, level: 'warning', nextSteps: [], blocking: false, questionId: null } as const
}

function said(stored: StoredEvent): { title: string; text: string } {
  const { text, detail } = sentence(stored)
  return { title: text, text: detail ?? '' }
}

function reviewSteps(item: ItemRef): NextStep[] {
  return [
    step('Look at it', ofItem('treadle review show', item)),
    step('Approve it', ofItem('treadle approve', item)),
    step('Or request changes', ofItem('treadle request-changes', item)),
  ]
}

function ownerSteps(topic: string, item: ItemRef): NextStep[] {
  if (topic === 'conflict') return [step('See how to resolve it', ofItem('treadle conflicts show', item))]
  if (topic === 'review') return reviewSteps(item)
  if (topic === 'cost') return [step('See what was spent', 'treadle costs')]
  return [step('Look at it', ofItem('treadle show', item))]
}
