// May a conflict be tried without a person? Only a small one, and never in files where a wrong line does silent harm.
import { matchesAny } from '../../work/glob.ts'

export interface ConflictFacts {
  readonly files: readonly string[]
  readonly allowed: boolean
  readonly criticalFiles: readonly string[]
  /** From this many files on, a person decides. */
  readonly filesMax: number
  /** Was the branch ever pushed? What others may have is not rewritten. */
  readonly pushed: boolean
}
export type ConflictChoice =
  | { readonly is: 'try'; readonly how: 'rebase' | 'merge' }
  | { readonly is: 'escalate'; readonly because: string }

export function decideConflict(facts: ConflictFacts): ConflictChoice {
  const { files, filesMax } = facts
  if (!facts.allowed) return { is: 'escalate', because: 'merge.autoResolve is off' }
  const critical = files.filter((file) => matchesAny(file, facts.criticalFiles))
  if (critical.length > 0) return { is: 'escalate', because: `critical: ${critical.join(', ')}` }
  if (files.length >= filesMax)
    return { is: 'escalate', because: `${files.length} files, and from ${filesMax} on a person decides` }
  return { is: 'try', how: facts.pushed ? 'merge' : 'rebase' }
}

/** Why nothing new may be claimed while too much waits for a person; null: go on. */
export function judgePending(pending: number, max: number): string | null {
  return pending > max ? `${pending} conflicts wait for a person, more than ${max}: treadle conflicts` : null
}
