// The agents of the month: each asks for work as an agent's process does, over the daemon's own handlers, and plays it.
import type { AgentStatus } from '@treadle/contracts/agent'
import { Category } from '@treadle/contracts/categories'
import type { Answer } from '@treadle/contracts/client'
import type { RunReport } from '@treadle/contracts/event'
import { type AgentId, branchName, type ItemRef } from '@treadle/contracts/ids'
import type { NewCost } from '@treadle/contracts/routes/costs'
import type { ThoughtEnd } from '@treadle/contracts/routes/thoughts'
import type { Thought } from '@treadle/contracts/thought'
import type { World } from '@treadle/daemon/world'
import { ask } from './ask.ts'
import type { Chance } from './chance.ts'
import { type DeliveryKind, GREEN, type PlayedRepository, RED } from './edges.ts'
import type { Model, Said } from './model.ts'
import type { MonthClock } from './month-clock.ts'
import { BEAT_MS } from './settings.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const MODEL = 'scripted'

export interface CrewWorld {
  readonly world: World
  readonly clock: MonthClock
  readonly chance: Chance
  readonly model: Model
  readonly repository: PlayedRepository
  readonly buildHours: readonly [least: number, most: number]
  /** Once the daemon has looked at its budgets, as it does after each cost. */
  readonly settled: () => Promise<void>
  /** Told what each answer deserves, before the product has read it. */
  readonly onSaid: (thought: string, said: Said) => void
}

type Claim = Answer<'claimItem'>
interface Money {
  readonly item: ItemRef | null
  readonly runId: string | null
  readonly thoughtId: string | null
  readonly fence: number
  readonly costUSD: number
}

export class Agent {
  readonly id: AgentId
  readonly #in: CrewWorld
  #status: AgentStatus = 'idle'
  #isBusy = false
  /** Its process is gone, and nobody has started it again yet. */
  #isGone = false
  #nth = 0

  constructor(id: AgentId, world: CrewWorld) {
    this.id = id
    this.#in = world
  }

  get isFree(): boolean {
    return !this.#isGone && !this.#isBusy
  }

  async start(): Promise<void> {
    const { world } = this.#in
    await world.store.agents.ensure(this.id, world.now())
    await world.store.agents.patch(this.id, { wanted: 'running', status: 'idle' })
    this.#beatLater()
  }

  /** Asks what to do, unless it does something already. */
  async wake(): Promise<void> {
    if (this.#isBusy || this.#isGone) return
    const offer = await ask(this.#in.world, 'nextForAgent', { params: { id: this.id }, query: { waitMs: 0 } })
    switch (offer.is) {
      case 'claim':
        return this.#claim(offer.item)
      case 'think':
        return this.#think(offer.thought)
      case 'resume':
        // It had died over it: what it holds is given back.
        await this.#say(
          { run: offer.run, fence: offer.fence },
          { type: 'claim.released', why: 'the process was started anew' },
        )
        return this.#later(MINUTE, () => this.#end())
      case 'wait':
      case 'stop':
        return
    }
  }

  // ── Thinking ──────────────────────────────────────────────────────────────────────────────────

  async #think(offered: Thought): Promise<void> {
    const { world, chance } = this.#in
    const claimed = await ask(world, 'claimThought', {
      params: { id: offered.id },
      body: { agentId: this.id },
    }).catch(refused)
    if (claimed === null) return
    await this.#become('ideating')
    if (chance.is(0.01)) return this.#die()
    await this.#later(chance.between(3, 12) * MINUTE, () => this.#answer(claimed))
  }

  async #answer(thought: Thought): Promise<void> {
    const { world, model, onSaid } = this.#in
    const money = { item: null, runId: null, thoughtId: thought.id, fence: thought.fence }
    const costUSD = model.lookUSD(world.now())
    const silent = model.isSilent(world.now()) ? { why: 'the model does not answer' } : null
    const paid = silent ?? (await this.#pay({ ...money, costUSD }))
    if (paid !== null) await this.#endThought(thought, { is: 'failed', why: paid.why })
    else {
      const said = model.answer(Category.parse(thought.subject), world.now())
      onSaid(thought.id, said)
      const { text } = said
      await this.#endThought(thought, { is: 'answered', text, structured: null, model: MODEL })
    }
    await this.#end()
  }

  #endThought(thought: Thought, end: ThoughtEnd) {
    const { id, fence } = thought
    const body = { agentId: this.id, fence, end }
    return ask(this.#in.world, 'answerThought', { params: { id }, body }).catch(refused)
  }

  // ── Building ──────────────────────────────────────────────────────────────────────────────────

  async #claim(item: ItemRef): Promise<void> {
    const { world, chance, model, repository } = this.#in
    const params = { projectNumber: item.projectNumber, issueNumber: item.number }
    const claim = await ask(world, 'claimItem', { params, body: { agentId: this.id } }).catch(refused)
    if (claim === null) return
    await this.#become('working')
    if (model.isSilent(world.now())) return this.#giveBack(claim, this.#silence())
    const paid = await this.#pay({
      item,
      runId: claim.run.id,
      thoughtId: null,
      fence: claim.fence,
      costUSD: model.buildUSD(world.now()),
    })
    if (paid !== null && !paid.isItemSpent)
      return this.#giveBack(claim, { type: 'claim.released', why: paid.why })
    await this.#say(claim, {
      type: 'build.started',
      branch: branchName(this.id, item),
      base: repository.head,
    })
    if (paid !== null) {
      await this.#say(claim, { type: 'build.failed', outcome: 'budget', why: paid.why })
      return this.#end()
    }
    if (chance.is(0.02)) return this.#die()
    const [least, most] = this.#in.buildHours
    // One in fifty takes longer than a run may.
    const hours = chance.is(0.02) ? 9 : chance.between(least, most)
    await this.#later(hours * HOUR, () => this.#finish(claim, item))
  }

  async #giveBack(claim: Claim, event: RunReport): Promise<void> {
    await this.#say(claim, event)
    this.#later(5 * MINUTE, () => this.#end())
  }

  async #finish(claim: Claim, item: ItemRef): Promise<void> {
    const { chance, repository } = this.#in
    if (chance.is(0.03)) {
      await this.#say(claim, { type: 'build.failed', outcome: 'max_turns', why: 'it goes in circles' })
      return this.#end()
    }
    const head = chance.commit()
    const finished = { type: 'build.finished', summary: 'done', checkpoint: head } as const
    await this.#say(claim, finished)
    if (chance.is(0.12)) {
      await this.#say(claim, { type: 'verify.failed', gates: [RED], why: 'tests fail' })
      await this.#say(claim, finished)
    }
    const kind = kindOf(chance)
    repository.deliver(head, kind)
    const branch = branchName(this.id, item)
    await this.#say(claim, {
      type: 'verify.passed',
      branch,
      head,
      gates: [GREEN],
      pushed: false,
      pushNote: null,
    })
    await this.#end()
  }

  /** What it says of an item that it has lost meanwhile is not taken, and it goes on with something else. */
  async #say({ run, fence }: Pick<Claim, 'run' | 'fence'>, event: RunReport): Promise<void> {
    const body = { eventId: this.#in.chance.uuid(), fence, event }
    await ask(this.#in.world, 'reportRun', { params: { id: run.id }, body }).catch(refused)
  }

  /** The provider of its engine does not answer, so that the engine rests. */
  #silence(): RunReport {
    const restsUntil = new Date(this.#in.world.now().getTime() + 30 * MINUTE).toISOString()
    return { type: 'claim.released', why: 'the model does not answer', engine: MODEL, restsUntil }
  }

  // ── Money ─────────────────────────────────────────────────────────────────────────────────────

  /** Null: it was set aside and spent; else why not. */
  async #pay(money: Money): Promise<{ readonly why: string; readonly isItemSpent: boolean } | null> {
    const { world, chance } = this.#in
    const { item, runId, thoughtId, fence, costUSD } = money
    const id = `call-${this.id}-${++this.#nth}`
    const body = { id, agentId: this.id, item, runId, thoughtId, fence, model: MODEL, costUSD }
    const granted = await ask(world, 'reserveCost', { body })
    if (granted.is !== 'granted')
      return { why: granted.why ?? 'there is no money for it', isItemSpent: granted.isItemSpent === true }
    const cost: Omit<NewCost, 'id'> = {
      agentId: this.id,
      projectNumber: item?.projectNumber ?? 1,
      itemNumber: item?.number ?? null,
      runId,
      thoughtId,
      model: MODEL,
      tokens: { input: 1_000, output: 100 },
      costUSD: Number((costUSD * chance.between(0.6, 1)).toFixed(4)),
      assumed: false,
      timestamp: world.now().toISOString(),
    }
    await ask(world, 'settleCost', { body: { id, cost, next: null } })
    await this.#in.settled()
    return null
  }

  // ── Itself ────────────────────────────────────────────────────────────────────────────────────

  async #end(): Promise<void> {
    this.#isBusy = false
    await this.#become('idle')
    await this.wake()
  }

  #later(ms: number, act: () => Promise<void>): void {
    this.#isBusy = true
    this.#in.clock.after(ms, () => (this.#isGone ? undefined : act()))
  }

  /** The process ends without a word, and is started again after some hours. */
  #die(): void {
    this.#isGone = true
    this.#in.clock.after(this.#in.chance.between(2, 5) * HOUR, async () => {
      this.#isGone = false
      await this.#end()
    })
  }

  async #become(status: AgentStatus): Promise<void> {
    this.#status = status
    await this.#beat()
  }

  #beatLater(): void {
    this.#in.clock.after(BEAT_MS, async () => {
      if (!this.#isGone) await this.#beat()
      this.#beatLater()
    })
  }

  async #beat(): Promise<void> {
    const { world } = this.#in
    const body = {
      agentId: this.id,
      status: this.#status,
      currentProjectNumber: null,
      timestamp: world.now().toISOString(),
      memoryUsage: 100,
      cpuUsage: 1,
      pid: 1_000,
      engine: MODEL,
      phase: null,
      tasksCompleted: 0,
      errorCount: 0,
      lastError: null,
      drained: false,
    }
    await ask(world, 'heartbeat', { params: { id: this.id }, body })
  }
}

function kindOf(chance: Chance): DeliveryKind {
  if (chance.is(0.05)) return 'unproven'
  return chance.is(0.03) ? 'red_when_merged' : 'proven'
}

function refused(error: unknown): null {
  if ((error as { status?: number }).status === undefined) throw error
  return null
}
