import { Controller, Inject } from '@nestjs/common'
import type { Agent } from '@treadle/contracts/agent'
import type { Answer } from '@treadle/contracts/client'
import { type AgentId, agentNumber } from '@treadle/contracts/ids'
import { decideNext } from '@treadle/flow/next'
import type { AgentRow } from '@treadle/flow/ports'
import { WORLD, type World } from '../world.ts'
import { ProblemError } from './problem.ts'
import { Given, type GivenOf, Serve } from './route.ts'

@Controller()
export class AgentsController {
  readonly world: World
  constructor(@Inject(WORLD) world: World) {
    this.world = world
  }

  @Serve('listAgents')
  list(@Given() _: GivenOf<'listAgents'>): Promise<Answer<'listAgents'>> {
    return this.crew()
  }

  @Serve('startAgents')
  async start(@Given() { body }: GivenOf<'startAgents'>): Promise<Answer<'startAgents'>> {
    await this.world.crew.want(body.count)
    return this.crew()
  }

  @Serve('nextForAgent')
  async next(@Given() { params }: GivenOf<'nextForAgent'>): Promise<Answer<'nextForAgent'>> {
    const { store, now, config } = this.world
    const agent = await store.agents.ensure(params.id, now())
    const held = await store.items.heldBy(params.id)
    const [first] = held === null && agent.wanted === 'running' ? await store.items.queue(1) : []
    const choice = decideNext({
      wanted: agent.wanted,
      held,
      first: first === undefined ? null : { projectNumber: first.projectNumber, number: first.number },
      pollMs: config().limits.pollMs,
    })
    if (choice.is !== 'resume') return choice
    const run = held?.runId == null ? null : await store.runs.find(held.runId)
    if (held === null || run === null) throw new Error(`${params.id} holds an item without a run`)
    return { is: 'resume', item: held, run, fence: held.fence }
  }

  @Serve('heartbeat')
  async beat(@Given() { params, body }: GivenOf<'heartbeat'>): Promise<Answer<'heartbeat'>> {
    const { store, now, uuid } = this.world
    const before = await store.agents.ensure(params.id, now())
    await store.agents.beat(params.id, body, now())
    if (before.status !== body.status) {
      await store.events.append({
        id: uuid(),
        at: now(),
        item: null,
        agentId: params.id,
        runId: null,
        state: null,
        event: { type: 'agent.status_changed', from: before.status, to: body.status },
      })
    }
    return { wanted: before.wanted, runId: before.runId }
  }

  @Serve('wantAgent')
  async order(@Given() { params }: GivenOf<'wantAgent'>): Promise<Agent> {
    if (params.order === 'start') await this.checkRoom(params.id)
    await this.world.crew.order(params.id, params.order)
    const row = await this.world.store.agents.find(params.id)
    if (row === null) {
      throw new ProblemError(404, {
        code: 'not_found',
        message: `There is no ${params.id}.`,
        hint: 'treadle agent list shows the crew.',
      })
    }
    return this.judged(row)
  }

  private async crew(): Promise<Answer<'listAgents'>> {
    const rows = await this.world.store.agents.list()
    return { items: rows.map((row) => this.judged(row)) }
  }

  /** A workspace has room for so many agents and no more. */
  private async checkRoom(id: AgentId): Promise<void> {
    const max = this.world.config().limits.agents
    const others = (await this.world.store.agents.list()).filter(
      (row) => row.id !== id && row.wanted !== 'stopped',
    )
    if (others.length < max && (agentNumber(id) ?? max + 1) <= max) return
    throw new ProblemError(409, {
      code: 'refused',
      message: `A workspace runs at most ${max} agents, agent-1 to agent-${max}.`,
      hint: 'Stop another one first: treadle agent stop <id>',
    })
  }

  private judged(row: AgentRow): Agent {
    return { ...row, health: this.world.crew.healthOf(row) }
  }
}
