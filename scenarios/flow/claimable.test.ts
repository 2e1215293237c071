// What the database takes for claimable is what the machine lets be claimed: the rule is written in both.
import { randomUUID } from 'node:crypto'
import { type Item, ItemState, statusOf } from '@treadle/contracts/item'
import { isHeld, isQueued } from '@treadle/flow/flow'
import { step } from '@treadle/flow/step'
import { sampleConfig } from '@treadle/flow/work/testing/sample'
import { DRIVERS, newItem, newProject, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'

const at = new Date('2026-01-02T03:04:05.000Z')

/** What waits for a person is put back into the backlog by that person alone. */
function isClaimable(item: Item): boolean {
  const runId = randomUUID()
  const move = { type: 'claim.taken', agentId: 'agent-1', runId } as const
  const taken = step(item, move, { config: sampleConfig(), now: at })
  expect(taken.is === 'moved').toBe(isQueued(item.state))
  const waits = item.state === 'backlog' && item.needsHuman
  return taken.is === 'moved' && !waits && item.claimedByAgentId === null
}

describe.each(DRIVERS)('claimable in the %s database', (driver) => {
  const open = useStore(driver)

  test.for(ItemState.options)(
    '%s: the queue and the claim agree with the machine',
    async (state, context) => {
      const { items, claims, tx } = await open(context)
      const projectNumber = newProject()
      const claimedBy = isHeld(state) ? (['agent-9'] as const) : ([null, 'agent-9'] as const)
      const made: Item[] = []
      await tx(async () => {
        for (const needsHuman of [false, true])
          for (const claimedByAgentId of claimedBy) {
            const added = await items.add(newItem({ projectNumber }), at)
            const claimedAt = claimedByAgentId === null ? null : at.toISOString()
            const item = { ...added, state, status: statusOf(state), needsHuman, claimedByAgentId, claimedAt }
            await items.save(item)
            made.push(item)
          }
      })
      const expected = made.map((item) => [item.number, isClaimable(item)])
      const queued = new Set(
        (await items.queue(1_000))
          .filter((item) => item.projectNumber === projectNumber)
          .map(({ number }) => number),
      )
      expect(made.map(({ number }) => [number, queued.has(number)])).toEqual(expected)
      const looks = made.map(async (item) => {
        const found = await claims.look(item, { agentId: 'agent-1', requestId: null })
        return [item.number, found.is === 'free']
      })
      expect(await Promise.all(looks)).toEqual(expected)
    },
  )
})
