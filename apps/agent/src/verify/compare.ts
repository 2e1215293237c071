// Holds what was found against what a receipt states. Pure.
import { createHash } from 'node:crypto'
import { RECEIPT_TRAILER, Receipt, type ReceiptGate } from '@treadle/contracts/receipt'

export interface Check {
  readonly what: string
  /** A note is told and decides nothing. */
  readonly is: 'same' | 'differs' | 'missing' | 'note'
  readonly words: string
}

export type Verdict = 'yes' | 'no' | 'cannot_tell'

export function verdictOf(checks: readonly Check[]): Verdict {
  if (checks.some(({ is }) => is === 'differs')) return 'no'
  return checks.some(({ is }) => is === 'missing') ? 'cannot_tell' : 'yes'
}

/** The hash that the message of a merge names; null if it names none. */
export function statedDigest(message: string): string | null {
  const trailers = message.trimEnd().split('\n\n').at(-1) ?? ''
  return new RegExp(`^${RECEIPT_TRAILER}: sha256:([0-9a-f]{64})$`, 'm').exec(trailers)?.[1] ?? null
}

export function checkDigest(text: string, stated: string): Check {
  const found = createHash('sha256').update(text).digest('hex')
  return found === stated
    ? { what: 'receipt', is: 'same', words: `its SHA-256 is the one in the commit, ${stated.slice(0, 12)}…` }
    : { what: 'receipt', is: 'differs', words: `its SHA-256 is ${found}, the commit states ${stated}` }
}

export function readReceipt(text: string): Receipt | { readonly why: string } {
  try {
    const read = Receipt.safeParse(JSON.parse(text))
    if (read.success) return read.data
    const [issue] = read.error.issues
    return { why: `it is no receipt of this version: ${issue?.path.join('.')}: ${issue?.message}` }
  } catch {
    return { why: 'it is no JSON' }
  }
}

export interface Stand {
  readonly commit: string
  readonly tree: string
}

export function checkTrees(
  { subject, predicate }: Receipt,
  found: { readonly tree: string; readonly parents: readonly Stand[] },
): Check[] {
  const [base, head] = found.parents
  const same = (what: string, stated: string, is: string | undefined): Check =>
    stated === is
      ? { what, is: 'same', words: stated.slice(0, 12) }
      : { what, is: 'differs', words: `${is ?? 'there is none'}, stated was ${stated}` }
  return [
    same('merged tree', subject[0].digest.gitTree, found.tree),
    same('base', predicate.base.commit, base?.commit),
    same('tree of the base', predicate.base.tree, base?.tree),
    same('head', predicate.head.commit, head?.commit),
    same('tree of the head', predicate.head.tree, head?.tree),
  ]
}

export function checkEnvironment(
  { predicate }: Receipt,
  here: { readonly os: string; readonly arch: string; readonly node: string },
): Check[] {
  const { environment } = predicate
  return (['os', 'arch', 'node'] as const)
    .filter((name) => environment[name] !== here[name])
    .map((what) => ({
      what,
      is: 'note',
      words: `${here[what]} here, ${environment[what]} where it was made`,
    }))
}

/** By exit code and counts: what a check is called may depend on what was red before the change. */
export function checkGate(stated: ReceiptGate, found: ReceiptGate): Check {
  const what = stated.gate
  const command = stated.command ?? ''
  const [is, was] = [outcomeOf(found), outcomeOf(stated)]
  if (is === was) return { what, is: 'same', words: `${command}: ${is}` }
  return { what, is: 'differs', words: `${command}: ${is}, stated was ${was}` }
}

function outcomeOf({ exitCode, tests, notes, is }: ReceiptGate): string {
  if (is === 'not_run' || is === 'skipped') return `${is === 'skipped' ? 'skipped' : 'not run'}: ${notes[0]}`
  const code = exitCode === null ? 'ended by a signal' : `exit code ${exitCode}`
  if (tests === null) return code
  const { total, passed, failed, skipped } = tests
  return `${code}, ${passed} of ${total} tests passed, ${failed} failed, ${skipped} skipped`
}
