// A month of the crew in minutes: its real policies, machines and books over the embedded database, by a clock that is led.

import { createHash } from 'node:crypto'
import type { Answer } from '@treadle/contracts/client'
import type { Config } from '@treadle/contracts/config'
import { CURSOR_START } from '@treadle/contracts/event'
import { HealthAlert } from '@treadle/contracts/notification'
import { startSupervisor } from '@treadle/daemon/jobs/serve-jobs'
import type { World } from '@treadle/daemon/world'
import { ask } from './ask.ts'
import { Books } from './books.ts'
import { Chance } from './chance.ts'
import { Agent } from './crew.ts'
import { Model, type Said } from './model.ts'
import { MonthClock } from './month-clock.ts'
import { Owner } from './owner.ts'
import { Rules } from './rules.ts'
import { MONTH, type Scale, SWEEP_MS } from './settings.ts'
import { type MonthWorld, openMonth, type Plant } from './world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The first of a month with thirty-one days, a Sunday. */
export const BEGAN = new Date('2026-03-01T00:00:00Z')
const EVENTS_MAX = 1_000

export interface MonthOrder {
  readonly seed: number
  readonly days: number
  readonly scale?: Scale
  /** A fault that is planted. */
  readonly plant?: Plant
  readonly onDay?: (day: number, month: Month) => void
  /** True: enough is known, and it ends. */
  readonly isEnough?: (month: Month) => boolean
}

/** Shares of the time in which the queue was so deep. */
interface QueueTime {
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
  readonly days: number
  /** The product's own figures at the end. */
  readonly figures: Figures | null
  /** Of all that was recorded, in its order: the same seed gives the same. */
  readonly digest: string
}

type Figures = Answer<'listCategories'>['items']

export async function playMonth(order: MonthOrder): Promise<Month> {
  const { seed, scale = MONTH, plant = (world) => world } = order
  const clock = new MonthClock(BEGAN)
  const chance = new Chance(seed)
  const opened = await openMonth({ clock, chance, plant, settings: scale.settings })
  try {
    return await new Play(opened, { clock, chance, scale, order }).play()
  } finally {
    await opened.close()
  }
}

interface Playing {
  readonly clock: MonthClock
  readonly chance: Chance
  readonly scale: Scale
  readonly order: MonthOrder
}

class Play {
  readonly #opened: MonthWorld
  readonly #playing: Playing
  readonly #model: Model
  readonly #month: Month
  readonly #agents: readonly Agent[]
  readonly #owner: Owner
  readonly #events: EventReader
  readonly #supervisor: Supervisor

  constructor(opened: MonthWorld, playing: Playing) {
    const { world, repository, settled } = opened
    const { clock, chance, scale, order } = playing
    const { days } = order
    const { config } = opened
    const books = new Books(BEGAN, config.ideas)
    const rules = new Rules(books, config)
    const queue = { low: 0, lowUnexcused: 0, right: 0, high: 0, why: new Map() }
    const model = new Model(chance, { began: BEGAN, days, scale })
    rules.lookUSD = (at) => model.lookUSD(new Date(at))
    this.#opened = opened
    this.#playing = playing
    this.#model = model
    this.#month = { books, rules, queue, config, days, figures: null, digest: '' }
    const { buildHours } = scale
    const onSaid = (thought: string, said: Said) => books.expect(thought, said)
    const crew = { world, clock, chance, model, repository, buildHours, settled, onSaid }
    this.#agents = Array.from({ length: scale.agents }, (_, nth) => new Agent(`agent-${nth + 1}`, crew))
    this.#owner = new Owner(world, chance, scale.valued)
    this.#events = new EventReader(world, this.#month)
    this.#supervisor = superviseBySteps(world, clock)
  }

  async play(): Promise<Month> {
    const { clock, order } = this.#playing
    for (const agent of this.#agents) await agent.start()
    for (let passed = SWEEP_MS; passed <= order.days * DAY; passed += SWEEP_MS) {
      await this.#round()
      if (order.isEnough?.(this.#month)) break
      await clock.lead(new Date(BEGAN.getTime() + passed))
      await this.#meanwhile(passed)
    }
    await this.#opened.work()
    await this.#events.read()
    await this.#supervisor.stop()
    return this.#end()
  }

  async #round(): Promise<void> {
    const { work } = this.#opened
    const { clock, chance } = this.#playing
    await work()
    await this.#supervisor.step()
    await work()
    for (const agent of chance.shuffled(this.#agents)) await agent.wake()
    await work()
    await this.#events.read()
    look(
      this.#month,
      clock.now().getTime(),
      this.#agents.some((agent) => agent.isFree),
    )
  }

  async #meanwhile(passed: number): Promise<void> {
    const { world } = this.#opened
    const { chance, scale, order } = this.#playing
    if (passed % HOUR === 0) await checkHealth(world, this.#month, passed % (6 * HOUR) === 0)
    if (passed % scale.ownerMs === 0) await this.#owner.lookIn()
    if (passed % DAY !== 0) return
    this.#model.refill()
    if (chance.is(0.2)) await this.#owner.add()
    order.onDay?.(passed / DAY, this.#month)
  }

  async #end(): Promise<Month> {
    const { world, complaints } = this.#opened
    const { rules, books, days } = this.#month
    const at = world.now().getTime()
    for (const words of complaints) rules.report('daemon', at, words.slice(0, 300))
    if (days >= COVERED_DAYS) rules.end(at)
    const figures = (await ask(world, 'listCategories', {})).items
    compareFigures({ figures, books, rules }, at)
    return { ...this.#month, figures, digest: this.#events.digest() }
  }
}

/** After so many days every category must have had its turn. */
const COVERED_DAYS = 7

/** What the product says of each category is what the books say. */
function compareFigures(
  { figures, books, rules }: { figures: Figures; books: Books; rules: Rules },
  at: number,
): void {
  for (const { category, projectsGenerated, merged, withdrawn } of figures) {
    const own = [...books.items.values()].filter((item) => item.category === category)
    const count = (state: string) => own.filter((item) => item.state === state).length
    const [told, counted] = [
      [projectsGenerated, merged, withdrawn],
      [own.length, count('done'), count('withdrawn')],
    ]
    if (told.join() !== counted.join())
      rules.report(
        'figures',
        at,
        `${category}: the product says ${told.join(', ')}, and it was ${counted.join(', ')}`,
      )
  }
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

class EventReader {
  readonly #world: World
  readonly #month: Month
  readonly #hash = createHash('sha256')
  #cursor = CURSOR_START

  constructor(world: World, month: Month) {
    this.#world = world
    this.#month = month
  }

  async read(): Promise<void> {
    const { books, rules } = this.#month
    for (;;) {
      const read = await this.#world.store.events.after({ after: this.#cursor, limit: EVENTS_MAX })
      for (const event of read.items) {
        this.#hash.update(`${event.at} ${event.event.type} ${event.agentId} ${event.item?.number}\n`)
        rules.before(event)
        books.take(event)
        rules.after(event)
      }
      this.#cursor = read.cursor
      if (read.items.length < EVENTS_MAX) return
    }
  }

  digest(): string {
    return this.#hash.digest('hex').slice(0, 16)
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
