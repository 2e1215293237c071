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
}

/** An install that failed may have failed because of the network: it is tried again by itself, seldom. */
const INSTALL_AGAIN_MS = 15 * 60_000

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
  if (record.found.is !== 'not_ready') return false
  if (record.commit !== commit) return true
  const isInstall = record.found.trouble.kind === 'install_failed'
  return isInstall && now - Date.parse(record.at) >= INSTALL_AGAIN_MS
}

/** Why nothing is offered; null: items are. A set-up that was ready is believed while a new one is looked at. */
export function readinessHold({ found, checking }: Pick<Readiness, 'found' | 'checking'>): string | null {
  const now = checking === null ? null : stepWords(checking)
  if (found === null)
    return `The world is being made ready before anybody is asked${now === null ? '' : `: ${now}`}`
  if (found.is !== 'not_ready') return null
  const again = now === null ? '' : ` It is tried again: ${now}`
  return `The world is not ready: ${sentence(troubleWords(found.trouble))}${again}`
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

/** So often agents may meet trouble that the look at the target does not, before they are believed. */
const DOUBTS_MAX = 3

/** What is believed after agents have met trouble in a world that was found ready. */
export function afterDoubt(found: ReadinessFound, met: readonly Trouble[]): ReadinessFound {
  const last = met.at(-1)
  return found.is === 'not_ready' || last === undefined || met.length < DOUBTS_MAX
    ? found
    : { is: 'not_ready', trouble: last }
}
