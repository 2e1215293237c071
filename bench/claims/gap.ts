// How long an idle agent waits after there is something to do, against a bare NOTIFY.
import { randomUUID } from 'node:crypto'
import { NewItem } from '@treadle/contracts/item'
import { WaitList } from '@treadle/daemon/offers/wait-list'
import { runClaim } from '@treadle/flow/claim/claim.run'
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

/** Turns that nobody counts: code is cold, and statements are not yet prepared. */
const WARM_UP = 100

/** Each in turn, so that a busy machine disturbs both alike. */
export async function timeGaps(world: BenchWorld, count: number): Promise<Gaps> {
  const line = await openLine(world)
  const waitList = new WaitList({ store: world.store, pollMs: () => LONG_MS, stopping: NEVER })
  const gaps: Gaps = { notify: [], offer: [], claim: [] }
  for (let turn = -WARM_UP; turn < count; turn += 1) {
    const notify = await line.notify()
    const { offer, claim } = await timeOffer(world, waitList)
    if (turn < 0) continue
    gaps.notify.push(notify)
    gaps.offer.push(offer)
    gaps.claim.push(claim)
  }
  await line.close()
  return gaps
}

async function openLine({ pool, url }: BenchWorld) {
  // The embedded database has one connection, which hears itself.
  const own = url === null ? null : new Client({ connectionString: url })
  await own?.connect()
  const shared = own === null ? await pool.connect() : null
  const client: ClientBase | null = own ?? shared
  let heard = Promise.withResolvers<void>()
  client?.on('notification', ({ channel }) => {
    if (channel === 'bench') heard.resolve()
  })
  await client?.query('listen bench')
  shared?.release()
  const statement = { name: 'bench_notify', text: `select pg_notify('bench', $1)`, values: ['now'] }
  return {
    notify: async (): Promise<number> => {
      heard = Promise.withResolvers()
      const before = performance.now()
      await Promise.all([pool.query(statement), heard.promise])
      return performance.now() - before
    },
    close: async (): Promise<void> => {
      await own?.end()
    },
  }
}

async function timeOffer(world: BenchWorld, waitList: WaitList): Promise<{ offer: number; claim: number }> {
  const entry = waitList.enterAgent('agent-1')
  if (entry === null) throw new Error('the room is full')
  // As the daemon does: who waits has looked, and found nothing.
  if ((await waitList.pick('agent-1', Date.now())) !== null) throw new Error('something was left over')
  const called = entry.called(LONG_MS, new AbortController().signal)
  const given = NewItem.parse({ title: 'An item', projectNumber: PROJECT })
  const before = performance.now()
  const added = world.store.items.add(given, new Date())
  await called
  const item = await waitList.pick('agent-1', Date.now())
  const offer = performance.now() - before
  entry.leave()
  if (item === null) throw new Error('called, and there is nothing')
  const claimed = await runClaim(world, { item, agentId: 'agent-1', requestId: randomUUID() })
  const claim = performance.now() - before
  if (claimed.is !== 'claimed') throw new Error(`#${item.number} is ${claimed.is}`)
  await added
  return { offer, claim }
}
