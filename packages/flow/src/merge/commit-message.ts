// What a commit that Treadle makes says: what, why, and the facts as trailers.
import type { GateResult } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'

type Named = Pick<Item, 'projectNumber' | 'number' | 'title'>

function itemTrailer(item: Pick<Item, 'projectNumber' | 'number'>): string {
  return `Item: ${item.projectNumber}/${item.number}`
}

function gatesTrailer(gates: readonly GateResult[]): string {
  return `Gates: ${gates.map((gate) => `${gate.gate}=${gate.is}`).join(', ')}`
}

export function deliveryMessage(
  item: Named,
  facts: { summary: string; attempts: number; runId: string; gates: readonly GateResult[] },
): string {
  const body = facts.summary.trim()
  const trailers = [
    'Kind: delivery',
    itemTrailer(item),
    `Attempts: ${facts.attempts}`,
    gatesTrailer(facts.gates),
    `Run: ${facts.runId}`,
  ]
  return [subject(item.title), ...(body === '' ? [] : [body]), trailers.join('\n')].join('\n\n')
}

export function checkpointMessage(phase: string, runId: string): string {
  return `checkpoint: ${phase}\n\nKind: checkpoint\nRun: ${runId}`
}

export function mergeMessage(item: Item): string {
  const approval = item.approval === null ? 'none' : `${item.approval.kind} ${item.approval.by}`
  const trailers = [
    'Kind: merge',
    itemTrailer(item),
    `Approved-by: ${approval}`,
    `Run: ${item.runId ?? 'none'}`,
  ]
  return `${subject(`Merge #${item.number}: ${item.title}`)}\n\n${trailers.join('\n')}`
}

/** One line, short enough for every tool that shows one. */
function subject(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 72 ? line : `${line.slice(0, 71)}…`
}
