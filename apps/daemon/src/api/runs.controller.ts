import { Controller, Inject } from '@nestjs/common'
import type { Answer } from '@treadle/contracts/client'
import type { Explanation } from '@treadle/contracts/escalation'
import type { Cursor, RunReport, StoredEvent } from '@treadle/contracts/event'
import { type Item, NewItem } from '@treadle/contracts/item'
import { type LoopState, loopStateOf } from '@treadle/contracts/loop-state'
import { GOAL_LABEL, type Guidance } from '@treadle/contracts/paor'
import type { SaidGuidance } from '@treadle/contracts/routes/runs'
import type { Run } from '@treadle/contracts/run'
import { report } from '@treadle/flow/advance'
import { explain } from '@treadle/flow/ask/escalation-words'
import { runGuide } from '@treadle/flow/ask/guide.run'
import { isAsked, runAsked } from '@treadle/flow/ask/question.run'
import { openQuestion, WAIT_EVENTS } from '@treadle/flow/ask/waiting'
import { addItem } from '../add-item.ts'
import { askAboutGates, questionWorld } from '../questions.ts'
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

  @Serve('startRun')
  async start(@Given() { body }: GivenOf<'startRun'>): Promise<Answer<'startRun'>> {
    const { goal, verify, ...given } = body
    const [first = goal] = goal.split('\n', 1)
    const whole = first.trim() === goal && first.length <= TITLE_MAX
    const item = NewItem.parse({
      ...given,
      title: first.slice(0, TITLE_MAX),
      body: whole ? '' : goal,
      testCommand: verify,
      labels: [GOAL_LABEL],
    })
    return { item: await addItem(this.world, item) }
  }

  @Serve('guideRun')
  async guide(@Given() { params, body }: GivenOf<'guideRun'>): Promise<Answer<'guideRun'>> {
    const { by, text, answers } = body
    const guidance = { id: body.id ?? this.world.uuid(), by, text, answers }
    const guided = await runGuide(this.world, { runId: params.id, guidance })
    switch (guided.is) {
      case 'said':
        return saidOf(guided.event, guided.guidance)
      case 'missing':
        throw missing(params.id)
      case 'over':
        throw over(params.id, guided.item)
      case 'not_asked':
        throw new ProblemError(409, {
          code: 'refused',
          message: `Run ${params.id} waits for no answer to ${answers}.`,
          hint:
            guided.open === null
              ? 'It has no open question; say it without answers.'
              : `Its open question is ${guided.open.question.id}: ${guided.open.question.title}`,
        })
    }
  }

  @Serve('listGuidance')
  async guidance(
    @Given() { params, query }: GivenOf<'listGuidance'>,
    @Hangup() gone: AbortSignal,
  ): Promise<Answer<'listGuidance'>> {
    const { room, stopping } = this.world
    const until = performance.now() + query.waitMs
    const place = query.waitMs === 0 ? null : room.enterRun(params.id)
    try {
      for (;;) {
        const said = await this.said(params.id, query.after)
        const leftMs = until - performance.now()
        const enough = said.items.length > 0 || said.over
        if (enough || place === null || leftMs <= 0 || stopping.aborted || gone.aborted) return said
        await place.called(leftMs, gone)
      }
    } finally {
      place?.leave()
    }
  }

  /** What was said to earlier runs of the same item was said about the same thing. */
  private async said(id: string, after: Cursor): Promise<Answer<'listGuidance'>> {
    const { runs, events } = this.world.store
    const run = await runs.find(id)
    if (run === null) throw missing(id)
    const told = await events.ofItem(run.item, GUIDANCE_MAX, WAIT_EVENTS)
    const items = told.flatMap((event) =>
      event.event.type === 'run.guided' && isAfter(event.cursor, after)
        ? [saidOf(event, event.event.guidance)]
        : [],
    )
    const over = run.endedAt !== null
    return { items, question: over ? null : (openQuestion(told, id)?.question ?? null), over }
  }

  @Serve('runHistory')
  async history(@Given() { params, query }: GivenOf<'runHistory'>): Promise<Answer<'runHistory'>> {
    const { runs, events } = this.world.store
    if ((await runs.find(params.id)) === null) throw missing(params.id)
    return events.after({ ...query, correlationId: params.id })
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

  /** The engine of this agent was refused; the next agent would be too. */
  private rest({ engine, why }: Extract<RunReport, { type: 'claim.released' }>): void {
    const { resting, now, config } = this.world
    if (engine === undefined) return
    const until = new Date(now().getTime() + config().limits.engineBreakMs).toISOString()
    resting.rest({ engine, why, until })
  }

  @Serve('reportRun')
  async report(@Given() { params, body }: GivenOf<'reportRun'>): Promise<Answer<'reportRun'>> {
    const said = { runId: params.id, ...body }
    const told = isAsked(said)
      ? await runAsked(questionWorld(this.world), said)
      : await report(this.world, said)
    this.world.measuring.take(params.id, body.event, told)
    if (told.is === 'advanced' && body.event.type === 'claim.released') this.rest(body.event)
    if (told.is === 'advanced') await askAboutGates(this.world, params, body.event)
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

/** Of what is said about one item, the latest. */
const GUIDANCE_MAX = 500
const TITLE_MAX = 300

function saidOf({ cursor, at }: StoredEvent, guidance: Guidance): SaidGuidance {
  return { cursor, at, guidance }
}

/** Under one item's lock the sequence alone is the order. */
function isAfter(cursor: Cursor, after: Cursor): boolean {
  const seq = (of: Cursor) => BigInt(of.split('.')[1] ?? 0)
  return seq(cursor) > seq(after)
}

function over(id: string, { number, state }: Item): ProblemError {
  return new ProblemError(409, {
    code: 'refused',
    message: `Run ${id} is over; #${number} is ${state}.`,
    hint:
      state === 'in_review'
        ? `Send it back with what you want: treadle review reject ${number} --feedback "…"`
        : `See where it stands: treadle show ${number}`,
    details: { state },
  })
}

function missing(id: string): ProblemError {
  return new ProblemError(404, {
    code: 'not_found',
    message: `There is no run ${id}.`,
    hint: 'treadle show <number> lists the runs of an item.',
  })
}
