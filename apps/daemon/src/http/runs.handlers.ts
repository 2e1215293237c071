import type { Answer } from '@treadle/contracts/client'
import type { Cursor, RunReport, StoredEvent } from '@treadle/contracts/event'
import { type Item, NewItem } from '@treadle/contracts/item'
import { GOAL_LABEL, type Guidance } from '@treadle/contracts/paor'
import type { runRoutes, SaidGuidance } from '@treadle/contracts/routes/runs'
import { explain } from '@treadle/flow/ask/explain'
import { runGuide } from '@treadle/flow/ask/guide.run'
import { isAsked, runAsked } from '@treadle/flow/ask/question.run'
import { openQuestion, WAIT_EVENTS } from '@treadle/flow/ask/waiting'
import { restEnd } from '@treadle/flow/claim/cooldown'
import { isQueued } from '@treadle/flow/flow'
import { report } from '@treadle/flow/report.run'
import { askAboutGates, questionWorld } from '../jobs/questions.ts'
import type { World } from '../world.ts'
import { addItem } from './add-item.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'
import { changeOf } from './run-change.ts'

export const runHandlers = {
  async showRun(world, { params }) {
    const run = await world.store.runs.find(params.id)
    if (run === null) throw missing(params.id)
    return run
  },

  async startRun(world, { body }) {
    const { goal, verify, by, ...given } = body
    const [first = goal] = goal.split('\n', 1)
    const whole = first.trim() === goal && first.length <= TITLE_MAX
    const item = NewItem.parse({
      ...given,
      title: first.slice(0, TITLE_MAX),
      body: whole ? '' : goal,
      testCommand: verify,
      labels: [GOAL_LABEL],
    })
    return { item: await addItem(world, { ...item, by }) }
  },

  async guideRun(world, { params, body }) {
    const { by, text, answers } = body
    const guidance = { id: body.id ?? world.uuid(), by, text, answers }
    const guided = await runGuide(world, { runId: params.id, guidance })
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
  },

  async listGuidance(world, { params, query, hungUp }) {
    const gone = hungUp()
    const { waitList, stopping } = world
    const until = performance.now() + query.waitMs
    const entry = query.waitMs === 0 ? null : waitList.enterRun(params.id)
    try {
      for (;;) {
        const heard = await saidTo(world, params.id, query.after)
        const leftMs = until - performance.now()
        const enough = heard.items.length > 0 || heard.over
        if (enough || entry === null || leftMs <= 0 || stopping.aborted || gone.aborted) return heard
        await entry.called(leftMs, gone)
      }
    } finally {
      entry?.leave()
    }
  },

  async runHistory(world, { params, query }) {
    const { runs, events } = world.store
    if ((await runs.find(params.id)) === null) throw missing(params.id)
    return events.after({ ...query, correlationId: params.id })
  },

  async runChange(world, { params }) {
    const run = await world.store.runs.find(params.id)
    if (run === null) throw missing(params.id)
    return changeOf(world, run)
  },

  async watchClaim(world, { params, query, hungUp }) {
    const gone = hungUp()
    const { waitList, stopping } = world
    const until = performance.now() + query.waitMs
    const entry = query.waitMs === 0 ? null : waitList.enterRun(params.id)
    try {
      for (;;) {
        const stands = await holdsClaim(world, params.id)
        const leftMs = until - performance.now()
        if (!stands || entry === null || leftMs <= 0 || stopping.aborted || gone.aborted) return { stands }
        await entry.called(leftMs, gone)
      }
    } finally {
      entry?.leave()
    }
  },

  async explainRun(world, { params, query }) {
    const { runs, items } = world.store
    const run = await runs.find(params.id)
    const item = run === null ? null : await items.find(run.item)
    if (run === null || item === null) throw missing(params.id)
    const told = explain({ item, run }, { attempt: query.attempt ?? null, now: world.now() })
    if (told !== null) return told
    throw new ProblemError(404, {
      code: 'not_found',
      message: `Run ${params.id} has no attempt ${query.attempt}.`,
      hint: 'Attempt 1 is the build, each further one an improvement: treadle history <run> lists them.',
    })
  },

  async reportRun(world, { params, body }) {
    const said = { runId: params.id, ...body }
    const told = isAsked(said) ? await runAsked(questionWorld(world), said) : await report(world, said)
    world.measuring.take(params.id, body.event, told)
    // One that is a person's by now had the trouble alone.
    if (told.is === 'advanced' && body.event.type === 'claim.released' && isQueued(told.item.state))
      rest(world, body.event)
    if (told.is === 'advanced') await askAboutGates(world, params, body.event)
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
  },
} satisfies HandlersOf<typeof runRoutes>

/** What was said to earlier runs of the same item was said about the same thing. */
async function saidTo(world: World, id: string, after: Cursor): Promise<Answer<'listGuidance'>> {
  const { runs, events } = world.store
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

async function holdsClaim(world: World, id: string): Promise<boolean> {
  const { runs, items } = world.store
  const run = await runs.find(id)
  if (run === null) throw missing(id)
  const item = await items.find(run.item)
  return item !== null && item.claimedByAgentId === run.agentId && item.fence === run.fence
}

/** The engine of this agent was refused, or could not reach its model; the next agent would fare the same. */
function rest(world: World, move: Extract<RunReport, { type: 'claim.released' }>): void {
  const { cooldowns, now, config } = world
  const { engine, why, restsUntil, trouble } = move
  if (trouble !== undefined) world.readiness.doubt(trouble)
  if (engine === undefined) return
  const until = restEnd(move, now(), config().limits)
  cooldowns.begin({ engine, why, until, ...(restsUntil === undefined ? {} : { triesOne: true }) })
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
        ? `Say what should change: treadle request-changes ${number} --feedback "…"`
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
