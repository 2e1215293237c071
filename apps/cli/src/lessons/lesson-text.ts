// Lessons for people: one line each, and one of them whole.
import type { Lesson, LessonTrial, LessonVerdict } from '@treadle/contracts/lesson'
import { clip, paint, pairs } from '../output.ts'
import { listing } from '../terminal/listing.ts'
import { plainText } from '../terminal/plain-text.ts'

export interface KnownLesson {
  readonly lesson: Lesson
  readonly trial: LessonTrial | null
}

const SHORT = 8

const VERDICTS: Readonly<Record<LessonVerdict, string>> = {
  on_trial: 'on trial',
  promoted: 'promoted',
  retired: 'retired',
  unproven: 'unproven',
}

export function lessonsTable(given: readonly KnownLesson[]): string {
  const known = given.map(readable)
  const head = ['ID', 'TYPE', 'FROM', 'SEEN', 'USED', 'SURE', 'VERDICT', 'UPLIFT', 'WHAT']
  const facts = known.map(({ lesson, trial }) => [
    lesson.id.slice(0, SHORT),
    lesson.type.replace('_', ' '),
    sourceOf(lesson),
    String(lesson.occurrences),
    String(usesOf(trial)),
    percent(lesson.confidence),
    standingOf(lesson),
    upliftOf(trial),
  ])
  const drop = ['FROM', 'USED', 'SEEN', 'UPLIFT', 'SURE', 'TYPE']
  return listing(
    head,
    facts.map((row, nth) => [...row, saidOf((known[nth] as KnownLesson).lesson)]),
    { drop },
  )
}

export function standingOf({ verdict, supersededAt, unconfirmed }: Lesson): string {
  if (supersededAt !== null) return 'superseded'
  return unconfirmed ? 'unconfirmed' : VERDICTS[verdict]
}

function readable({ lesson, trial }: KnownLesson): KnownLesson {
  return { lesson: readableLesson(lesson), trial }
}

function readableLesson(lesson: Lesson): Lesson {
  const orNull = (text: string | null) => (text === null ? null : plainText(text))
  return {
    ...lesson,
    content: plainText(lesson.content),
    glob: orNull(lesson.glob),
    action: orNull(lesson.action),
    topic: orNull(lesson.topic),
    signature: orNull(lesson.signature),
    discoveredBy: plainText(lesson.discoveredBy),
    why: orNull(lesson.why),
    payload: Object.fromEntries(
      Object.entries(lesson.payload).map(([name, value]) => [
        plainText(name),
        typeof value === 'string' ? plainText(value) : value,
      ]),
    ),
  }
}

/** The sentence of a lesson; where there is none, what its facts say. */
export function saidOf(lesson: Lesson): string {
  const { content, topic, signature, payload } = readableLesson(lesson)
  if (content !== '') return content
  const facts = Object.entries(payload)
    .filter(([, value]) => typeof value !== 'object' && value !== '')
    .map(([name, value]) => `${name}: ${value}`)
  return [topic, signature, facts.join(', ')].filter(Boolean).join(' · ') || 'without words'
}

function sourceOf({ seenIn, discoveredBy }: Lesson): string {
  const [first] = seenIn
  if (first === undefined) return clip(discoveredBy, 12)
  const number = first.replace(/^1\//, '#')
  return seenIn.length === 1 ? number : `${number} +${seenIn.length - 1}`
}

function usesOf(trial: LessonTrial | null): number {
  return trial?.used ?? 0
}

function runsOf({ good, bad }: { good: number; bad: number }): number {
  return good + bad
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function points(share: number): string {
  const value = Math.round(share * 100)
  return value > 0 ? `+${value}` : String(value)
}

/** "+12 (3 to 21)": points of a hundred, and where it lies with a chance of 80 %. */
function upliftOf(trial: LessonTrial | null): string {
  if (trial === null || trial.uplift === null) return 'not known'
  const { mean, low, high } = trial.uplift
  return `${points(mean)} (${points(low)} to ${points(high)})`
}

export function lessonText(known: KnownLesson): string {
  const { lesson, trial } = readable(known)
  const { supersededAt, supersededBy, why } = lesson
  const lines = [
    paint('bold', saidOf(lesson)),
    '',
    ...facts([
      ['id', lesson.id],
      ['type', lesson.type.replace('_', ' ')],
      ['files', lesson.glob ?? 'any'],
      ['action', lesson.action ?? 'any'],
      ['topic', lesson.topic ?? 'none'],
      ['error', lesson.signature ?? 'none'],
      ['confidence', percent(lesson.confidence)],
      ['seen', seenText(lesson)],
      ['found by', `${lesson.discoveredBy}, ${lesson.createdAt.slice(0, 10)}`],
      ['verdict', `${standingOf(lesson)}${why === null ? '' : `: ${why}`}`],
      ...(supersededAt === null ? [] : [['superseded', bySentence(supersededBy, supersededAt)] as const]),
    ]),
    '',
    paint('dim', 'WHERE IT COMES FROM'),
    ...sourceLines(lesson),
    '',
    paint('dim', 'DOES IT HELP'),
    ...trialLines(trial),
  ]
  const details = detailLines(lesson)
  if (details.length > 0) lines.push('', paint('dim', 'DETAILS'), ...details)
  return lines.join('\n')
}

function facts(rows: readonly (readonly [string, string])[]): string[] {
  return pairs(rows.map(([name, value]) => [paint('dim', name), value])).split('\n')
}

function seenText({ occurrences, seenIn }: Lesson): string {
  const times = occurrences === 1 ? 'once' : `${occurrences} times`
  return seenIn.length === 0
    ? times
    : `${times}, at ${seenIn.map((place) => place.replace(/^1\//, '#')).join(', ')}`
}

function bySentence(by: string | null, at: string): string {
  return `${at.slice(0, 10)}${by === null ? ', by nothing' : `, by ${by.slice(0, SHORT)}: treadle lessons show ${by.slice(0, SHORT)}`}`
}

function sourceLines({ provenance, seenIn }: Lesson): string[] {
  const { runId, attempt, commit } = provenance
  const [place] = seenIn
  const lines: string[] = []
  if (runId !== null)
    lines.push(
      `  run ${runId}${attempt === null ? '' : `, attempt ${attempt}`}: treadle explain ${runId}${attempt === null ? '' : ` ${attempt}`}`,
    )
  if (commit !== null) lines.push(`  commit ${commit.slice(0, 12)}: git show ${commit}`)
  if (place !== undefined) {
    const [project = '1', number = '1'] = place.split('/')
    lines.push(`  item #${number}: treadle show ${number}${project === '1' ? '' : ` --project ${project}`}`)
  }
  return lines.length === 0 ? ['  nobody wrote it down'] : lines
}

function trialLines(trial: LessonTrial | null): string[] {
  if (trial === null || (runsOf(trial.shown) === 0 && runsOf(trial.withheld) === 0))
    return ['  Not known yet: no run that fits has ended with or without it.']
  const { shown, withheld, uplift, nextLookAt } = trial
  const lines = [
    `  with it ${share(shown)}, without it ${share(withheld)} passed at the first attempt`,
    ...(uplift === null ? [] : [`  ${upliftSentence(uplift)}`]),
  ]
  if (nextLookAt !== null) lines.push(`  It is judged next after ${nextLookAt} runs.`)
  return lines
}

function share(tally: LessonTrial['shown']): string {
  return `${tally.good} of ${runsOf(tally)}`
}

function upliftSentence({ mean, low, high }: NonNullable<LessonTrial['uplift']>): string {
  const range = `between ${points(low)} and ${points(high)} points with a chance of 80 %`
  if (low > 0) return `It helps: about ${points(mean)} points of a hundred, ${range}.`
  if (high < 0) return `It does harm: about ${points(mean)} points of a hundred, ${range}.`
  return `Whether it helps is not clear: about ${points(mean)} points of a hundred, ${range}.`
}

const DETAIL_CHARS = 400

function detailLines({ payload, content }: Lesson): string[] {
  return Object.entries(payload)
    .filter(([, value]) => value !== content && value !== '')
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : plainText(JSON.stringify(value))
      const cut = text.length > DETAIL_CHARS ? `${text.slice(0, DETAIL_CHARS)}…` : text
      return cut.includes('\n')
        ? `  ${name}:\n    ${cut.trimEnd().replaceAll('\n', '\n    ')}`
        : `  ${name}: ${cut}`
    })
}
