import { Controller, Inject } from '@nestjs/common'
import type { Answer } from '@treadle/contracts/client'
import type { Explanation } from '@treadle/contracts/escalation'
import { type LoopState, loopStateOf } from '@treadle/contracts/loop-state'
import type { Run } from '@treadle/contracts/run'
import { report } from '@treadle/flow/advance'
import { explain } from '@treadle/flow/escalate/words'
import { WORLD, type World } from '../world.ts'
import { ProblemError } from './problem.ts'
import { Given, type GivenOf, Hangup, Serve } from './route.ts'

@Controller()
export class RunsController {
  readonly world: World
  constructor(@Inject(WORLD) world: World) {
    this.world = world
  }

  @Serve('showRun')
  async show(@Given() { params }: GivenOf<'showRun'>): Promise<Run> {
    const run = await this.world.store.runs.find(params.id)
    if (run === null) throw missing(params.id)
    return run
  }

  @Serve('watchClaim')
  async claim(
    @Given() { params, query }: GivenOf<'watchClaim'>,
    @Hangup() gone: AbortSignal,
  ): Promise<Answer<'watchClaim'>> {
    const { room, stopping } = this.world
    const until = performance.now() + query.waitMs
    const place = query.waitMs === 0 ? null : room.enterRun(params.id)
    try {
      for (;;) {
        const stands = await this.stands(params.id)
        const leftMs = until - performance.now()
        if (!stands || place === null || leftMs <= 0 || stopping.aborted || gone.aborted) return { stands }
        await place.called(leftMs, gone)
      }
    } finally {
      place?.leave()
    }
  }

  private async stands(id: string): Promise<boolean> {
    const { runs, items } = this.world.store
    const run = await runs.find(id)
    if (run === null) throw missing(id)
    const item = await items.find(run.item)
    return item !== null && item.claimedByAgentId === run.agentId && item.fence === run.fence
  }

  @Serve('showLoop')
  async loop(@Given() { params }: GivenOf<'showLoop'>): Promise<LoopState> {
    const run = await this.world.store.runs.find(params.id)
    if (run === null) throw missing(params.id)
    return loopStateOf(run)
  }

  @Serve('explainRun')
  async explain(@Given() { params, query }: GivenOf<'explainRun'>): Promise<Explanation> {
    const { runs, items } = this.world.store
    const run = await runs.find(params.id)
    const item = run === null ? null : await items.find(run.item)
    if (run === null || item === null) throw missing(params.id)
    const told = explain({ item, run }, { attempt: query.attempt ?? null })
    if (told !== null) return told
    throw new ProblemError(404, {
      code: 'not_found',
      message: `Run ${params.id} has no attempt ${query.attempt}.`,
      hint: 'Attempt 1 is the build, each further one an improvement: treadle history <run> lists them.',
    })
  }

  @Serve('reportRun')
  async report(@Given() { params, body }: GivenOf<'reportRun'>): Promise<Answer<'reportRun'>> {
    const told = await report(this.world, { runId: params.id, ...body })
    this.world.measuring.take(params.id, body.event, told)
    switch (told.is) {
      case 'recorded':
        return { is: 'recorded', state: null }
      case 'advanced':
      case 'duplicate':
        return { is: told.is, state: told.item.state }
      case 'missing':
        throw missing(params.id)
      case 'fenced':
        throw new ProblemError(409, {
          code: 'fenced',
          message: `The claim with fence ${body.fence} has ended; the item is ${told.item.state}.`,
          hint: 'Stop working on it and ask for other work.',
          details: { fence: told.item.fence, holder: told.item.claimedByAgentId, state: told.item.state },
        })
      case 'refused':
        throw new ProblemError(409, {
          code: 'refused',
          message: told.why,
          hint: 'Ask for the item again: GET /api/agents/{id}/next',
          details: { state: told.item.state },
        })
    }
  }
}

function missing(id: string): ProblemError {
  return new ProblemError(404, {
    code: 'not_found',
    message: `There is no run ${id}.`,
    hint: 'treadle show <number> lists the runs of an item.',
  })
}
