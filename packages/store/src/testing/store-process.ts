// A process that opens a store and does one thing with it until it is killed: node store-process.ts <order as JSON>
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { NewItem } from '@treadle/contracts/item'
import { messageOf } from '@treadle/flow/fault'
import { type OpenStore, openStore } from '../connect.ts'
import type { StoreOrder } from './spawn-store.ts'

const order = JSON.parse(process.argv[2] ?? '') as StoreOrder
const say = (line: string): void => void writeSync(1, `${line}\n`)

/** Each number is said only after the database has confirmed it. */
async function write(store: OpenStore): Promise<never> {
  say(`has ${(await store.items.list({ limit: 1_000_000 })).length}`)
  for (;;) {
    const at = new Date()
    const { number } = await store.tx(async () => {
      const item = await store.items.add(NewItem.parse({ title: 'x'.repeat(300) }), at)
      const ref = { projectNumber: 1, number: item.number }
      const event = { type: 'item.added', title: `${item.number}` } as const
      await store.events.append({
        id: randomUUID(),
        at,
        item: ref,
        agentId: null,
        runId: null,
        state: 'todo',
        event,
      })
      return item
    })
    say(`${number}`)
  }
}

async function work(store: OpenStore): Promise<void> {
  const hang = async (job: { item: { number: number } }): Promise<void> => {
    say(`started ${job.item.number}`)
    await new Promise(() => undefined)
  }
  await store.startJobs(
    {
      review: hang,
      merge: hang,
      learn: async () => undefined,
      spec: async () => undefined,
      build: async () => undefined,
      coordinate: async () => undefined,
    },
    () => Promise.resolve(),
  )
  say('ready')
}

try {
  const store = await openStore(order.target, {
    ...order.options,
    now: () => new Date(),
    schema: order.schema,
  })
  if (order.does === 'write') await write(store)
  if (order.does === 'work') await work(store)
  if (order.does === 'hold') {
    store.setHolder({ url: 'http://127.0.0.1:4711', pid: process.pid })
    say('ready')
  }
} catch (error) {
  say(`failed ${messageOf(error)}`)
  process.exit(3)
}
