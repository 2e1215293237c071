// Many clients, many items, one or several daemons on one database: each item goes to one of them, and none is lost.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Client, createClient } from '@treadle/contracts/client'
import type { StoredEvent } from '@treadle/contracts/event'
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import type { Claim } from '@treadle/contracts/routes/items'
import { expect } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { build, delivery, path, SOME_COMMIT, say } from '../kit/hand-agent.ts'
import { allEvents } from '../kit/shop.ts'

export interface CrowdPlan {
  readonly daemons: readonly Daemon[]
  readonly clients: number
  readonly items: number
  /** What is done with an item once it is claimed. */
  readonly onClaimed?: (racer: Racer, claim: Claim) => Promise<void>
}

/** Every client looks at the same few items, so that most claims are fought over. */
const LOOKS_AT = 20
const AGAIN_MS = 50

export class Racer {
  readonly agentId: AgentId
  readonly won: Claim[] = []
  lost = 0
  moved = 0
  readonly #clients: readonly Client[]
  #at: number

  constructor(number: number, daemons: readonly Daemon[]) {
    this.agentId = `agent-${number}`
    this.#clients = daemons.map(createClient)
    this.#at = number % daemons.length
  }

  /** Says it to a daemon that is there: a question whose answer was lost is asked again as it was. */
  async ask<T>(question: (client: Client) => Promise<T>): Promise<T> {
    for (;;) {
      const client = this.#clients[this.#at]
      if (client === undefined) throw new Error('no daemon')
      try {
        return await question(client)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'unreachable') throw error
        if (this.#clients.length === 1) throw error
        this.#at = (this.#at + 1) % this.#clients.length
        this.moved += 1
        await sleep(AGAIN_MS)
      }
    }
  }

  async race(onClaimed: NonNullable<CrowdPlan['onClaimed']>): Promise<void> {
    for (;;) {
      const { items } = await this.ask((client) => client.queue({ query: { limit: LOOKS_AT } }))
      if (items.length === 0) return
      for (const item of items) {
        const claim = await this.#claim(item)
        if (claim === null) this.lost += 1
        else {
          this.won.push(claim)
          await onClaimed(this, claim)
        }
      }
    }
  }

  async #claim({ projectNumber, number }: ItemRef): Promise<Claim | null> {
    const params = path({ projectNumber, number })
    const body = { agentId: this.agentId, requestId: randomUUID() }
    try {
      return await this.ask((client) => client.claimItem({ params, body }))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'already_claimed') return null
      throw error
    }
  }
}

/** The whole of an agent's part, told to whichever daemon is there. */
export async function finish(racer: Racer, claim: Claim): Promise<void> {
  const { projectNumber, number } = claim.item
  const client: Pick<Client, 'reportRun'> = {
    reportRun: (given) => racer.ask(({ reportRun }) => reportRun(given)),
  }
  const work = {
    client: client as Client,
    agentId: racer.agentId,
    ref: { projectNumber, number },
    claim,
  }
  await build(work)
  await say(work, delivery(work, SOME_COMMIT))
}

export async function crowd(plan: CrowdPlan): Promise<{ racers: Racer[]; events: StoredEvent[] }> {
  const { daemons, clients, items } = plan
  const [first] = daemons
  if (first === undefined) throw new Error('no daemon')
  const refs: string[] = []
  for (let n = 1; n <= items; n += 1) {
    const { projectNumber, number } = await first.client.addItem({ body: { title: `Item ${n}` } })
    refs.push(`${projectNumber}/${number}`)
  }
  const racers = Array.from({ length: clients }, (_, index) => new Racer(index + 1, daemons))
  await Promise.all(racers.map((racer) => racer.race(plan.onClaimed ?? (async () => undefined))))
  const wins = racers.flatMap(({ won }) => won.map(({ item }) => `${item.projectNumber}/${item.number}`))
  expect(wins.toSorted()).toEqual(refs.toSorted())
  expect(racers.every(({ won }) => won.every(({ fence }) => fence === 1))).toBe(true)
  const events = await allEvents(first)
  const taken = events.flatMap(({ event, item }) =>
    event.type === 'claim.taken' && item !== null ? [`${item.projectNumber}/${item.number}`] : [],
  )
  expect(taken.toSorted()).toEqual(refs.toSorted())
  const holders = new Map(
    racers.flatMap(({ agentId, won }) => won.map(({ run }) => [run.id, agentId] as const)),
  )
  for (const { event } of events)
    if (event.type === 'claim.taken') expect(holders.get(event.runId)).toBe(event.agentId)
  return { racers, events }
}
