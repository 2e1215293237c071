import { Receipt, readReceipt } from '@treadle/contracts/receipt'
import { expect, test } from 'vitest'
import { COMMIT, green, NOW, red, sampleItem } from '../work/testing/sample.ts'
import { makeReceipt, type ReceiptFacts, receiptGate, receiptText } from './receipt.ts'

const approval = { kind: 'reviewer', by: 'review-agent', at: NOW.toISOString() } as const
const stand = { commit: COMMIT, tree: 'b'.repeat(40) }
const facts: ReceiptFacts = {
  item: { ...sampleItem({ approval }), approval },
  run: {
    gates: [],
    history: [],
    usage: [{ model: 'writer', inputTokens: 1, outputTokens: 1, usd: 0, durationMs: 1 }],
  },
  review: null,
  target: 'main',
  isInverse: null,
  base: stand,
  head: stand,
  tree: 'c'.repeat(40),
  batch: null,
  install: null,
  merged: [green()],
  locks: [],
  platform: { os: 'linux', arch: 'x64', node: 'v24.0.0' },
  at: NOW,
}

test('a receipt from before there were batches and reviews is read as ever', () => {
  const receipt = makeReceipt(facts)
  expect(receipt.predicate).not.toHaveProperty('batch')
  expect(receipt.predicate.review).toEqual(approval)
  expect(readReceipt(receiptText(receipt))).toEqual(receipt)
})

test('a receipt names the merge that is taken back', () => {
  const reverts = { number: 12, commit: COMMIT }
  expect(makeReceipt(facts).predicate).not.toHaveProperty('reverts')
  const receipt = makeReceipt({ ...facts, item: { ...facts.item, reverts }, isInverse: true })
  expect(receipt.predicate.reverts).toEqual({ ...reverts, exact: true })
  expect(readReceipt(receiptText(receipt))).toEqual(receipt)
})

test('what the review found, and who has read the change, stands in the receipt', () => {
  const receipt = makeReceipt({
    ...facts,
    review: {
      checks: [green('witness'), red('mutation', ['a mutant survived'])],
      checkedTree: stand.tree,
      criteria: [{ id: 'AC-1', description: 'It pumps', status: 'met', note: 'pump.ts:3' }],
      engine: 'claude',
      model: 'reader',
      status: 'approved',
    },
  })
  expect(Receipt.parse(receipt).predicate.review).toMatchObject({
    ...approval,
    checks: [
      { gate: 'witness', is: 'passed' },
      { gate: 'mutation', is: 'failed' },
    ],
    checkedTree: stand.tree,
    criteria: [{ id: 'AC-1', description: 'It pumps', status: 'met' }],
    reviewer: { engine: 'claude', model: 'reader', verdict: 'approved' },
    writtenWith: ['writer'],
  })
})

test('what the review found on another tree than the merged head stays out; who has read the change is told', () => {
  const criteria = [{ id: 'AC-1', description: 'It pumps', status: 'met' as const, note: 'pump.ts:3' }]
  const review = {
    checks: [green('witness')],
    criteria,
    engine: 'claude',
    model: null,
    status: 'approved' as const,
  }
  for (const checkedTree of ['e'.repeat(40), null]) {
    const receipt = makeReceipt({ ...facts, review: { ...review, checkedTree } })
    expect(Receipt.parse(receipt).predicate.review).toEqual({
      ...approval,
      reviewer: { engine: 'claude', verdict: 'approved' },
      writtenWith: ['writer'],
    })
  }
})

test('a measure stands in the receipt with what it said, unless the head is another than was measured', () => {
  const measure = { command: 'sh size.sh', better: 'lower' } as const
  const found = { is: 'improved', before: 412, after: 380, better: 'lower' } as const
  const witness = green('witness')
  if (!('evidence' in witness)) throw new Error('it has evidence')
  const checks = [{ ...witness, evidence: { ...witness.evidence, measure: found } }]
  const review = { checks, criteria: [], engine: null, model: null, status: 'approved' } as const
  const make = (checkedTree: string, began: string | null) =>
    makeReceipt({
      ...facts,
      item: { ...facts.item, measure },
      review: { ...review, checks: [...review.checks], criteria: [], checkedTree },
      began,
    })
  const receipt = make(stand.tree, COMMIT)
  expect(receipt.predicate.measure).toEqual({ ...measure, base: COMMIT, found })
  expect(readReceipt(receiptText(receipt))).toEqual(receipt)
  expect(make('e'.repeat(40), COMMIT).predicate).not.toHaveProperty('measure')
  expect(make(stand.tree, null).predicate).not.toHaveProperty('measure')
})

test('a merge of a batch names what was tested and with whom', () => {
  const merges = [7, 8].map((number) => ({ item: { projectNumber: 1, number }, head: COMMIT }))
  const batch = { tested: 'd'.repeat(40), merges }
  const receipt = makeReceipt({ ...facts, batch })
  expect(receipt.subject[0].digest.gitTree).toBe(facts.tree)
  expect(Receipt.parse(receipt).predicate.batch).toEqual(batch)
})

test('how strong the tests are stands in the receipt, also where nothing is to be warned of', () => {
  const strong = green('mutation')
  if (!('evidence' in strong)) throw new Error('it has evidence')
  const told = { ...strong, evidence: { ...strong.evidence, tail: '{\n  "asked": 60,\n  "percent": 87,\n' } }
  expect(receiptGate(told).notes).toEqual(['assertions noticed 87 % of the planted faults'])
  expect(receiptGate(strong).notes).toEqual([])
})
