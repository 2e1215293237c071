// A store to claim from, with the flow on top of it as the daemon has it.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Config } from '@treadle/contracts/config'
import type { ItemRef } from '@treadle/contracts/ids'
import { NewItem } from '@treadle/contracts/item'
import { bindAdvance } from '@treadle/flow/advance'
import { type ClaimWorld, runClaim } from '@treadle/flow/claim/claim.run'
import { CONSEQUENCES } from '@treadle/flow/consequences'
import { type OpenStore, openStore } from '@treadle/store/connect'
import type pg from 'pg'
import { makeDatabase } from '../../scenarios/kit/database.ts'
import { poolOf } from './statements.ts'

export interface BenchWorld extends ClaimWorld {
  readonly store: OpenStore
  readonly pool: pg.Pool
  /** Null where the database is embedded. */
  readonly url: string | null
  close(): Promise<void>
}

const config = Config.parse({ merge: { approval: 'never' } })

/** A database of its own: on the server, or in a folder. */
export async function openWorld(serverUrl: string | null): Promise<BenchWorld> {
  const dir = mkdtempSync(join(tmpdir(), 'treadle-claims-'))
  const database = serverUrl === null ? null : await makeDatabase(serverUrl)
  const target =
    database === null ? ({ is: 'embedded', dir } as const) : ({ is: 'server', url: database.url } as const)
  const store = await openStore(target, { now: () => new Date(), templateDir: join(dir, 'template') })
  const pool = await poolOf(() => store.health())
  return {
    store,
    pool,
    url: database?.url ?? null,
    ...bindAdvance({ store, now: () => new Date(), config: () => config, consequences: CONSEQUENCES }),
    now: () => new Date(),
    uuid: randomUUID,
    close: async () => {
      await store.close()
      await database?.drop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** A project of its own, so that nobody is in anybody's way. */
export async function addItems(
  { store }: BenchWorld,
  projectNumber: number,
  count: number,
): Promise<ItemRef[]> {
  const given = NewItem.parse({ title: 'An item', body: 'What is to be done. '.repeat(20), projectNumber })
  const refs: ItemRef[] = []
  await store.tx(async () => {
    for (let n = 0; n < count; n += 1) {
      const { number } = await store.items.add(given, new Date())
      refs.push({ projectNumber, number })
    }
  })
  return refs
}

export async function claimOne(world: BenchWorld, item: ItemRef | undefined, turn: number): Promise<void> {
  if (item === undefined) throw new Error('there are fewer items than turns')
  const agentId = `agent-${(turn % 10) + 1}`
  const claimed = await runClaim(world, { item, agentId, requestId: randomUUID() })
  if (claimed.is !== 'claimed') throw new Error(`#${item.number} is ${claimed.is}`)
}
