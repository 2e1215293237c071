// Readiness: nothing is offered while packages, build and tests of the target cannot be run; it is found out once for the
// crew, and not by each item in turn.
import type { Readiness, ReadinessFound, Trouble } from '@treadle/contracts/readiness'
import { stepWords, troubleWords } from '@treadle/contracts/words/readiness'

/** What was found the last time somebody looked. */
export interface ReadinessRecord {
  /** Stands for the settings and the files that decide what is installed, built and run. */
  readonly key: string
  /** The commit of the target that was looked at. */
  readonly commit: string
  readonly at: string
  readonly found: ReadinessFound
  /** The look broke off by a fault of its own, and what is found was believed before. */
  readonly isBroken?: true
}

/** An install that failed may have failed because of the network: it is tried again by itself, seldom. */
const AGAIN_MS = 15 * 60_000

export interface ReadinessFacts {
  readonly record: ReadinessRecord | null
  readonly key: string
  readonly commit: string
  readonly now: number
  /** Somebody asks for it: a person, or an agent that met trouble. */
  readonly isAsked: boolean
}

/** Whether it has to be looked at again. */
export function isLookDue({ record, key, commit, now, isAsked }: ReadinessFacts): boolean {
  if (isAsked || record === null || record.key !== key) return true
  const isOld = now - Date.parse(record.at) >= AGAIN_MS
  if (record.found.is !== 'not_ready') return record.isBroken === true && isOld
  if (record.commit !== commit) return true
  return (record.isBroken === true || record.found.trouble.kind === 'install_failed') && isOld
}

/** Why nothing is offered; null: items are. A set-up that was ready is believed while a new one is looked at. */
export function readinessHold({ found, checking }: Pick<Readiness, 'found' | 'checking'>): string | null {
  const now = checking === null ? null : stepWords(checking)
  if (found === null)
    return `Packages, build and tests are tried before items are offered${now === null ? '' : `: ${now}`}`
  if (found.is !== 'not_ready') return null
  const again = now === null ? '' : ` It is tried again: ${now}`
  return `The tests cannot be run: ${sentence(troubleWords(found.trouble))}${again}`
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

/** So often the look at the target may find nothing wrong where agents meet trouble, before they are believed. */
const VAIN_LOOKS_MAX = 3
/** What lies further apart has nothing to do with each other. */
const VAIN_APART_MS = 60 * 60_000

/** Looks that found nothing wrong although agents had just met trouble, one after the other. */
export interface VainLooks {
  readonly key: string
  readonly commit: string
  /** When the last of them ended. */
  readonly at: string
  readonly count: number
}

/** What is believed after a look, where agents have met trouble since the one before it. However many did, it is one look. */
export function afterDoubt(
  { key, commit, at, found }: ReadinessRecord,
  met: readonly Trouble[],
  before: VainLooks | null,
): { found: ReadinessFound; vain: VainLooks | null } {
  const last = met.at(-1)
  if (found.is === 'not_ready' || last === undefined) return { found, vain: null }
  const isSame =
    before !== null &&
    before.key === key &&
    before.commit === commit &&
    Date.parse(at) - Date.parse(before.at) <= VAIN_APART_MS
  const count = isSame ? before.count + 1 : 1
  return count < VAIN_LOOKS_MAX
    ? { found, vain: { key, commit, at, count } }
    : { found: { is: 'not_ready', trouble: last }, vain: null }
}
