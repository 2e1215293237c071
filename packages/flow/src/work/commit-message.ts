// What a commit that Treadle makes says: what, why, and the facts as trailers.
import type { GateResult } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import { RECEIPT_TRAILER } from '@treadle/contracts/receipt'
import type { Applied } from '@treadle/contracts/run'
import type { TriedFix } from './tried-fixes.ts'

type Named = Pick<Item, 'projectNumber' | 'number' | 'title' | 'reverts'> & Partial<Pick<Item, 'confidence'>>

function itemTrailer(item: Pick<Item, 'projectNumber' | 'number'>): string {
  return `Item: ${item.projectNumber}/${item.number}`
}

/** Names what a commit takes back. */
function revertsTrailer({ reverts }: Pick<Item, 'reverts'>): string[] {
  return reverts === null ? [] : [`Reverts: #${reverts.number} ${reverts.commit}`]
}

function gatesTrailer(gates: readonly GateResult[]): string {
  return `Gates: ${gates.map((gate) => `${gate.gate}=${gate.is}`).join(', ')}`
}

export interface Delivery {
  readonly changed: readonly string[]
  /** Every fix of every attempt, with what became of it. */
  readonly fixes: readonly TriedFix[]
  /** Tests that failed before the first attempt and pass now. */
  readonly mended: readonly string[]
  /** Lessons that were shown to the engine. */
  readonly applied: readonly Applied[]
  readonly iterations: number
  readonly runId: string
  readonly gates: readonly GateResult[]
}

const NAMED_MAX = 10

export function deliveryMessage(item: Named, facts: Delivery): string {
  const ids = (types: readonly Applied['type'][]) => [
    ...new Set(facts.applied.filter(({ type }) => types.includes(type)).map(({ lessonId }) => lessonId)),
  ]
  const trailers = [
    'Kind: delivery',
    itemTrailer(item),
    ...revertsTrailer(item),
    `Iterations-used: ${facts.iterations}`,
    ...(item.confidence == null
      ? []
      : [`Confidence: ${item.confidence.level} (${oneLine(item.confidence.why)})`]),
    `Patterns-applied: ${ids(['pattern']).join(', ') || 'none'}`,
    `Hindsight-used: ${ids(['gotcha', 'resolution']).join(', ') || 'none'}`,
    gatesTrailer(facts.gates),
    `Run: ${facts.runId}`,
  ]
  return [subject(item.title), ...story(facts), trailers.join('\n')].join('\n\n')
}

/** What changed and why, over all attempts; a fix that was overtaken by a later one is not told. */
function story({ changed, fixes, mended }: Delivery): string[] {
  const helped = fixes.filter(({ result, fix }) => result === 'helped' && fix.group !== null)
  const causes = [...new Set(helped.map(({ fix }) => fix.group?.cause ?? ''))].filter(Boolean)
  return [
    `Changes ${some(changed)}.`,
    ...(causes.length === 0
      ? []
      : [
          causes
            .slice(0, NAMED_MAX)
            .map((cause) => `- ${oneLine(cause)}`)
            .join('\n'),
        ]),
    ...(mended.length === 0 ? [] : [`Failed before and pass now: ${some(mended.map(oneLine))}.`]),
  ]
}

function some(names: readonly string[]): string {
  const more = names.length - NAMED_MAX
  return `${names.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`
}

export function checkpointMessage(phase: string, runId: string): string {
  return `checkpoint: ${phase}\n\nKind: checkpoint\nRun: ${runId}`
}

/** Without a receipt it is a merge that is only tried. */
export function mergeMessage(item: Item, receipt: string | null): string {
  const approval = item.approval === null ? 'none' : `${item.approval.kind} ${item.approval.by}`
  const trailers = [
    'Kind: merge',
    itemTrailer(item),
    ...revertsTrailer(item),
    `Approved-by: ${approval}`,
    ...(item.evidence === null ? [] : [`Evidence: ${item.evidence.level}`]),
    `Run: ${item.runId ?? 'none'}`,
    ...(receipt === null ? [] : [`${RECEIPT_TRAILER}: sha256:${receipt}`]),
  ]
  return `${subject(`Merge #${item.number}: ${item.title}`)}\n\n${trailers.join('\n')}`
}

export function adaptMessage(item: Item, target: string): string {
  const trailers = ['Kind: adaptation', itemTrailer(item), `Run: ${item.runId ?? 'none'}`]
  return `${subject(`Merge ${target} into the change for #${item.number}`)}\n\n${trailers.join('\n')}`
}

/** One line, short enough for every tool that shows one. */
function subject(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 72 ? line : `${line.slice(0, 71)}…`
}
