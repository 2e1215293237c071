import { Controller, Inject } from '@nestjs/common'
import type { Answer } from '@treadle/contracts/client'
import type { ItemMove } from '@treadle/contracts/event'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Actor, OrderName } from '@treadle/contracts/order'
import { isReviewer } from '@treadle/contracts/review'
import { advance } from '@treadle/flow/advance'
import { runClaim } from '@treadle/flow/claim/claim.run'
import { addItem } from '../add-item.ts'
import { claimHolds } from '../holds.ts'
import { readKept } from '../kept-receipt.ts'
import { audited } from '../orders/audit.ts'
import { restingWords } from '../resting.ts'
import { WORLD, type World } from '../world.ts'
import { ProblemError } from './problem.ts'
import { Given, type GivenOf, Serve } from './route.ts'

/** More than a page can show; what is left out is counted. */
const OPEN_MAX = 5_000

@Controller()
export class ItemsController {
  readonly world: World
  constructor(@Inject(WORLD) world: World) {
    this.world = world
  }

  @Serve('listItems')
  async list(@Given() { query }: GivenOf<'listItems'>): Promise<Answer<'listItems'>> {
    return { items: await this.world.store.items.list(query) }
  }

  @Serve('board')
  board(@Given() { query }: GivenOf<'board'>): Promise<Answer<'board'>> {
    return this.world.store.items.board({ openMax: OPEN_MAX, endedMax: query.ended })
  }

  @Serve('addItem')
  async add(@Given() { body }: GivenOf<'addItem'>): Promise<Answer<'addItem'>> {
    const added = await addItem(this.world, body)
    // The queue may have been too low.
    this.world.health.soon()
    return added
  }

  @Serve('queue')
  async queue(@Given() { query }: GivenOf<'queue'>): Promise<Answer<'queue'>> {
    return { items: await this.world.store.items.queue(query.limit) }
  }

  @Serve('showItem')
  async show(@Given() { params }: GivenOf<'showItem'>): Promise<Answer<'showItem'>> {
    const ref = refOf(params)
    const { items, runs, events } = this.world.store
    const item = await items.find(ref)
    if (item === null) throw missing(ref)
    return { item, runs: await runs.ofItem(ref, 50), events: await events.ofItem(ref, 500) }
  }

  @Serve('showReceipt')
  async receipt(@Given() { params }: GivenOf<'showReceipt'>): Promise<Answer<'showReceipt'>> {
    const ref = refOf(params)
    const item = await this.world.store.items.find(ref)
    if (item === null) throw missing(ref)
    const read = await readKept(this.world.git, item)
    if (read.is === 'kept') return read.kept
    throw new ProblemError(404, {
      code: 'not_found',
      message: `#${ref.number} has no receipt here: ${read.why}.`,
      hint: read.hint,
      details: { state: item.state },
    })
  }

  @Serve('claimItem')
  async claim(@Given() { params, body }: GivenOf<'claimItem'>): Promise<Answer<'claimItem'>> {
    const ref = refOf(params)
    if (isReviewer(body.agentId))
      throw new ProblemError(409, {
        code: 'refused',
        message: `${body.agentId} reviews, and builds nothing.`,
        hint: 'Ask for a review: GET /api/reviews/queue?waitsFor=reviewer',
      })
    const holds = await claimHolds(this.world)
    if (holds.length > 0) throw onHold(holds)
    await this.checkEngine(ref)
    const agent = await this.world.store.agents.find(body.agentId)
    if (agent?.wanted === 'paused') {
      throw new ProblemError(409, {
        code: 'refused',
        message: `${agent.id} is paused and claims nothing.`,
        hint: `Let it go on first: treadle agent resume ${agent.id}`,
      })
    }
    const claimed = await runClaim(this.world, {
      item: ref,
      agentId: body.agentId,
      requestId: body.requestId ?? null,
    })
    switch (claimed.is) {
      case 'claimed':
        // Whoever holds something is shown among the agents, also one that only speaks the API.
        await this.world.store.agents.ensure(body.agentId, this.world.now())
        return { item: claimed.item, run: claimed.run, fence: claimed.fence }
      case 'missing':
        throw missing(ref)
      case 'held':
        throw new ProblemError(409, {
          code: 'already_claimed',
          message:
            claimed.by === null
              ? `#${ref.number} is ${claimed.status} and not in the queue.`
              : `#${ref.number} is held by ${claimed.by}.`,
          hint: 'Ask for other work: GET /api/agents/{id}/next',
          details: { holder: claimed.by, status: claimed.status },
        })
    }
  }

  /** Whoever claimed it would be refused as the one before. */
  private async checkEngine(ref: ItemRef): Promise<void> {
    const { store, resting, config } = this.world
    if (resting.list().length === 0) return
    const item = await store.items.find(ref)
    const found = resting.of(item?.engine ?? config().engines.default)
    if (found !== null) throw onHold([restingWords(found)])
  }

  @Serve('releaseItem')
  release(@Given() { params, body }: GivenOf<'releaseItem'>): Promise<Item> {
    const why = body.why ?? `released by ${body.by}`
    return this.move(refOf(params), { type: 'claim.released', why }, ['release', body.by])
  }

  @Serve('approveItem')
  async approve(@Given() { params, body }: GivenOf<'approveItem'>): Promise<Item> {
    await this.checkDelivered(refOf(params))
    const approval = { kind: 'human', by: body.by, at: this.world.now().toISOString() } as const
    return this.move(refOf(params), { type: 'review.approved', approval }, ['approve', body.by])
  }

  /** Who approves what was left to a person approves the delivery that was refused, and no older one. */
  private async checkDelivered(ref: ItemRef): Promise<void> {
    const { items, reviews } = this.world.store
    const item = await items.find(ref)
    if (item?.state !== 'escalated') return
    const review = await reviews.latest(ref)
    if (review !== null && review.runId === item.runId && review.headCommit === item.headCommit) return
    throw new ProblemError(409, {
      code: 'refused',
      message: `#${ref.number} is escalated and has no delivery that could be approved.`,
      hint: `Let it be built again: treadle reopen ${ref.number}`,
      details: { state: item.state },
    })
  }

  @Serve('rejectItem')
  reject(@Given() { params, body }: GivenOf<'rejectItem'>): Promise<Item> {
    const { by, feedback } = body
    return this.move(refOf(params), { type: 'review.rejected', by, feedback }, ['reject', by])
  }

  @Serve('withdrawItem')
  withdraw(@Given() { params, body }: GivenOf<'withdrawItem'>): Promise<Item> {
    return this.move(refOf(params), { type: 'item.withdrawn', by: body.by }, ['withdraw', body.by])
  }

  @Serve('reopenItem')
  reopen(@Given() { params, body }: GivenOf<'reopenItem'>): Promise<Item> {
    return this.move(refOf(params), { type: 'item.reopened', by: body.by }, ['reopen', body.by])
  }

  private move(ref: ItemRef, move: ItemMove, [order, by]: [OrderName, Actor]): Promise<Item> {
    const given = { order, by, target: `#${ref.number}`, impact: `${order} #${ref.number}` }
    const act = () => this.advance(ref, move)
    return audited(this.world, given, act, ({ state }) => `#${ref.number} is ${state}`)
  }

  private async advance(ref: ItemRef, move: ItemMove): Promise<Item> {
    const moved = await advance(this.world, {
      item: ref,
      eventId: this.world.uuid(),
      fence: null,
      agentId: null,
      move,
    })
    if (moved.is === 'missing') throw missing(ref)
    if (moved.is === 'advanced') return moved.item
    throw new ProblemError(409, {
      code: 'refused',
      message: `#${ref.number}: ${moved.is === 'refused' ? moved.why : moved.is}.`,
      hint: `See where it stands: treadle show ${ref.number}`,
      details: { state: moved.item.state },
    })
  }
}

function refOf(params: { projectNumber: number; issueNumber: number }): ItemRef {
  return { projectNumber: params.projectNumber, number: params.issueNumber }
}

function onHold(holds: readonly string[]): ProblemError {
  return new ProblemError(409, {
    code: 'refused',
    message: `Nothing new is claimed: ${holds.join('; ')}.`,
    hint: 'See how things stand: treadle status',
    details: { holds: [...holds] },
  })
}

function missing(ref: ItemRef): ProblemError {
  return new ProblemError(404, {
    code: 'not_found',
    message: `There is no item #${ref.number} in project ${ref.projectNumber}.`,
    hint: 'treadle list shows what there is.',
  })
}
