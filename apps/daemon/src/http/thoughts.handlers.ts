import type { thoughtRoutes } from '@treadle/contracts/routes/thoughts'
import type { Thought } from '@treadle/contracts/thought'
import {
  runAnswerThought,
  runClaimThought,
  runSayThought,
  runWithdrawThought,
} from '@treadle/flow/work/thought.run'
import { thinking } from '../jobs/thinking.ts'
import type { World } from '../world.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

export const thoughtHandlers = {
  async listThoughts(world, { query }) {
    return { items: await world.store.thoughts.list(query) }
  },

  showThought(world, { params }) {
    return find(world, params.id)
  },

  async claimThought(world, { params, body }) {
    const claimed = await runClaimThought(thinking(world), { id: params.id, agentId: body.agentId })
    if (claimed.is === 'claimed') return claimed.thought
    if (claimed.is === 'missing') throw missing(params.id)
    const { status, agentId } = claimed.thought
    throw new ProblemError(409, {
      code: status === 'claimed' ? 'already_claimed' : 'refused',
      message: `This thought is ${status === 'claimed' ? `held by ${agentId}` : status}.`,
      hint: 'Ask for something else: GET /api/agents/{id}/next',
      details: { holder: agentId, status },
    })
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

async function find(world: World, id: string): Promise<Thought> {
  const thought = await world.store.thoughts.find(id)
  if (thought === null) throw missing(id)
  return thought
}

function fenced({ status, fence, agentId }: Thought, given: number): ProblemError {
  return new ProblemError(409, {
    code: 'fenced',
    message: `The claim with fence ${given} has ended; the thought is ${status}.`,
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
