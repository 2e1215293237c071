// A month of the crew in minutes: its real policies, machines and books over the embedded database, by a clock that is led.
import { HealthAlert } from '@treadle/contracts/notification'
import { CURSOR_START } from '@treadle/contracts/event'
import { Config } from '@treadle/contracts/config'
import { startSupervisor } from '@treadle/daemon/jobs/serve-jobs'
import type { World } from '@treadle/daemon/world'
import { Books } from './books.ts'
import { Chance } from './chance.ts'
import { Agent } from './crew.ts'
import { Model } from './model.ts'
import { MonthClock } from './month-clock.ts'
import { Owner } from './owner.ts'
import { Rules } from './rules.ts'
import { AGENTS, SWEEP_MS } from './settings.ts'
import { openMonth, type Plant } from './world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The first of a month with thirty-one days, a Sunday. */
const BEGAN = new Date('2026-03-01T00:00:00Z')
const EVENTS_MAX = 1_000

export interface MonthOrder {
  readonly seed: number
  readonly days: number
  readonly plant?: Plant
  readonly onDay?: (day: number, month: Month) => void
}

/** Shares of the time in which the queue was so deep. */
export interface QueueTime {
  low: number
  /** Low, and somebody should have looked. */
  lowUnexcused: number
  right: number
  high: number
  readonly why: Map<string, number>
}

export interface Month {
  readonly books: Books
  readonly rules: Rules
  readonly queue: QueueTime
  readonly config: Config
  readonly began: Date
  readonly days: number
}

export async function playMonth({ seed, days, plant = (world) => world, onDay }: MonthOrder): Promise<Month> {
  const clock = new MonthClock(BEGAN)
  const chance = new Chance(seed)
  const opened = await openMonth({ clock, chance, plant })
  try {
    return await play(opened, { clock, chance, days, onDay })
  } finally {
    await opened.close()
  }
}

interface Playing {
  readonly clock: MonthClock
  readonly chance: Chance
  readonly days: number
  readonly onDay: MonthOrder['onDay']
}

async function play(
  { world, repository, work, settled, complaints }: Awaited<ReturnType<typeof openMonth>>,
  { clock, chance, days, onDay }: Playing,
): Promise<Month> {
  const config = world.config()
  const books = new Books(BEGAN, config.ideas)
  const rules = new Rules(books, config)
  const model = new Model(chance, BEGAN, days)
  rules.lookUSD = (at) => model.lookUSD(new Date(at))
  const queue: QueueTime = { low: 0, lowUnexcused: 0, right: 0, high: 0, why: new Map() }
  const month: Month = { books, rules, queue, config, began: BEGAN, days }
  const supervisor = superviseBySteps(world, clock)
  const agents = Array.from(
    { length: AGENTS },
    (_, nth) =>
      new Agent(`agent-${nth + 1}`, {
        world,
        clock,
        chance,
        model,
        repository,
        settled,
        onSaid: (thought, said) => books.expect(thought, said),
      }),
  )
  const owner = new Owner(world, chance)
  const read = readEvents(world, month)
  for (const agent of agents) await agent.start()
  const round = async () => {
    await work()
    await supervisor.step()
    await work()
    for (const agent of chance.shuffled(agents)) await agent.wake()
    await work()
    await read()
    look(month, clock.now().getTime(), agents.some((agent) => agent.isFree))
  }
  for (let step = 1; step * SWEEP_MS <= days * DAY; step += 1) {
    await round()
    const at = step * SWEEP_MS
    await clock.lead(new Date(BEGAN.getTime() + at))
    if (at % HOUR === 0) await checkHealth(world, month, at % (6 * HOUR) === 0)
    if (at % (6 * HOUR) === 0) await owner.lookIn()
    if (at % DAY !== 0) continue
    model.refill()
    if (chance.is(0.2)) await owner.add()
    onDay?.(at / DAY, month)
  }
  await supervisor.stop()
  for (const words of complaints) rules.report('daemon', clock.now().getTime(), words.slice(0, 300))
  return month
}

interface Supervisor {
  /** One round of all that the supervisor does. */
  step(): Promise<void>
  stop(): Promise<void>
}

/** The daemon's own supervisor: each time that it would wait for its next round, the month goes on. */
function superviseBySteps(world: World, clock: MonthClock): Supervisor {
  let waits = Promise.withResolvers<() => void>()
  let stop: (() => Promise<void>) | null = null
  const stepped = {
    now: () => clock.now(),
    elapsedMs: () => clock.elapsedMs(),
    sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms, signal),
    after: (_: number, act: () => void) => {
      waits.resolve(act)
      return () => undefined
    },
  }
  return {
    async step() {
      if (stop === null) stop = startSupervisor({ ...world, clock: stepped })
      else {
        const begin = await waits.promise
        waits = Promise.withResolvers()
        begin()
      }
      await waits.promise
    },
    stop: async () => stop?.(),
  }
}

function readEvents(world: World, { books, rules }: Month): () => Promise<void> {
  let cursor = CURSOR_START
  return async () => {
    for (;;) {
      const read = await world.store.events.after({ after: cursor, limit: EVENTS_MAX })
      for (const event of read.items) {
        rules.before(event)
        books.take(event)
        rules.after(event)
      }
      cursor = read.cursor
      if (read.items.length < EVENTS_MAX) return
    }
  }
}

function look({ books, rules, queue, config }: Month, at: number, isAnybodyFree: boolean): void {
  rules.pass(at, isAnybodyFree)
  const { queueLow, queueHigh } = config.monitoring
  if (books.depth > queueHigh) queue.high += 1
  else if (books.depth >= queueLow) queue.right += 1
  else {
    queue.low += 1
    const why = rules.whyNobodyLooks(at) ?? 'being looked for'
    if (why === 'being looked for') queue.lowUnexcused += 1
    queue.why.set(why, (queue.why.get(why) ?? 0) + 1)
  }
}

/** The daemon checks how all is; where nothing has moved for an hour, an alert must stand. */
async function checkHealth(world: World, { books, rules }: Month, isDue: boolean): Promise<void> {
  const at = world.now().getTime()
  const isDead = at - books.movedAt > HOUR
  if (isDead || isDue) await world.health.check()
  if (!isDead) return
  const standing = await world.store.notifications.standing(HealthAlert.options)
  if (standing.length === 0)
    rules.report('dead_without_alert', at, `nothing has moved since ${new Date(books.movedAt).toISOString()}`)
}
