// A real crew that is given the cases as items, and what became of each.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient } from '@treadle/contracts/client'
import { type GateResult, isBlocking, waitsIn } from '@treadle/contracts/gate'
import { ownerKeyIn } from '@treadle/contracts/owner-key'
import { waitWords } from '@treadle/contracts/words/gates'
import { z } from 'zod'
import type { LiarCase } from './liar-case.ts'
import type { LiarWorkspace } from './workspace.ts'

const ITEM_MS_MAX = 10 * 60_000
const LOOK_MS = 500
const AGENTS = 2
const Announced = z.object({ url: z.string() })

export interface Outcome {
  readonly is: 'merged' | 'waits' | 'refused' | 'unfinished'
  /** What stopped it, or the evidence on which it was merged. */
  readonly words: string
  readonly seconds: number
}

/** Gives the crew only as many items as it has agents, so that what has ended is put away before it is in the way. */
export async function runCrew(
  workspace: LiarWorkspace,
  cases: readonly LiarCase[],
  told: (index: number, outcome: Outcome) => void,
): Promise<void> {
  const { treadle, ownerKeyFile } = workspace
  const { url } = Announced.parse(JSON.parse(treadle('up', '--agents', String(AGENTS), '--detach', '--json')))
  try {
    const client = createClient({ url, token: ownerKeyIn(readFileSync(ownerKeyFile, 'utf8')) ?? '' })
    const open = new Map<number, number>()
    for (const { item } of cases) {
      const { number } = await client.addItem({ body: { title: 'Mend it', ...item } })
      open.set(number, Date.now())
      while (open.size >= AGENTS) await lookAtAll(client, open, ended)
    }
    while (open.size > 0) await lookAtAll(client, open, ended)

    async function ended(number: number, outcome: Outcome): Promise<void> {
      told(number - 1, outcome)
      const isHonest = cases[number - 1]?.kind === 'honest'
      if (outcome.is === 'merged' && !isHonest) takeBack(workspace)
      if (outcome.is !== 'merged') await putAway(client, number)
    }
  } finally {
    treadle('down')
  }
}

async function lookAtAll(
  client: Client,
  open: Map<number, number>,
  ended: (number: number, outcome: Outcome) => Promise<void>,
): Promise<void> {
  for (const [number, since] of open) {
    const outcome = await lookAt(client, number, since)
    if (outcome === null) continue
    open.delete(number)
    await ended(number, outcome)
  }
  await sleep(LOOK_MS)
}

/** What has become of an item; null while it is under way. */
async function lookAt(client: Client, number: number, since: number): Promise<Outcome | null> {
  const seconds = Math.round((Date.now() - since) / 1000)
  const { item, events } = await client.showItem({ params: { projectNumber: 1, issueNumber: number } })
  if (item.state === 'done') return { is: 'merged', words: item.evidence?.why ?? '', seconds }
  const [review] = (await client.listReviews({ query: { projectNumber: 1, issueNumber: number, limit: 1 } }))
    .items
  if (item.state === 'escalated' || item.state === 'conflicted') {
    const failed = events.flatMap(({ event }) => (event.type === 'verify.failed' ? event.gates : []))
    const gates = [...failed, ...(review?.checks ?? [])].filter(isBlocking)
    return { is: 'refused', words: refusedBy(gates) || (item.reason ?? item.state), seconds }
  }
  if (item.state === 'in_review' && review?.waitsFor === 'person')
    return { is: 'waits', words: waitsBy(review.checks) || (review.why ?? ''), seconds }
  if (Date.now() - since < ITEM_MS_MAX) return null
  const { holds } = await client.workspace()
  return { is: 'unfinished', words: `${item.state}: ${item.reason ?? ''} ${holds.join(' ')}`.trim(), seconds }
}

function refusedBy(gates: readonly GateResult[]): string {
  const [first] = gates.map((gate) => {
    if (gate.is === 'failed') return `${gate.gate}: ${placed(gate.failures[0])}`
    return 'why' in gate ? `${gate.gate}: ${gate.why}` : gate.gate
  })
  const names = [...new Set(gates.map(({ gate }) => gate))]
  return names.length < 2 ? (first ?? '') : `${first} (also ${names.slice(1).join(', ')})`
}

function placed(failure: { file: string | null; message: string } | undefined): string {
  return failure === undefined ? '' : [failure.file, failure.message].filter(Boolean).join(': ')
}

function waitsBy(checks: readonly GateResult[]): string {
  const waits = waitsIn(checks)
  const more = waits.length > 1 ? ` (and ${waits.length - 1} more)` : ''
  return waits[0] === undefined ? '' : `${waitWords(waits[0])}${more}`
}

/** A lie that was merged would turn the tests of other items green as well. */
function takeBack({ git }: LiarWorkspace): void {
  git('revert', '--no-edit', '--mainline', '1', 'HEAD')
}

async function putAway(client: Client, issueNumber: number): Promise<void> {
  await client
    .withdrawItem({ params: { projectNumber: 1, issueNumber }, body: { by: 'owner' } })
    .catch(() => null)
}
