// The session of an engine, read from the events of its run: what it says, which tools it calls, what came of them.
import { type EventType, STEP_TYPES, type StoredEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/event/sentence'
import type { Observation, PhaseRecord } from '@treadle/contracts/run'
import { spokenPart } from '@treadle/contracts/words/spoken'
import type { Tone } from '@treadle/contracts/words/state'
import { revealed } from '../live/unseen-characters.model.ts'

export type CallState = 'running' | 'worked' | 'failed' | 'not allowed' | 'cut off'

export interface SaidEntry {
  readonly is: 'said'
  readonly key: string
  readonly at: string
  readonly text: string
  /** Characters that were not recorded. */
  readonly leftOut: number
  /** It is being written word by word, and ends with a block for Treadle. */
  readonly isReply?: true
}

export interface CallEntry {
  readonly is: 'call'
  readonly key: string
  readonly at: string
  readonly tool: string
  readonly input: string
  readonly output: string
  readonly state: CallState
  readonly durationMs: number | null
}

interface MarkEntry {
  readonly is: 'mark'
  readonly key: string
  readonly at: string
  readonly text: string
  readonly detail: string | null
  readonly tone: Tone
}

export type SessionEntry = SaidEntry | CallEntry | MarkEntry

/** More in one paragraph is hard to draw and to read. */
const PARAGRAPH_CHARS_MAX = 8_000
/** Told elsewhere on the page, or about money. */
const QUIET: readonly EventType[] = [
  'run.session',
  'run.recalled',
  'run.heard',
  'run.learned',
  'run.reviewed',
  'thought.asked',
  'thought.answered',
]
const SHOWN_STEPS: readonly EventType[] = ['run.phase', 'run.baseline']
const ENDS: readonly EventType[] = ['build.finished', 'build.failed', 'claim.released', 'claim.expired']

/** Entries of the session of a run or of a thought, oldest first. */
export function sessionOf(events: readonly StoredEvent[]): SessionEntry[] {
  const entries: SessionEntry[] = []
  for (const stored of events) take(entries, stored)
  return entries.flatMap((entry) => (entry.is === 'said' && entry.isReply === true ? spoken(entry) : [entry]))
}

/** A reply without the block that is for Treadle. */
function spoken(entry: SaidEntry): SaidEntry[] {
  const text = spokenPart(entry.text)
  return text === '' && entry.leftOut === 0 ? [] : [{ ...entry, text }]
}

function take(entries: SessionEntry[], stored: StoredEvent): void {
  const { event, at, cursor: key } = stored
  switch (event.type) {
    case 'run.said':
      say(entries, { key, at, text: plain(event.text), leftOut: event.leftOut ?? 0 })
      break
    case 'thought.said':
      sayOn(entries, { key, at, text: plain(event.text), leftOut: event.leftOut ?? 0 })
      break
    case 'thought.claimed':
      // The first to have it is named above the session.
      if (event.fence > 1) mark(entries, stored)
      break
    case 'run.began': {
      const { tool, input } = event
      const begun = { tool: plain(tool), input: plain(input), output: '', durationMs: null }
      entries.push({ is: 'call', key, at, ...begun, state: 'running' })
      break
    }
    case 'run.observed':
      observe(entries, { key, at }, event.observation)
      break
    default:
      mark(entries, stored)
  }
}

function mark(entries: SessionEntry[], stored: StoredEvent): void {
  const { event, at, cursor: key } = stored
  if (ENDS.includes(event.type)) cutOff(entries)
  if (QUIET.includes(event.type)) return
  if (STEP_TYPES.includes(event.type) && !SHOWN_STEPS.includes(event.type)) return
  const { text, detail, tone } = sentence(stored)
  entries.push({
    is: 'mark',
    key,
    at,
    text: plain(text),
    detail: detail === null ? null : plain(detail),
    tone,
  })
}

function say(entries: SessionEntry[], said: Omit<SaidEntry, 'is'>): void {
  const last = entries.at(-1)
  const isSame = last?.is === 'said' && last.text.length + said.text.length < PARAGRAPH_CHARS_MAX
  if (!isSame) {
    entries.push({ is: 'said', ...said })
    return
  }
  const text = said.text === '' ? last.text : `${last.text}\n${said.text}`
  entries[entries.length - 1] = { ...last, text, leftOut: last.leftOut + said.leftOut }
}

/** The parts of a reply stand together as they are. */
function sayOn(entries: SessionEntry[], said: Omit<SaidEntry, 'is'>): void {
  const last = entries.at(-1)
  if (last?.is !== 'said') entries.push({ is: 'said', ...said, isReply: true })
  else
    entries[entries.length - 1] = {
      ...last,
      text: last.text + said.text,
      leftOut: last.leftOut + said.leftOut,
    }
}

/** A call that has ended takes the place where it began; one of which no beginning was told stands where it ended. */
function observe(entries: SessionEntry[], at: Pick<CallEntry, 'key' | 'at'>, observed: Observation): void {
  const { input, output, durationMs } = observed
  const tool = plain(observed.tool)
  const done = { tool, input: plain(input), output: plain(output), durationMs, state: stateOf(observed) }
  const isOpen = (entry: SessionEntry) =>
    entry.is === 'call' && entry.state === 'running' && entry.tool === tool
  const exact = entries.findIndex(
    (entry) => isOpen(entry) && entry.is === 'call' && done.input.startsWith(entry.input),
  )
  const index = exact === -1 ? entries.findIndex(isOpen) : exact
  const begun = entries[index]
  if (begun === undefined) entries.push({ is: 'call', ...at, ...done })
  else entries[index] = { is: 'call', key: begun.key, at: begun.at, ...done }
}

function stateOf({ success, denied }: Observation): CallState {
  if (denied === true) return 'not allowed'
  return success ? 'worked' : 'failed'
}

/** Nothing of a turn goes on once it is over. */
function cutOff(entries: SessionEntry[]): void {
  for (const [index, entry] of entries.entries())
    if (entry.is === 'call' && entry.state === 'running') entries[index] = { ...entry, state: 'cut off' }
}

export const CALL_TONES: Record<CallState, Tone> = {
  running: 'busy',
  worked: 'good',
  failed: 'bad',
  'not allowed': 'attention',
  'cut off': 'attention',
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** A text without colours and cursor moves of a terminal, and with what cannot be seen made visible. */
export function plain(text: string): string {
  return revealed(text.replace(ANSI, '').replace(/\r\n/g, '\n').replace(CONTROL, ''))
}

/** A text of one line, cut. */
export function oneLine(text: string, max = 160): string {
  const line = plain(text).trim().replace(/\s+/g, ' ')
  return line.length > max ? `${line.slice(0, max - 1)}…` : line
}

/** The change as history knows it at a moment of a replay. */
export function changeAt(history: readonly PhaseRecord[], at: number): string {
  return history
    .filter(({ startedAt, durationMs, phase }) => {
      return phase !== 'escalation' && Date.parse(startedAt) + durationMs <= at + 1_000
    })
    .map(({ diff }) => diff)
    .join('')
}

export interface DiffCount {
  readonly files: number
  readonly added: number
  readonly removed: number
}

export function countDiff(diff: string): DiffCount {
  let files = 0
  let added = 0
  let removed = 0
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) files += 1
    else if (line.startsWith('+') && !line.startsWith('+++ ')) added += 1
    else if (line.startsWith('-') && !line.startsWith('--- ')) removed += 1
  }
  return { files, added, removed }
}

const STEP_MS = { least: 120, most: 2_000 } as const

/** How long a replay stays at an event before it goes on to the next. */
export function replayPauseMs(events: readonly StoredEvent[], position: number, speed: number): number {
  const here = events[position - 1]
  const next = events[position]
  if (here === undefined || next === undefined) return STEP_MS.least
  const gapMs = Date.parse(next.at) - Date.parse(here.at)
  return Math.min(STEP_MS.most, Math.max(STEP_MS.least, gapMs)) / speed
}
