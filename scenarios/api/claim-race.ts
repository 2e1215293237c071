// Twenty clients, one item: one of them gets it. The rounds of the quick and the long test.
import { ApiError, type Client, createClient } from '@treadle/contracts/client'
import type { ItemRef } from '@treadle/contracts/ids'
import { expect } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { addItem, itemOf, path } from '../kit/hand-agent.ts'

const RACERS = 20

export async function raceRounds(daemon: Daemon, rounds: number): Promise<void> {
  const clients = Array.from({ length: RACERS }, () => createClient(daemon))
  for (let round = 1; round <= rounds; round += 1) {
    const ref = await addItem(daemon.client, { title: `Round ${round}` })
    const answers = await Promise.all(clients.map((client, index) => claimAs(client, index + 1, ref)))
    const winners = answers.flatMap((answer, index) => (answer.is === 'won' ? [`agent-${index + 1}`] : []))
    expect(winners, `round ${round}`).toHaveLength(1)
    const lost = { is: 'lost', status: 409, code: 'already_claimed', holder: winners[0] }
    expect(answers.filter(({ is }) => is !== 'won')).toEqual(Array.from({ length: RACERS - 1 }, () => lost))
    const item = await itemOf({ client: daemon.client, ref })
    expect(item).toMatchObject({ claimedByAgentId: winners[0], state: 'claimed', fence: 1 })
    const { items } = await daemon.client.queue({ query: { limit: 1_000 } })
    expect(items.some(({ number }) => number === ref.number)).toBe(false)
    const shown = await daemon.client.showItem({ params: path(ref) })
    expect(shown.runs).toHaveLength(1)
    expect(shown.events.filter(({ event }) => event.type === 'claim.taken')).toHaveLength(1)
  }
}

async function claimAs(client: Client, number: number, ref: ItemRef) {
  try {
    const claim = await client.claimItem({ params: path(ref), body: { agentId: `agent-${number}` } })
    expect(claim.item).toMatchObject({ ...ref, claimedByAgentId: `agent-${number}` })
    return { is: 'won' as const }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { holder } = error.details as { holder: string }
    return { is: 'lost' as const, status: error.status, code: error.code, holder }
  }
}
