// A merge's receipt in words, and whether it may be believed.

import type { Approval, RestsOn } from '@treadle/contracts/item'
import type { KeptReceipt, Receipt, ReceiptGate, SignatureFound } from '@treadle/contracts/receipt'
import { GATE_WORDS } from '@treadle/contracts/words/gates'
import { readerWords } from '@treadle/contracts/words/reader'
import type { Tone } from '@treadle/contracts/words/state'
import { revealed } from '../live/unseen-characters.model.ts'
import { GATE_TONES, type Standing } from '../parts/gate-line.model.ts'

/** The standing of a receipt: is it the one that the merge commit names, and does it speak of that commit's tree? */
export function standingOf({ stated, found, receipt, why, tree, signature }: KeptReceipt): Standing {
  const bad = (words: string): Standing => ({ tone: 'bad', words })
  if (stated === null)
    return bad('The merge commit names no receipt, so nothing binds this one to it. Do not rely on it.')
  if (stated !== found)
    return bad(
      `This is not the receipt that the merge commit names: the commit states SHA-256 ${stated}, what is kept here has ${found}. Do not rely on it.`,
    )
  if (receipt === null) return bad(`The merge commit names it, and it cannot be read: ${why ?? 'no reason'}.`)
  const states = receipt.subject[0].digest.gitTree
  if (states !== tree)
    return bad(
      `The merge commit has the tree ${tree}, and the receipt is about ${states}. Do not rely on it.`,
    )
  if (signature.is === 'bad')
    return bad('The signature does not fit: the commit is not the one that was signed.')
  return {
    tone: 'good',
    words: 'This is the receipt that the merge commit names, and it is about the tree that was merged.',
  }
}

export function signatureWords(found: SignatureFound): Standing {
  switch (found.is) {
    case 'good':
      return { tone: 'good', words: `signed by ${found.by}` }
    case 'unknown_key':
      return { tone: 'plain', words: `signed with ${found.by}, a key whose owner is not known here` }
    case 'bad':
      return { tone: 'bad', words: 'the commit is not the one that was signed' }
    case 'unchecked':
      return { tone: 'attention', words: `could not be checked: ${found.why}` }
    case 'none':
      return { tone: 'plain', words: 'not signed' }
  }
}

export interface ReceiptLine {
  readonly name: string
  readonly tone: Tone
  readonly words: string
  readonly command: string | null
  readonly notes: readonly string[]
  readonly output: string | null
}

export function receiptLine({
  gate,
  is,
  command,
  exitCode,
  tests,
  notes,
  evidence,
}: ReceiptGate): ReceiptLine {
  const { tone, words } = GATE_TONES[is]
  const shown = command === null ? null : revealed(command)
  const counted = tests === null ? words : `${words}, ${tests.passed} of ${tests.total}`
  const ended = exitCode === null || exitCode === 0 ? counted : `${counted}, exit code ${exitCode}`
  return { name: GATE_WORDS[gate], tone, words: ended, command: shown, notes, output: evidence }
}

const APPROVED: Record<Approval['kind'], string> = {
  human: 'a person',
  reviewer: 'the reviewer',
  standing_order: 'the owner’s setting to merge when checks pass',
}

const RESTS_ON: Record<RestsOn, string> = {
  sandbox: 'a sandbox, which kept the owner’s key from the crew',
  other_user: 'another user of the machine, as whom the crew ran',
  code: 'a code that somebody read and typed; nothing else kept the owner’s key from the crew',
  nothing: 'nothing that kept the owner’s key from the crew',
}

export interface Fact {
  readonly name: string
  readonly value: string
}

export function reviewFacts({ review }: Receipt['predicate']): Fact[] {
  const { kind, by, reviewer, restsOn, writtenWith = [] } = review
  return [
    { name: 'Approved by', value: `${APPROVED[kind]}, ${by}` },
    ...(restsOn === undefined ? [] : [{ name: 'Rests on', value: RESTS_ON[restsOn] }]),
    ...(reviewer === undefined
      ? []
      : [
          {
            name: 'Read by',
            value: `${readerWords(reviewer, writtenWith)}, which said ${reviewer.verdict.replaceAll('_', ' ')}`,
          },
        ]),
  ]
}

/** Facts about the witness and the planted faults, as far as the receipt speaks of them. */
export function proofFacts({ review, delivered, evidence }: Receipt['predicate']): Fact[] {
  const checks = review.checks ?? delivered
  const of = (gate: ReceiptGate['gate']) => checks.find((check) => check.gate === gate)
  const words = (check: ReceiptGate | undefined): string => {
    if (check === undefined) return 'not stated'
    const line = receiptLine(check)
    return [line.words, ...line.notes].join('; ')
  }
  return [
    {
      name: 'Evidence',
      value: evidence === undefined ? 'not stated' : `${evidence.level}: ${evidence.why}`,
    },
    { name: 'Witness', value: words(of('witness')) },
    { name: 'Strength of the tests', value: words(of('mutation')) },
  ]
}

export function environmentFacts({ environment, install }: Receipt['predicate']): Fact[] {
  const { os, arch, node, locks } = environment
  return [
    { name: 'System', value: `${os} ${arch}, Node ${node}` },
    { name: 'Installed by', value: install ?? 'nothing was installed' },
    {
      name: 'Lock files',
      value:
        locks.length === 0
          ? 'none'
          : locks.map(({ path, blob }) => `${path} (${blob.slice(0, 12)})`).join(', '),
    },
  ]
}

/** The batch that the checks ran on; null if that was this merge alone. */
export function batchWords({ batch, head }: Receipt['predicate']): string | null {
  if (batch === undefined) return null
  const items = batch.merges.map(({ item }) => `#${item.number}`).join(', ')
  const last = batch.merges.at(-1)?.head === head.commit
  return `Tested as one stack with ${items}; the checks ran on the last of them${last ? ', which is this one' : ''}.`
}
