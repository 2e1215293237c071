// Orders green patches: likely places and edits first, small before large, test values last.
import { type Edit, sourceChanges, type Trust } from '../edits/edit.ts'
import type { CandidateResult } from './round.ts'

/** none: the project has no types. unchecked: it has, but they could not be checked. */
export type Types = 'clean' | 'unclean' | 'unchecked' | 'none'

export interface Ranked {
  readonly found: CandidateResult
  readonly types: Types
  readonly trust: Trust
  readonly special: boolean
  /** 1: it does nothing but take something away. */
  readonly deletes: 0 | 1
  readonly worth: number
}

const TRUST: Readonly<Record<Trust, number>> = { token: 1, other: 0.6, guard: 0.45 }
/** Edits that only take away, which is seldom what was meant. */
const DROPPED = new Set(['delete', 'drop-operand', 'drop-condition', 'unwrap'])
const LETTERS = 120
/** One edit that does it is likelier than several. */
const EACH_MORE = 0.4

export function rank(green: readonly { found: CandidateResult; types: Types }[]): Ranked[] {
  const ranked = green.map(({ found, types }) => {
    const trust = weakest(found.edits)
    const special = found.edits.some((edit) => edit.special || isSpecialCase(edit))
    const likely = found.edits.reduce((product, edit) => product * edit.score, 1) ** (1 / found.edits.length)
    const size = found.edits.reduce((sum, edit) => sum + sizeOf(edit), 0)
    const drops = found.edits.some((edit) => DROPPED.has(edit.family)) ? 0.5 : 1
    const deletes = found.edits.every(onlyDeletes) ? 1 : 0
    const empty = found.edits.some(nullifies) ? 0.4 : 1
    const several = EACH_MORE ** (found.edits.length - 1)
    const worth = (likely * TRUST[trust] * drops * empty * several) / (1 + size / LETTERS)
    return { found, types, trust, special, deletes, worth } as const
  })
  return ranked.sort((a, b) => band(a) - band(b) || b.worth - a.worth)
}

const TYPES: Readonly<Record<Types, number>> = { clean: 0, none: 0, unchecked: 0.5, unclean: 1 }

/**
 * The band of a patch: those that the compiler refuses come after those it takes, then those that only suit the test,
 * and last those that only take something away.
 */
function band(patch: Omit<Ranked, 'worth'>): number {
  return TYPES[patch.types] + (patch.special ? 2 : 0) + patch.deletes * 4
}

/** A statement, or a check, that goes away with nothing in its place. */
function onlyDeletes(edit: Edit): boolean {
  return (
    (edit.family === 'delete' || edit.family === 'drop-condition') &&
    sourceChanges(edit).every(({ text }) => text.trim() === '')
  )
}

function weakest(edits: readonly Edit[]): Trust {
  const order: readonly Trust[] = ['guard', 'other', 'token']
  return order.find((trust) => edits.some((edit) => edit.trust === trust)) ?? 'other'
}

/** `+ 0`, `- 0`, `* 1`, `/ 1`, `** 1`: the operand is there and does nothing. */
export function nullifies(edit: Edit): boolean {
  return sourceChanges(edit).some(({ start, text }) => {
    const before = edit.file.text.slice(0, start).trimEnd()
    if (text === '0') return /[+-]=?$/.test(before)
    return text === '1' ? /(\*|\/)=?$/.test(before) : /^\s*[+-] 0$|^\s*[*/] 1$/.test(text)
  })
}

/** Letters that come and go. */
function sizeOf(edit: Edit): number {
  return sourceChanges(edit).reduce((sum, { start, end, text }) => {
    const old = edit.file.text.slice(start, end)
    return sum + changedLetters(old, text)
  }, 0)
}

function changedLetters(old: string, text: string): number {
  const max = Math.min(old.length, text.length)
  let head = 0
  while (head < max && old[head] === text[head]) head += 1
  let tail = 0
  while (tail < max - head && old.at(-1 - tail) === text.at(-1 - tail)) tail += 1
  return old.length + text.length - 2 * (head + tail)
}

/** `if (x === 'the input of the test') return …`: a comparison with a value nobody had used before. */
function isSpecialCase(edit: Edit): boolean {
  if (edit.trust !== 'guard') return false
  return sourceChanges(edit).some(({ text }) => {
    const literal = /===\s*('[^']{2,}'|-?\d{2,})/.exec(text)?.[1]
    return literal !== undefined && !edit.file.text.includes(literal)
  })
}
