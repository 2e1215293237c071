import type { Item } from '@treadle/contracts/item'
import type { PhaseRecord, Run } from '@treadle/contracts/run'
import { measureWords } from '@treadle/contracts/words/measure'
import { revertsWords } from '@treadle/contracts/words/revert'
import type { Tone } from '@treadle/contracts/words/state'
import { duration } from '@treadle/contracts/words/time'
import type { Standing } from '../parts/gate-line.model.ts'

export interface Attempt {
  /** The number of the attempt, from 1. */
  readonly number: number
  /** The record of the writing: a first build, or an improvement. */
  readonly work: PhaseRecord | null
  readonly test: PhaseRecord | null
  /** Other records of the attempt, in the order in which they happened. */
  readonly others: readonly PhaseRecord[]
}

/** Attempts of a run, in the order in which they were made. */
export function attemptsOf({ history }: Pick<Run, 'history'>): Attempt[] {
  const grouped = Map.groupBy(history, ({ iteration }) => iteration)
  return [...grouped]
    .toSorted(([one], [other]) => one - other)
    .map(([iteration, records]) => {
      const work = records.findLast(({ phase }) => phase === 'build' || phase === 'improve') ?? null
      const test = records.findLast(({ phase }) => phase === 'test') ?? null
      return {
        number: iteration + 1,
        work,
        test,
        others: records.filter((record) => record !== work && record !== test),
      }
    })
}

const RUN_ENDS: Readonly<Record<string, string>> = {
  success: 'delivered',
  escalation: 'needs you',
  failure: 'failed',
  error: 'failed',
}

/** How a run ended, or that it has not. */
export function runWords({ outcome, endedAt }: Pick<Run, 'outcome' | 'endedAt'>): string {
  if (outcome !== null) return RUN_ENDS[outcome] ?? outcome.replaceAll('_', ' ')
  return endedAt === null ? 'at work' : 'ended'
}

/** True if all that a text adds and takes away is in the change as well: shown once, it has been shown. */
export function isToldBy(text: string, diff: string): boolean {
  const changed = (whole: string) => whole.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line))
  const told = changed(text)
  const known = new Set(changed(diff))
  return told.length > 0 && told.every((line) => known.has(line))
}

/** `over`: nothing more comes of the run, so what was not tested never will be. */
export function standingOfAttempt({ test, work }: Attempt, over: boolean): Standing {
  if (test !== null) {
    return test.groups.length > 0 || test.outcome !== 'passed'
      ? { tone: 'bad', words: 'failed' }
      : { tone: 'good', words: 'passed' }
  }
  if (work === null) return { tone: 'plain', words: 'nothing written' }
  if (work.outcome !== 'done') return { tone: 'bad', words: work.outcome.replaceAll('_', ' ') }
  return over ? { tone: 'plain', words: 'not tested' } : { tone: 'busy', words: 'not tested yet' }
}

/** An item's settings in words: how it is to be done, besides its text. */
export function askedFacts(item: Item): string[] {
  const { priority, labels, engine, testCommand, measure, mayChangeTests, reverts } = item
  return [
    ...(priority === null ? [] : [`priority ${priority}`]),
    ...(engine === null ? [] : [`engine ${engine}`]),
    ...(testCommand === null ? [] : [`test command: ${testCommand}`]),
    ...(measure === null ? [] : [`measured by: ${measureWords(measure)}`]),
    ...(mayChangeTests ? ['may change tests'] : []),
    ...(reverts === null ? [] : [`reverts ${revertsWords(reverts)}`]),
    ...labels.map((label) => `label ${label}`),
  ]
}

/** Why criteria of a merged item were never judged; null where they were, or still may be. */
export function unjudgedWords({ state, acceptance, approval }: Item): string | null {
  if (state !== 'done' || acceptance.every(({ status }) => status !== 'pending')) return null
  switch (approval?.kind) {
    case 'human':
      return `What is not judged was not checked one by one: ${approval.by} approved the change as a whole.`
    case 'standing_order':
      return 'What is not judged was not checked one by one: it was merged automatically when its checks passed.'
    default:
      return 'What is not judged was not checked by anyone.'
  }
}

/** The story of an attempt without the hashes of what stands beside it as a button. */
export function explainedText(text: string): string {
  return text
    .replace(/^ *What it was told is evidence [0-9a-f]{64}\.\n?/gm, '')
    .replace(/^The whole diff is evidence [0-9a-f]{64}\.\n+/gm, '')
}

/** A phase as it is drawn: its share of the time, and how it went. */
export interface Piece {
  readonly key: string
  readonly phase: string
  readonly tone: Tone
  /** Share of the time, 0 to 1, at least so much that it can be seen. */
  readonly share: number
  readonly durationMs: number
  readonly words: string
}

const SHARE_MIN = 0.08

export function phaseStrip(history: readonly PhaseRecord[]): Piece[] {
  const whole = history.reduce((sum, { durationMs }) => sum + durationMs, 0)
  return history.map(({ phase, iteration, durationMs, outcome, groups }, index) => ({
    key: `${index}`,
    phase,
    tone: toneOfPhase({ phase, outcome, groups }),
    share: whole === 0 ? 1 : Math.max(SHARE_MIN, durationMs / whole),
    durationMs,
    words: `${phase} of attempt ${iteration + 1}: ${outcome.replaceAll('_', ' ')} after ${duration(durationMs)}`,
  }))
}

function toneOfPhase({ phase, outcome, groups }: Pick<PhaseRecord, 'phase' | 'outcome' | 'groups'>): Tone {
  if (phase === 'escalation') return 'attention'
  if (phase === 'test') return groups.length > 0 || outcome !== 'passed' ? 'bad' : 'good'
  if (phase === 'commit') return 'good'
  return outcome === 'done' ? 'busy' : 'attention'
}

/** Nothing more will be spent on it. */
export function isEnded({ state }: Pick<Item, 'state'>): boolean {
  return state === 'done' || state === 'withdrawn'
}

export function costOf({ usage }: Pick<Run, 'usage'>): number | null {
  const known = usage.flatMap(({ usd }) => (usd === null ? [] : [usd]))
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0)
}

/** A step that wants a terminal: to see it fail, or to take a change that was kept. What the page has buttons for is left out. */
export interface StepToTake {
  readonly words: string
  readonly command: string
}

const IN_TERMINAL = /^(See it fail|Take the change of attempt \d+, and mend what refused it): (.+)$/s

export function stepsToTake(nextSteps: readonly string[]): StepToTake[] {
  return nextSteps.flatMap((step) => {
    const [, words, command] = IN_TERMINAL.exec(step) ?? []
    return words === undefined || command === undefined ? [] : [{ words, command }]
  })
}

interface SaidPart {
  readonly is: 'words' | 'code'
  readonly text: string
}

/** What an engine said, its fenced code apart from its words. */
export function saidParts(said: string): SaidPart[] {
  return said
    .split(/^```[^\n`]*\n([\s\S]*?)\n```$/m)
    .map((text, index): SaidPart => ({ is: index % 2 === 1 ? 'code' : 'words', text: text.trim() }))
    .filter(({ text }) => text !== '')
}
