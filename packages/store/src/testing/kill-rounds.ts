// Kills a writing process again and again, and looks whether everything it was promised is there.
import { setTimeout as sleep } from 'node:timers/promises'
import { CURSOR_START } from '@treadle/contracts/event'
// biome-ignore lint/correctness/noUndeclaredDependencies: only tests import this file
import { expect } from 'vitest'
import type { OpenStore } from '../connect.ts'
import { openAt, type TestDatabase } from './both-drivers.ts'
import { spawnStore } from './spawn-store.ts'

/** How many rows were confirmed in all. */
export async function killRounds(place: TestDatabase, rounds: number, random: () => number): Promise<number> {
  let acked = 0
  for (let round = 0; round < rounds; round += 1) {
    const writer = spawnStore('write', place)
    // One in eight dies while it is still opening the database.
    if (round % 8 === 3) await sleep(random() * 1_500)
    else {
      const has = await writer.said(/^has \d+$/)
      expect(Number(has.slice(4))).toBeGreaterThanOrEqual(acked)
      await writer.said(/^\d+$/)
      await sleep(random() * 1_500)
    }
    await writer.kill()
    expect(writer.errors).toEqual([])
    acked = Math.max(acked, ...writer.lines.filter((line) => /^\d+$/.test(line)).map(Number))
  }
  const store = await openAt(place)
  await check(store, acked)
  await store.close()
  return acked
}

/** Nothing that was confirmed is missing, nothing is half there. */
async function check(store: OpenStore, acked: number): Promise<void> {
  const items = await store.items.list({ limit: 1_000_000 })
  expect(items.map(({ number }) => number)).toEqual(items.map((_, index) => index + 1))
  expect(items.length).toBeGreaterThanOrEqual(acked)
  const recorded = async () => {
    const { items: events } = await store.events.after({ after: CURSOR_START, limit: 1_000_000 })
    return events.map(({ item }) => item?.number)
  }
  await expect.poll(recorded, { timeout: 30_000 }).toEqual(items.map(({ number }) => number))
}
