// How far a green patch may be trusted, in words for a reviewer. bench/repair and repair bench measure it.
import type { Trust } from '../edits/edit.ts'
import type { Confidence } from '../result.ts'
import type { Types } from '../search/rank.ts'

export interface ConfidenceFacts {
  readonly trust: Trust
  readonly special: boolean
  /** Makes an operand do nothing, such as plus 0 or times 1. */
  readonly nullifies: boolean
  readonly types: Types
  readonly edits: number
  /** Tests that failed before. */
  readonly failing: number
  readonly passing: number
  /** Green patches in all; those that do the same are one. */
  readonly green: number
  /** Other patches that are about as likely and do something else, as far as is known. */
  readonly rivals: number
  /** 1: it does nothing but take something away. */
  readonly deletes: 0 | 1
  /** Other green patches that do the same on every input that was tried. */
  readonly alike: number
}

const KINDS: Readonly<Record<Trust, string>> = {
  token: 'a small change of a word or an operator, a kind that is more often right than not',
  guard: 'a new or dropped condition, a kind that is more often wrong than right',
  other: 'a default, a copy or a moved statement, a kind that is more often wrong than right',
}

export function confidenceOf(facts: ConfidenceFacts): Confidence {
  const plain = facts.trust === 'token' && facts.edits === 1 && !facts.special && !facts.nullifies
  return plain && isEnough(facts) ? 'high' : 'low'
}

/** No likely rival, and several tests that say so; a single one is enough where nothing else was green at all. */
function isEnough({ types, failing, rivals, green, deletes }: ConfidenceFacts): boolean {
  if (rivals > 0 || deletes === 1 || (types !== 'clean' && types !== 'none')) return false
  return failing >= 2 || green === 1
}

export function sentence(facts: ConfidenceFacts): string {
  const tests = `${count(facts.failing, 'failing test')} ${facts.failing === 1 ? 'passes' : 'pass'} now and ${count(facts.passing, 'other')} still ${facts.passing === 1 ? 'does' : 'do'}`
  const types = {
    clean: 'the type checker agrees',
    unclean: 'but the type checker does not agree',
    unchecked: 'types were not checked',
    none: 'there are no types to check',
  }[facts.types]
  const others = facts.green - 1
  const same =
    facts.alike === 0 ? '' : `${count(facts.alike, 'other patch does', 'other patches do')} the same`
  const different =
    others === 0
      ? ''
      : `${count(others, 'other patch', 'other patches')} also ${others === 1 ? 'passes' : 'pass'}`
  const rest = [same, different].filter((part) => part !== '').join(', ') || 'no other patch was found'
  const label = facts.special
    ? 'It uses a value that stands only in the test, so it may suit nothing else. '
    : ''
  const two = facts.edits > 1 ? `, here ${facts.edits} of them together` : ''
  return `${label}${tests}; ${types}; ${KINDS[facts.trust]}${two}; ${rest}.`
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}
