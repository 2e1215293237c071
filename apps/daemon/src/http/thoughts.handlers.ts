import type { thoughtRoutes } from '@treadle/contracts/routes/thoughts'
import { OpenThought, type Thought } from '@treadle/contracts/thought'
import {
  askedEvent,
  runAnswerThought,
  runClaimThought,
  runSayThought,
  runWithdrawThought,
  type ThoughtClaimed,
} from '@treadle/flow/work/thought.run'
import { thinking } from '../jobs/thinking.ts'
import type { World } from '../world.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

export const thoughtHandlers = {
  async listThoughts(world, { query }) {
    return { items: await world.store.thoughts.list(query) }
  },

  async openThoughts(world, { query }) {
    const open = await world.store.thoughts.list({ ...query, isOpen: true })
    return { items: open.map((thought) => OpenThought.strip().parse(thought)) }
  },

  async thoughtHistory(world, { params, query }) {
    await find(world, params.id)
    return world.store.events.ofThought({ ...query, thought: params.id, begunBy: askedEvent(params.id) })
  },

  showThought(world, { params }) {
    return find(world, params.id)
  },

  async claimThought(world, { params, body }) {
    const claimed = await runClaimThought(thinking(world), { id: params.id, ...body })
    if (claimed.is === 'claimed') return claimed.thought
    if (claimed.is === 'missing') throw missing(params.id)
    throw refusedClaim(claimed)
  },

  async sayThought(world, { params, body }) {
    const { leftOut, ...rest } = body
    const said = await runSayThought(world, {
      id: params.id,
      ...rest,
      ...(leftOut === undefined ? {} : { leftOut }),
    })
    if (said.is === 'missing') throw missing(params.id)
    if (said.is === 'fenced') throw fenced(said.thought, body.fence)
    return { is: said.is }
  },

  async answerThought(world, { params, body }) {
    const answered = await runAnswerThought(thinking(world), { id: params.id, ...body })
    if (answered.is === 'missing') throw missing(params.id)
    if (answered.is === 'fenced') throw fenced(answered.thought, body.fence)
    return { is: answered.is, thought: answered.thought }
  },

  async withdrawThought(world, { params, body }) {
    if (await runWithdrawThought(thinking(world), params.id, body.by)) return find(world, params.id)
    const { status } = await find(world, params.id)
    throw new ProblemError(409, {
      code: 'refused',
      message: `This thought is ${status} already.`,
      hint: 'GET /api/thoughts lists those that wait: ?status=pending',
    })
  },
} satisfies HandlersOf<typeof thoughtRoutes>

/** What whoever claims a thought in vain is told. */
export function refusedClaim({
  thought: { status, agentId },
  why,
}: Extract<ThoughtClaimed, { is: 'refused' }>): ProblemError {
  const because = why ?? `it is ${status === 'claimed' ? `held by ${agentId}` : status}`
  return new ProblemError(409, {
    code: status === 'claimed' ? 'already_claimed' : 'refused',
    message: `This thought cannot be claimed: ${because}.`,
    hint: 'Ask for something else: GET /api/agents/{id}/next',
    details: { holder: agentId, status },
  })
}

async function find(world: World, id: string): Promise<Thought> {
  const thought = await world.store.thoughts.find(id)
  if (thought === null) throw missing(id)
  return thought
}

function fenced({ status, fence, agentId }: Thought, given: number): ProblemError {
  return new ProblemError(409, {
    code: 'fenced',
    message: `The claim with fence ${given} has ended, or its key is another one; the thought is ${status}.`,
    hint: 'Stop thinking about it and ask for something else: GET /api/agents/{id}/next',
    details: { fence, holder: agentId },
  })
}

function missing(id: string): ProblemError {
  return new ProblemError(404, {
    code: 'not_found',
    message: `There is no thought ${id}.`,
    hint: 'GET /api/thoughts lists them.',
  })
}
