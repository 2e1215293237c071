// A crew at work while everything around it breaks, one fault after the other, until all items are done.
import { setTimeout as sleep } from 'node:timers/promises'
import { SessionFile } from '@treadle/contracts/session-file'
import { randomFrom } from '@treadle/requirements/seeds'
import { expect } from 'vitest'
import { checkEnd, pick } from '../crash/crash-run.ts'
import { CrewUnderTest, kill9, type Up } from '../crash/crew.ts'
import { makeShop } from '../crash/shop.ts'
import { moduleOf, titleOf } from '../kit/shop.ts'
import { type Counts, FAULTS, type Fault, Mischief, readText, sessionFiles } from './faults.ts'
import { openItems, Watchdog } from './watchdog.ts'

export interface ChaosPlan {
  readonly root: string
  readonly env: Record<string, string>
  readonly items: number
  readonly agents: number
  readonly seed: number
  /** After this long the items are left to be finished in peace. */
  readonly faultsMs: number
  readonly endMs: number
}

export interface ChaosReport {
  readonly faults: Counts
  readonly events: number
  readonly startUpMs: number
  readonly spentUSD: number
}

const TURN_USD = 0.01
/** So long that an engine can be met at work. */
const TURN_MS = 700

export async function chaosRun(plan: ChaosPlan): Promise<ChaosReport> {
  const shop = makeShop(plan.root, plan.items, {
    limits: { infrastructureRetries: 50 },
    usd: TURN_USD,
    waitMs: TURN_MS,
  })
  const crew = new CrewUnderTest(plan.root, plan.agents, plan.env)
  const chaos = new Chaos(plan, crew)
  try {
    await chaos.begin()
    await chaos.trouble()
    const items = await chaos.finish()
    const spentUSD = await checkLedger(chaos.up, plan)
    await checkEnd(shop, crew, chaos.up, items)
    for (const file of sessionFiles(plan.root))
      expect(SessionFile.safeParse(JSON.parse(readText(file))).success, file).toBe(true)
    return { faults: chaos.faults, events: chaos.watchdog.events, startUpMs: chaos.startUpMs, spentUSD }
  } finally {
    await crew.down().catch((error: unknown) => process.stderr.write(`down: ${String(error)}\n`))
    // A test must not leave processes, whatever it found.
    for (const { pid } of crew.processes()) kill9(pid)
  }
}

/** Every item was paid for, by somebody, once in each sum; nothing stays set aside. */
async function checkLedger({ client }: Up, { items }: ChaosPlan): Promise<number> {
  await expect.poll(async () => (await client.costTotals()).reservedUSD, { timeout: 90_000 }).toBe(0)
  const totals = await client.costTotals()
  const sum = (of: readonly { readonly costUSD: number; readonly calls: number }[]) => ({
    cents: Math.round(of.reduce((all, { costUSD }) => all + costUSD, 0) * 100),
    calls: of.reduce((all, { calls }) => all + calls, 0),
  })
  const whole = sum([{ costUSD: totals.totalUSD, calls: totals.calls }])
  expect(sum(totals.agents)).toEqual(whole)
  expect(sum(totals.items)).toEqual(whole)
  expect(new Set(totals.items.map(({ itemNumber }) => itemNumber)).size).toBe(items)
  expect(totals.items.filter(({ costUSD }) => costUSD < TURN_USD - 0.001)).toEqual([])
  return totals.totalUSD
}

class Chaos {
  readonly plan: ChaosPlan
  readonly crew: CrewUnderTest
  readonly faults: Counts = { agent: 0, engine: 0, daemon: 0, corrupt: 0, unwritable: 0 }
  readonly watchdog = new Watchdog()
  readonly #random: () => number
  readonly #mischief: Mischief
  #up: Up | null = null
  /** How long the last start took: the next kill waits three times as long. */
  startUpMs = 0
  #upAt = 0

  constructor(plan: ChaosPlan, crew: CrewUnderTest) {
    this.plan = plan
    this.crew = crew
    this.#random = randomFrom(plan.seed)
    this.#mischief = new Mischief(crew, this.#random)
  }

  get up(): Up {
    if (this.#up === null) throw new Error('there is no daemon')
    return this.#up
  }

  async begin(): Promise<void> {
    await this.#start()
    for (let n = 1; n <= this.plan.items; n += 1)
      await this.up.client.addItem({ body: { title: titleOf(n), testCommand: `sh test.sh ${moduleOf(n)}` } })
  }

  /** A fault every 0.3 to 2 s, as long as there is something to disturb. */
  async trouble(): Promise<void> {
    const until = performance.now() + this.plan.faultsMs
    while (performance.now() < until && !(await this.#isOver())) {
      await sleep(300 + this.#random() * 1_700)
      await this.#fault(this.#next())
      await this.watchdog.look(this.up)
    }
    // On a machine where a start takes long the crew may be done before the daemon's turn came.
    if (this.faults.daemon === 0) {
      while (!this.#mayKillDaemon()) await sleep(250)
      await this.#fault('daemon')
    }
    await this.#mischief.settle()
  }

  async finish() {
    const until = performance.now() + this.plan.endMs
    while (!(await this.#isOver())) {
      await this.watchdog.look(this.up)
      if (performance.now() > until) throw new Error(`not finished: ${await openItems(this.up)}`)
      await sleep(250)
    }
    return (await this.up.client.listItems({ query: { limit: 1_000 } })).items
  }

  /** What has not happened yet comes first; then chance decides. */
  #next(): Fault {
    const possible = FAULTS.filter((fault) => fault !== 'daemon' || this.#mayKillDaemon())
    const fresh = possible.filter((fault) => this.faults[fault] === 0)
    return pick(fresh.length > 0 ? fresh : possible, this.#random) ?? 'agent'
  }

  /** Killed sooner, it would do nothing but start. */
  #mayKillDaemon(): boolean {
    return performance.now() - this.#upAt > 3 * this.startUpMs
  }

  async #fault(fault: Fault): Promise<void> {
    if (fault !== 'daemon') {
      // An engine lives for a moment only: one looks until there is something to do it to.
      for (let looks = 0; looks < 200; looks += 1) {
        if (this.#mischief.do(fault)) {
          this.faults[fault] += 1
          return
        }
        await sleep(25)
      }
      return
    }
    if (!kill9(this.up.pid)) throw new Error('the daemon was gone before it was killed')
    this.faults.daemon += 1
    await sleep(this.#random() * 500)
    await this.#start()
  }

  async #start(): Promise<void> {
    const before = performance.now()
    this.#up = await this.crew.up()
    this.#upAt = performance.now()
    this.startUpMs = Math.round(this.#upAt - before)
  }

  async #isOver(): Promise<boolean> {
    const { items } = await this.up.client.listItems({ query: { limit: 1_000 } })
    return items.every((item) => item.status === 'done' || item.needsHuman)
  }
}
