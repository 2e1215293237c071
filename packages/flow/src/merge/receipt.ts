// The receipt of a merge: what was checked, how, and with which result. Pure.
import type { ReceiptBuild } from '@treadle/contracts/build'
import type { GateResult } from '@treadle/contracts/gate'
import type { Approval, Item } from '@treadle/contracts/item'
import type { Receipt, ReceiptGate } from '@treadle/contracts/receipt'
import type { Review } from '@treadle/contracts/review'
import type { Run } from '@treadle/contracts/run'

export interface ReceiptFacts {
  readonly item: Item & { readonly approval: Approval }
  readonly run: Pick<Run, 'gates' | 'usage' | 'history'> | null
  /** The record of the review that led to the approval, if there is one. */
  readonly review: Pick<Review, 'checks' | 'checkedTree' | 'criteria' | 'engine' | 'model' | 'status'> | null
  readonly target: string
  /** Whether the change is exactly the inverse of the merge that it takes back; null: it takes none back. */
  readonly isInverse: boolean | null
  /** The build whose tasks it brings; left out or null: it is of no build. */
  readonly build?: ReceiptBuild | null
  readonly base: { readonly commit: string; readonly tree: string }
  readonly head: { readonly commit: string; readonly tree: string }
  /** Where the change began; left out or null: nobody knows. */
  readonly began?: string | null
  /** Of the merge. */
  readonly tree: string
  /** Merged together with others: the checks ran on the tree of the last. */
  readonly batch: NonNullable<Receipt['predicate']['batch']> | null
  readonly install: string | null
  readonly merged: readonly GateResult[]
  readonly locks: Receipt['predicate']['environment']['locks']
  readonly platform: { readonly os: string; readonly arch: string; readonly node: string }
  readonly at: Date
}

export function makeReceipt(facts: ReceiptFacts): Receipt {
  const { item, run } = facts
  const applied = run?.history.flatMap((record) => record.applied.map(({ lessonId }) => lessonId)) ?? []
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'merged tree', digest: { gitTree: facts.tree } }],
    predicateType: 'urn:treadle:receipt:1',
    predicate: {
      item: { projectNumber: item.projectNumber, number: item.number, title: item.title },
      run: item.runId,
      target: facts.target,
      base: facts.base,
      head: facts.head,
      ...(facts.batch === null ? {} : { batch: facts.batch }),
      install: facts.install,
      merged: facts.merged.map(receiptGate),
      delivered: run?.gates.map(receiptGate) ?? [],
      environment: { ...facts.platform, locks: [...facts.locks] },
      review: { ...item.approval, ...reviewOf(facts) },
      ...(item.reverts === null || facts.isInverse === null
        ? {}
        : { reverts: { ...item.reverts, exact: facts.isInverse } }),
      ...(facts.build == null ? {} : { build: facts.build }),
      ...measureOf(facts),
      ...(item.evidence === null ? {} : { evidence: item.evidence }),
      costUSD: run?.usage.reduce((sum, { usd }) => sum + (usd ?? 0), 0) ?? 0,
      lessons: [...new Set(applied)],
      madeAt: facts.at.toISOString(),
    },
  }
}

function reviewOf({ review, head, run }: ReceiptFacts): Partial<Receipt['predicate']['review']> {
  if (review === null) return {}
  const { engine, model, status: verdict } = review
  const models = modelsOf(run)
  const reader = {
    ...(engine === null ? {} : { reviewer: { engine, ...(model === null ? {} : { model }), verdict } }),
    ...(models.length === 0 ? {} : { writtenWith: models }),
  }
  // The head may have been adapted since: what was found on another tree says nothing about this one.
  if (review.checkedTree !== head.tree) return reader
  return {
    checks: review.checks.map(receiptGate),
    checkedTree: review.checkedTree,
    criteria: review.criteria.map(({ id, description, status }) => ({ id, description, status })),
    ...reader,
  }
}

/** The measure as it was taken on this very head; nothing, if the head was adapted since. */
function measureOf({
  item,
  review,
  head,
  began = null,
}: ReceiptFacts): Pick<Receipt['predicate'], 'measure'> {
  if (item.measure === null || began === null || review?.checkedTree !== head.tree) return {}
  const witness = review.checks.find(({ gate }) => gate === 'witness')
  const found = witness !== undefined && 'evidence' in witness ? witness.evidence.measure : undefined
  return found === undefined ? {} : { measure: { ...item.measure, base: began, found } }
}

/** The models that were asked in a run, each once. */
export function modelsOf(run: Pick<Run, 'usage'> | null): string[] {
  return [...new Set(run?.usage.map(({ model }) => model) ?? [])]
}

/** The bytes that are hashed and kept. */
export function receiptText(receipt: Receipt): string {
  return `${JSON.stringify(receipt, null, 2)}\n`
}

export function receiptGate(gate: GateResult): ReceiptGate {
  if (gate.is === 'skipped' || gate.is === 'not_run') {
    const nothing = { command: null, exitCode: null, tests: null, evidence: null }
    return { gate: gate.gate, is: gate.is, ...nothing, notes: [gate.why] }
  }
  const { command, exitCode, output, report } = gate.evidence
  return {
    gate: gate.gate,
    is: gate.is,
    command,
    exitCode,
    tests: report === null || report.format === 'none' ? null : testsOf(report),
    notes: gate.is === 'passed_with_warnings' ? [...gate.warnings] : strengthOf(gate),
    evidence: output,
  }
}

/** The score stands in the evidence, which stays in the workspace; a warning tells it already. */
function strengthOf({ gate, evidence }: Extract<GateResult, { evidence: object }>): string[] {
  const percent = gate === 'mutation' ? /"percent": (\d+)/.exec(evidence.tail)?.[1] : undefined
  return percent === undefined ? [] : [`assertions noticed ${percent} % of the planted faults`]
}

function testsOf({
  total,
  passed,
  failed,
  skipped,
}: NonNullable<ReceiptGate['tests']>): ReceiptGate['tests'] {
  return { total, passed, failed, skipped }
}
