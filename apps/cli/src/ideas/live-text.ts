// What a model writes, shown while it comes: on a terminal alone, without what is meant for Treadle.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@treadle/contracts/client'
import { CURSOR_START, type Cursor, type EventType, type StoredEvent } from '@treadle/contracts/event'
import type { OpenThought } from '@treadle/contracts/thought'
import { usd } from '@treadle/contracts/words/money'
import { spokenPart } from '@treadle/contracts/words/spoken'
import { paint } from '../output.ts'
import { plainText } from '../terminal/plain-text.ts'

/** Agents tell what a model says at about this pace. */
const LOOK_MS = 300
/** So often its last words are looked for once the reply is there. */
const LAST_LOOKS = 5
const ENDS: readonly EventType[] = ['thought.answered', 'thought.failed', 'thought.withdrawn']

export interface LiveText<T> {
  /** What the work has come to. */
  readonly result: T
  /** All that was shown, so that nothing is shown twice. */
  readonly shown: string
}

/** Shows what is written about an idea until the work that waits for it is done. */
export async function withLiveText<T>(
  client: Client,
  subject: string,
  work: Promise<T>,
): Promise<LiveText<T>> {
  if (!process.stdout.isTTY || !process.stderr.isTTY) return { result: await work, shown: '' }
  const over = new AbortController()
  const settled = work.finally(() => over.abort())
  // Whoever waits for the work hears of its failure; until then nobody may miss it.
  settled.catch(() => undefined)
  const shown = await watch(client, subject, over.signal)
  return { result: await settled, shown }
}

async function watch(client: Client, subject: string, over: AbortSignal): Promise<string> {
  const screen = new Screen()
  const known = new Map<string, Cursor>()
  while (!over.aborted) {
    await look(client, subject, { screen, known })
    await sleep(LOOK_MS, undefined, { signal: over }).catch(() => undefined)
  }
  // The feed may be a moment behind the reply.
  for (let left = LAST_LOOKS; left > 0; left -= 1) {
    await look(client, subject, { screen, known })
    if (screen.isOver) break
    await sleep(LOOK_MS)
  }
  return screen.end()
}

interface Watching {
  readonly screen: Screen
  /** How far each thought about it has been heard. */
  readonly known: Map<string, Cursor>
}

/** What cannot be read now is read at the next look, and the reply comes anyway. */
async function look(client: Client, subject: string, { screen, known }: Watching): Promise<void> {
  const open = await client.openThoughts({ query: { subject } }).catch(() => null)
  const current = open?.items.at(0) ?? null
  if (current !== null && !known.has(current.id)) known.set(current.id, CURSOR_START)
  for (const [id, after] of known) {
    const told = await client.thoughtHistory({ params: { id }, query: { after } }).catch(() => null)
    if (told === null) continue
    known.set(id, told.cursor)
    screen.take(id, told.items)
  }
  screen.status(current)
}

/** Words on standard output; above them, as long as there are none, who is thinking and for how long. */
class Screen {
  #id = ''
  #raw = ''
  #shown = ''
  #all = ''
  #hasStatus = false
  #isOver = true

  /** All of what was begun has ended. */
  get isOver(): boolean {
    return this.#isOver
  }

  take(id: string, events: readonly StoredEvent[]): void {
    for (const { event } of events) {
      // Whoever begins anew says all of it again.
      if (event.type === 'thought.claimed') this.#begin(id)
      if (event.type === 'thought.said') this.#raw += event.text
      if (ENDS.includes(event.type)) this.#isOver = true
    }
    if (id === this.#id) this.#show()
  }

  status(thought: OpenThought | null): void {
    if (this.#shown !== '' || thought === null) return
    const words = plainText(statusWords(thought, Date.now()))
    process.stderr.write(`\r\u001b[K${paint('dim', words)}`)
    this.#hasStatus = true
  }

  end(): string {
    this.#clear()
    if (this.#shown !== '') process.stdout.write('\n')
    return this.#all
  }

  #begin(id: string): void {
    if (this.#shown !== '') process.stdout.write('\n\n')
    this.#id = id
    this.#isOver = false
    this.#raw = ''
    this.#shown = ''
  }

  #show(): void {
    const now = plainText(spokenPart(this.#raw))
    if (now === this.#shown) return
    this.#clear()
    process.stdout.write(now.startsWith(this.#shown) ? now.slice(this.#shown.length) : `\n${now}`)
    this.#shown = now
    this.#all = now
  }

  #clear(): void {
    if (this.#hasStatus) process.stderr.write('\r\u001b[K')
    this.#hasStatus = false
  }
}

function statusWords(
  { status, engine, agentId, claimedAt, createdAt, costUSD }: OpenThought,
  now: number,
): string {
  const isClaimed = status === 'claimed'
  const ms = Math.max(0, now - Date.parse(isClaimed ? (claimedAt ?? createdAt) : createdAt))
  const seconds = `${Math.floor(ms / 1_000)} s`
  const who = isClaimed ? `${engine} in ${agentId} is thinking` : `Waiting for an agent that asks ${engine}`
  return [`${who} …`, seconds, ...(costUSD === null ? [] : [usd(costUSD)])].join('  ')
}
