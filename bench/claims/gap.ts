// How long an idle agent waits after there is something to do, against a bare NOTIFY.
import { randomUUID } from 'node:crypto'
import { NewItem } from '@treadle/contracts/item'
import { WaitingRoom } from '@treadle/daemon/waiting-room'
import { runClaim } from '@treadle/flow/claim/run'
import { Client, type ClientBase } from 'pg'
import type { BenchWorld } from './world.ts'

const NEVER = new AbortController().signal
/** Polling has no part in it. */
const LONG_MS = 600_000
const PROJECT = 900_000

export interface Gaps {
  /** A statement that notifies, until it is heard on another connection. */
  readonly notify: number[]
  /** The statement that adds an item, until a waiting agent has been offered it. */
  readonly offer: number[]
  /** The same, until the item is claimed. */
  readonly claim: number[]
}

export async function timeGaps(world: BenchWorld, count: number): Promise<Gaps> {
  return { notify: await timeNotify(world, count), ...(await timeOffers(world, count)) }
}

async function timeNotify({ pool, url }: BenchWorld, count: number): Promise<number[]> {
  // The embedded database has one connection, which hears itself.
  const own = url === null ? null : new Client({ connectionString: url })
  await own?.connect()
  const shared = own === null ? await pool.connect() : null
  const client: ClientBase | null = own ?? shared
  let heard = Promise.withResolvers<void>()
  client?.on('notification', () => heard.resolve())
  await client?.query('listen bench')
  shared?.release()
  const took: number[] = []
  for (let turn = 0; turn < count; turn += 1) {
    heard = Promise.withResolvers()
    const before = performance.now()
    await Promise.all([pool.query(`select pg_notify('bench', $1)`, [String(turn)]), heard.promise])
    took.push(performance.now() - before)
  }
  await own?.end()
  return took
}

async function timeOffers(world: BenchWorld, count: number): Promise<Omit<Gaps, 'notify'>> {
  const { store } = world
  const room = new WaitingRoom({ store, pollMs: () => LONG_MS, stopping: NEVER })
  const given = NewItem.parse({ title: 'An item', projectNumber: PROJECT })
  const [offer, claim]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < count; turn += 1) {
    const place = room.enterAgent('agent-1')
    if (place === null) throw new Error('the room is full')
    const called = place.called(LONG_MS, NEVER)
    const before = performance.now()
    const added = store.items.add(given, new Date())
    await called
    const item = await room.pick('agent-1', Date.now())
    offer.push(performance.now() - before)
    place.leave()
    if (item === null) throw new Error('called, and there is nothing')
    const claimed = await runClaim(world, { item, agentId: 'agent-1', requestId: randomUUID() })
    claim.push(performance.now() - before)
    if (claimed.is !== 'claimed') throw new Error(`#${item.number} is ${claimed.is}`)
    await added
  }
  return { offer, claim }
}
