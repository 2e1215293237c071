import { type Fact, type ItemMove, TreadleEvent } from '@treadle/contracts/event'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item, RestsOn } from '@treadle/contracts/item'
import type { Clearance } from '@treadle/contracts/lock'
import type { Actor, OrderName } from '@treadle/contracts/order'
import { isReviewer } from '@treadle/contracts/review'
import type { itemRoutes } from '@treadle/contracts/routes/items'
import { clearanceWords } from '@treadle/contracts/words/clearance'
import { planWords } from '@treadle/contracts/words/plan'
import { runClaim } from '@treadle/flow/claim/claim.run'
import { cooldownWords } from '@treadle/flow/claim/cooldown'
import { requestOf } from '@treadle/flow/review/line-comments'
import { waitingFor } from '@treadle/flow/work/item-links'
import { readKept } from '../jobs/kept-receipt.ts'
import { withClearance } from '../offers/files.ts'
import { claimHolds } from '../offers/holds.ts'
import { audited } from '../orders/audit.ts'
import { orderRevert, revertedBy } from '../orders/revert.ts'
import type { World } from '../world.ts'
import { addItem } from './add-item.ts'
import { editItem } from './edit-item.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

/** More than a page can show; what is left out is counted. */
const OPEN_MAX = 20_000

export const itemHandlers = {
  async listItems(world, { query }) {
    const numbers = query.numbers?.split(',').map(Number)
    return { items: await withClearance(world, await world.store.items.list({ ...query, numbers })) }
  },

  async board(world, { query }) {
    const board = await world.store.items.board({ openMax: OPEN_MAX, endedMax: query.ended })
    return { ...board, items: await withClearance(world, board.items) }
  },

  async addItem(world, { body, caller }) {
    if (body.target !== null && caller.key !== 'owner') throw ownBranch()
    const added = await addItem(world, body)
    // The queue may have been too low.
    world.health.soon()
    return added
  },

  async queue(world, { query }) {
    return { items: await withClearance(world, await world.store.items.queue(query.limit)) }
  },

  async showItem(world, { params }) {
    const ref = refOf(params)
    const { items, runs, events } = world.store
    const found = await items.find(ref)
    if (found === null) throw missing(ref)
    const [item = found] = await withClearance(world, [found])
    return {
      item,
      runs: await runs.ofItem(ref, 50),
      events: await events.ofItem(ref, 500, TOLD_OF_ITEM),
      costUSD: await costOf(world, ref),
      revertedBy: await revertedBy(world, ref),
    }
  },

  async showReceipt(world, { params }) {
    const ref = refOf(params)
    const item = await world.store.items.find(ref)
    if (item === null) throw missing(ref)
    const read = await readKept(world.git, item)
    if (read.is === 'kept') return read.kept
    throw new ProblemError(404, {
      code: 'not_found',
      message: `#${ref.number} has no receipt here: ${read.why}.`,
      hint: read.hint,
      details: { state: item.state },
    })
  },

  editItem(world, { params, body }) {
    const ref = refOf(params)
    const act = async () => {
      const edited = await editItem(world, ref, body)
      if (edited === null) throw missing(ref)
      return edited
    }
    const { by, ...changes } = body
    const target = `#${ref.number}`
    const given = { order: 'edit', by, target, impact: `edit ${target}: ${planWords(changes)}` } as const
    return audited(world, given, act, () => `${target} was edited`)
  },

  async claimItem(world, { params, body }) {
    const ref = refOf(params)
    if (isReviewer(body.agentId))
      throw new ProblemError(409, {
        code: 'refused',
        message: `${body.agentId} reviews, and builds nothing.`,
        hint: `Ask for a delivery to review: GET /api/agents/${body.agentId}/next`,
      })
    const holds = await claimHolds(world, body.agentId)
    if (holds.length > 0) throw onHold(holds)
    await checkEngine(world, ref)
    const agent = await world.store.agents.find(body.agentId)
    if (agent?.wanted === 'paused') {
      throw new ProblemError(409, {
        code: 'refused',
        message: `${agent.id} is paused and claims nothing.`,
        hint: `Let it go on first: treadle agent resume ${agent.id}`,
      })
    }
    const claimed = await runClaim(world, {
      item: ref,
      agentId: body.agentId,
      requestId: body.requestId ?? null,
    })
    switch (claimed.is) {
      case 'claimed':
        // Whoever holds something is shown among the agents, also one that only speaks the API.
        await world.store.agents.ensure(body.agentId, world.now())
        return { item: claimed.item, run: claimed.run, fence: claimed.fence }
      case 'missing':
        throw missing(ref)
      case 'blocked':
        throw new ProblemError(409, {
          code: 'refused',
          message: `#${ref.number} is blocked by ${claimed.by.map((number) => `#${number}`).join(', ')}.`,
          hint: 'Ask for other work: GET /api/agents/{id}/next',
          details: { blockedBy: [...claimed.by] },
        })
      case 'owned':
        throw uncleared(ref, claimed, {
          hint: `Speak with them, then say so: treadle edit ${ref.number} --agreed`,
          details: { owner: claimed.by },
        })
      case 'locked': {
        const { file, item, lockedBy } = claimed.lock
        throw uncleared(
          ref,
          { is: 'locked', by: lockedBy, item, file },
          {
            hint: 'Ask for other work: GET /api/agents/{id}/next',
            details: { file, lockedBy, lockedFor: item },
          },
        )
      }
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
  },

  releaseItem(world, { params, body }) {
    const why = body.why ?? `released by ${body.by}`
    return moveItem(world, refOf(params), { type: 'claim.released', why }, ['release', body.by])
  },

  async approveItem(world, { params, body, caller }) {
    const ref = refOf(params)
    const { by, head } = body
    await checkRead(world, ref, head)
    await checkDelivered(world, ref)
    const { restsOn } = caller
    const approval = { kind: 'human', by, at: world.now().toISOString(), restsOn } as const
    const move = { type: 'review.approved', approval, ...(head === undefined ? {} : { head }) } as const
    return moveItem(world, ref, move, ['approve', by, restsOn])
  },

  async rejectItem(world, { params, body, caller }) {
    const ref = refOf(params)
    const { by, fresh, head, comments = [] } = body
    await checkRead(world, ref, head)
    const { feedback, changes } = requestOf(body.feedback, comments)
    const onLines = comments.length === 0 ? {} : { changes, comments }
    const about = { ...onLines, ...(head === undefined ? {} : { head }) }
    const move = { type: 'review.rejected', by, feedback, ...about, ...anew(fresh) } as const
    return moveItem(world, ref, move, ['reject', by, caller.restsOn])
  },

  async withdrawItem(world, { params, body }) {
    const ref = refOf(params)
    const item = await moveItem(world, ref, { type: 'item.withdrawn', by: body.by }, ['withdraw', body.by])
    return { ...item, waitedForBy: waitingFor(await world.store.items.plans(ref.projectNumber), ref.number) }
  },

  async reopenItem(world, { params, body, caller }) {
    const { by, fresh, text } = body
    const ref = refOf(params)
    const given = ['reopen', by, caller.restsOn] as const
    const item = await moveItem(world, ref, { type: 'item.reopened', by, ...anew(fresh) }, given)
    if (text !== undefined) await keepWords(world, item, { by, text })
    return item
  },

  revertItem(world, { params, body, caller }) {
    const ref = refOf(params)
    const [target, { by }, { restsOn }] = [`#${ref.number}`, body, caller]
    const act = async () => {
      const ordered = await orderRevert(world, ref, by)
      if (ordered === null) throw missing(ref)
      return ordered
    }
    const given = { order: 'revert', by, target, impact: `revert ${target}`, restsOn } as const
    return audited(world, given, act, ({ item }) => `#${item.number} takes ${target} back`)
  },
} satisfies HandlersOf<typeof itemRoutes>

/** Words for whoever works on the item next: the runs of an item share what was said to any of them. */
async function keepWords(
  { store, now, uuid }: World,
  item: Item,
  said: { readonly by: string; readonly text: string },
): Promise<void> {
  const { projectNumber, number, state } = item
  const ref = { projectNumber, number }
  const [run] = await store.runs.ofItem(ref, 1)
  const id = uuid()
  const event: Fact =
    run === undefined
      ? { type: 'item.commented', ...said }
      : { type: 'run.guided', guidance: { id, ...said, answers: null } }
  await store.events.append({
    id: `guided:${id}`,
    at: now(),
    item: ref,
    agentId: null,
    runId: run?.id ?? null,
    state,
    event,
  })
}

/** What an engine says and begins would push out all the rest; a run's history has it. */
const TOLD_OF_ITEM = TreadleEvent.options
  .map(({ shape }) => shape.type.value)
  .filter((type) => type !== 'run.said' && type !== 'run.began' && type !== 'thought.said')

/** Whoever claimed it would be refused as the one before. */
async function checkEngine(world: World, ref: ItemRef): Promise<void> {
  const { store, cooldowns, config } = world
  if (cooldowns.list().length === 0) return
  const item = await store.items.find(ref)
  const found = cooldowns.for(item, config().engines)
  if (found !== null) throw onHold([cooldownWords(found)])
}

/** Nobody decides about a delivery that they have not read: the one that was read is to be the one that is there. */
async function checkRead(world: World, ref: ItemRef, head: string | undefined): Promise<void> {
  const item = head === undefined ? null : await world.store.items.find(ref)
  if (item !== null && item.headCommit !== head) throw headMoved(item, head)
}

function headMoved({ number, headCommit, state }: Item, head: string | undefined): ProblemError {
  const now = headCommit === null ? 'there is none now' : `now it is ${headCommit.slice(0, 8)}`
  return new ProblemError(409, {
    code: 'head_moved',
    message: `#${number} has changed since you read it: you read ${head?.slice(0, 8)}, ${now}. Nothing was decided.`,
    hint: `Read what it is now: treadle diff ${number}`,
    details: { head: headCommit, state },
  })
}

/** Who approves what was left to a person approves the delivery that was refused, and no older one. */
async function checkDelivered(world: World, ref: ItemRef): Promise<void> {
  const { items, reviews } = world.store
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

type Ordered = readonly [order: OrderName, by: Actor, restsOn?: RestsOn]

function moveItem(world: World, ref: ItemRef, move: ItemMove, [order, by, restsOn]: Ordered): Promise<Item> {
  const given = { order, by, target: `#${ref.number}`, impact: `${order} #${ref.number}`, restsOn }
  const act = () => advanceItem(world, ref, move)
  return audited(world, given, act, ({ state }) => `#${ref.number} is ${state}`)
}

async function advanceItem(world: World, ref: ItemRef, move: ItemMove): Promise<Item> {
  const moved = await world.advance({
    item: ref,
    eventId: world.uuid(),
    fence: null,
    agentId: null,
    move,
  })
  if (moved.is === 'missing') throw missing(ref)
  if (moved.is === 'advanced') return moved.item
  const read = move.type === 'review.approved' || move.type === 'review.rejected' ? move.head : undefined
  if (read !== undefined && moved.item.headCommit !== read) throw headMoved(moved.item, read)
  throw new ProblemError(409, {
    code: 'refused',
    message: `#${ref.number}: ${moved.is === 'refused' ? moved.why : moved.is}.`,
    hint: `See where it stands: treadle show ${ref.number}`,
    details: { state: moved.item.state },
  })
}

/** It waits for others, whom the words name. */
function uncleared(
  { number }: ItemRef,
  clearance: Clearance,
  more: Pick<ConstructorParameters<typeof ProblemError>[1], 'hint' | 'details'>,
): ProblemError {
  const message = `#${number} cannot be begun: ${clearanceWords(clearance)}.`
  return new ProblemError(409, { code: 'refused', message, ...more })
}

/** That the work is to start anew is part of what is recorded. */
function anew(fresh: boolean | undefined): { fresh?: true } {
  return fresh === true ? { fresh } : {}
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

/** What a standing order merges, it merges into the branch that the owner has chosen. */
function ownBranch(): ProblemError {
  return new ProblemError(403, {
    code: 'owner_key_needed',
    message: 'body.target: only the owner says into which branch work is merged.',
    hint: 'Leave it out, or add the item with treadle add --target <branch>.',
  })
}

function missing(ref: ItemRef): ProblemError {
  return new ProblemError(404, {
    code: 'not_found',
    message: `There is no item #${ref.number} in project ${ref.projectNumber}.`,
    hint: 'treadle list shows what there is.',
  })
}

/** An item can be read also while the book of costs cannot. */
async function costOf({ store, log }: World, ref: ItemRef): Promise<number | null> {
  try {
    return await store.ledger.spentOn(ref)
  } catch (error) {
    log.warn({ err: error, item: ref }, 'the cost of an item could not be read')
    return null
  }
}
