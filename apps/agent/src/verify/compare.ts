// Holds what was found against what a receipt states. Pure.
import { createHash } from 'node:crypto'
import type { Receipt, ReceiptGate } from '@treadle/contracts/receipt'
import { readerWords } from '@treadle/contracts/words/reader'

export interface Check {
  readonly what: string
  /** A note is told and decides nothing; so is what could not be checked, which the answer itself names. */
  readonly is: 'same' | 'differs' | 'missing' | 'unchecked' | 'note'
  readonly words: string
  /** What the clone has not, if that may be why it ended otherwise. */
  readonly lacks?: 'packages'
}

export type Verdict = 'yes' | 'no' | 'cannot_tell'

export function verdictOf(checks: readonly Check[]): Verdict {
  if (checks.some(({ is }) => is === 'differs')) return 'no'
  return checks.some(({ is }) => is === 'missing') ? 'cannot_tell' : 'yes'
}

const WORDS: Record<Verdict, string> = {
  yes: 'Yes: the merge does what its receipt states.',
  no: 'No: the merge does not do what its receipt states.',
  cannot_tell: 'Cannot tell: something is missing.',
}

/** A yes does not pass over what it could not look at. */
export function answerOf(checks: readonly Check[]): string {
  const verdict = verdictOf(checks)
  const unchecked = verdict === 'yes' ? checks.filter(({ is }) => is === 'unchecked') : []
  // What is missing is said in the answer itself: whoever reads one line reads this one.
  const missing = verdict === 'cannot_tell' && checks.some(({ lacks }) => lacks === 'packages')
  const answer = missing ? 'Cannot tell: dependencies missing.' : (signatureAnswer(checks) ?? WORDS[verdict])
  return [answer, ...unchecked.map(({ what, words }) => `But its ${what} ${words}.`)].join('\n')
}

/** Where nothing but the signature speaks against a yes; null: something else does. */
function signatureAnswer(checks: readonly Check[]): string | null {
  const verdict = verdictOf(checks)
  const against = checks.filter(({ is }) => is === (verdict === 'no' ? 'differs' : 'missing'))
  const [only] = against
  if (verdict === 'yes' || only?.what !== 'signature' || against.length > 1) return null
  return verdict === 'no'
    ? `No: ${only.words}.`
    : `Cannot tell: it does what its receipt states, but who made it is not known: ${only.words}.`
}

export function checkDigest(text: string, stated: string): Check {
  const found = createHash('sha256').update(text).digest('hex')
  return found === stated
    ? { what: 'receipt', is: 'same', words: `its SHA-256 is the one in the commit, ${stated.slice(0, 12)}…` }
    : { what: 'receipt', is: 'differs', words: `its SHA-256 is ${found}, the commit states ${stated}` }
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

/** A merge and its parents, as git lists them. */
export interface Listed {
  readonly commit: string
  readonly parents: readonly string[]
}

/** The last merge of the stack that a merge was tested with, found by the parents that its receipt names. */
export function topOfBatch(
  { predicate }: Receipt,
  commit: string,
  merges: readonly Listed[],
): { readonly is: 'found'; readonly commit: string } | { readonly is: 'lost'; readonly words: string } {
  const { batch, head } = predicate
  if (batch === undefined) return { is: 'found', commit }
  const at = batch.merges.findIndex((each) => each.head === head.commit)
  if (at === -1) return { is: 'lost', words: 'the receipt does not name this merge among those of its batch' }
  let top = commit
  for (const next of batch.merges.slice(at + 1)) {
    const found = merges.find(({ parents }) => parents[0] === top && parents[1] === next.head)
    if (found === undefined)
      return {
        is: 'lost',
        words: `it was tested together with ${label(next.item)}, whose merge on top of it is not here`,
      }
    top = found.commit
  }
  return { is: 'found', commit: top }
}

export function checkBatch({ subject, predicate }: Receipt, top: Stand): Check[] {
  const { batch } = predicate
  if (batch === undefined) return []
  const what = 'batch'
  if (batch.tested !== top.tree)
    return [{ what, is: 'differs', words: `its last tree is ${top.tree}, stated was ${batch.tested}` }]
  const items = batch.merges.map(({ item }) => label(item)).join(', ')
  const own =
    subject[0].digest.gitTree === batch.tested
      ? 'this merge is the last of them'
      : `the checks ran on ${top.commit.slice(0, 12)}, the last of them; this merge was not tested by itself`
  return [{ what, is: 'same', words: `tested as one stack: ${items}; ${own}` }]
}

function label({ projectNumber, number }: { projectNumber: number; number: number }): string {
  return `${projectNumber}/${number}`
}

/** What the receipt states and nobody executes again. */
export function checkReview({ predicate }: Receipt): Check[] {
  const { checks, reviewer, kind, by, writtenWith = [] } = predicate.review
  const said = (checks ?? []).map(({ gate, is, notes }) =>
    gate === 'mutation' && notes[0] !== undefined ? `${gate} ${is} (${notes[0]})` : `${gate} ${is}`,
  )
  const read =
    reviewer === undefined ? [] : [`${readerWords(reviewer, writtenWith)} said ${reviewer.verdict}`]
  const found = [...read, ...said].join(', ')
  const words = `${kind} ${by}${found === '' ? '' : `; ${found}`}; stated, not executed again`
  return [{ what: 'review', is: 'note', words }]
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

export interface Lacks {
  readonly words: readonly string[]
  /** A package that the output names is not there. */
  readonly packages: boolean
}

/** What the merge had and this clone has not: a check that ends otherwise here does not speak against the merge then. */
export function lacksOf(
  { predicate }: Receipt,
  { emptySubmodules, missing }: { emptySubmodules: readonly string[]; missing: string | null },
): Lacks {
  const { install, environment } = predicate
  const packages =
    'no install command was recorded: the merge used packages that were already there; set tests.setupCommand'
  // What an install has brought is complete; what nobody has installed need not be.
  const away = install === null && missing !== null ? [`dependencies missing: ${missing}`] : []
  const unknown = install === null && (environment.locks.length > 0 || away.length > 0)
  const words = [
    ...away,
    ...(unknown ? [packages] : []),
    ...emptySubmodules.map((path) => `the submodule ${path} is not in this repository: git submodule update`),
  ]
  return { words, packages: away.length > 0 }
}

export function excuse(checks: readonly Check[], { words, packages }: Lacks): Check[] {
  if (words.length === 0) return [...checks]
  return checks.map((check) =>
    check.is === 'differs'
      ? {
          ...check,
          is: 'missing',
          words: [check.words, ...words].join('\n'),
          ...(packages ? { lacks: 'packages' } : {}),
        }
      : check,
  )
}

/** How a check ended, in words. */
export function outcomeOf({ exitCode, tests, notes, is }: ReceiptGate): string {
  if (is === 'not_run' || is === 'skipped') return `${is === 'skipped' ? 'skipped' : 'not run'}: ${notes[0]}`
  const code = exitCode === null ? 'ended by a signal' : `exit code ${exitCode}`
  if (tests === null) return code
  const { total, passed, failed, skipped } = tests
  return `${code}, ${passed} of ${total} tests passed, ${failed} failed, ${skipped} skipped`
}
