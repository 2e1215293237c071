import type { Answer } from '@treadle/contracts/client'
import { blocksByDefault, buildAskedAbout, type QuestionRecord } from '@treadle/contracts/question'
import type { questionRoutes } from '@treadle/contracts/routes/questions'
import { decideFollowUp } from '@treadle/flow/ask/decide'
import { runAnswer, runAsk } from '@treadle/flow/ask/question.run'
import { askedIn } from '@treadle/flow/idea/asked'
import { runSay } from '@treadle/flow/idea/talk.run'
import { runWrite } from '@treadle/flow/idea/write.run'
import { catalogue, type Declared, factsNeeded } from '@treadle/questions/catalogue'
import { ideaWorld } from '../jobs/ideas.ts'
import { questionWorld } from '../jobs/questions.ts'
import type { World } from '../world.ts'
import { buildHandlers } from './builds.handlers.ts'
import type { HandlersOf, RequestOf } from './handler.ts'
import { itemHandlers } from './items.handlers.ts'
import { ProblemError } from './problem.ts'

export const questionHandlers = {
  async questionCatalogue() {
    return { items: catalogue().map(entryOf) }
  },

  async listQuestions(world, { query }) {
    const { status, item: number, projectNumber, limit } = query
    const item = number === undefined ? undefined : { projectNumber, number }
    return { items: await world.store.questions.list({ status, item, limit }) }
  },

  async showQuestion(world, { params }) {
    const found = await world.store.questions.find(params.id)
    if (found === null) throw missing(params.id)
    return found.record
  },

  async askQuestion(world, { body }) {
    const { item } = body
    if (item !== null && (await world.store.items.find(item)) === null)
      throw new ProblemError(404, {
        code: 'not_found',
        message: `There is no item #${item.number} in project ${item.projectNumber}.`,
        hint: 'treadle list shows what there is.',
      })
    // The catalogue speaks for itself: what comes by this way is somebody's own words.
    const own = { ...body, event: null, template: null }
    const asked = await runAsk(questionWorld(world), own)
    if (asked.is === 'not_asked') return { is: asked.is, question: null, why: asked.why }
    return { is: asked.is, question: asked.question, why: null }
  },

  async answerQuestion(world, request) {
    const { params, body } = request
    const inTalk = await answerInTalk(world, { id: params.id, ...body })
    if (inTalk !== null) return inTalk
    // What is refused was not answered.
    const answered = await world.store.tx(async () => {
      const said = await runAnswer(questionWorld(world), { id: params.id, ...body })
      if (said.is === 'answered') await carryOut(world, said.question, request)
      return said
    })
    switch (answered.is) {
      case 'answered':
        return answered.question
      case 'missing':
        throw missing(params.id)
      case 'bad':
        throw new ProblemError(400, {
          code: 'bad_request',
          message: answered.why,
          hint: `Look at it again: GET /api/questions/${params.id}`,
        })
      case 'over':
        throw over(answered.question)
    }
  },

  async listPreferences(world, { query }) {
    return { items: await world.store.preferences.list(query.limit) }
  },

  async forgetPreference(world, { params }) {
    if (await world.store.preferences.forget(params.id)) return { forgotten: true }
    throw new ProblemError(404, {
      code: 'not_found',
      message: `There is no preference ${params.id}.`,
      hint: 'treadle preferences lists them.',
    })
  },
} satisfies HandlersOf<typeof questionRoutes>

/** What an answer orders is done by the door of that order; what is refused there was not answered. */
async function carryOut(
  world: World,
  { item, event, text, subject, sessionId, answer }: QuestionRecord,
  { body: { by }, caller, hungUp, setCookie }: RequestOf<'answerQuestion'>,
): Promise<void> {
  if (answer === null) return
  const choice = decideFollowUp({ event }, answer)
  const rest = { query: {}, caller, hungUp, setCookie }
  const id = buildAskedAbout({ sessionId })
  if (choice.is === 'stop_build' && id !== null)
    await buildHandlers.stopBuild(world, { ...rest, params: { id }, body: { by } })
  if (choice.is === 'resume_build' && id !== null)
    await buildHandlers.resumeBuild(world, {
      ...rest,
      params: { id },
      body: { by, leavesSkipped: choice.leavesSkipped },
    })
  if (item === null) return
  // The one that was asked about, and no later one.
  const head = subject?.split(':').at(-1)
  const read = head === undefined ? {} : { head }
  const request = { ...rest, params: { projectNumber: item.projectNumber, issueNumber: item.number } }
  if (choice.is === 'approve') await itemHandlers.approveItem(world, { ...request, body: { by, ...read } })
  if (choice.is === 'reject') {
    const feedback = `${by} wants the second of two ways.\n\n${text}`.slice(0, FEEDBACK_MAX)
    await itemHandlers.rejectItem(world, { ...request, body: { by, feedback, ...read } })
  }
}

const FEEDBACK_MAX = 4_000

/** What is asked in a talk about an idea is answered by saying it there; null: it is another question. */
async function answerInTalk(
  world: World,
  { id, text, by }: { id: string; text: string; by: string },
): Promise<QuestionRecord | null> {
  const { store } = world
  const record = (await store.questions.find(id))?.record
  const asked = record === undefined ? null : askedIn(record)
  if (record === undefined || asked === null) return null
  if (record.status !== 'open') throw over(record)
  const { slug, field } = asked
  const saying = { slug, field, asked: record, text, by, messageId: world.uuid() }
  const said = await runSay(ideaWorld(world), saying)
  if (said.is === 'answered') throw over((await store.questions.find(id))?.record ?? record)
  if (said.is === 'missing') throw missing(id)
  if (said.is !== 'said')
    throw new ProblemError(409, {
      code: 'refused',
      message: `The idea ${slug} takes no answers any more.`,
      hint: 'treadle idea list shows what there is.',
    })
  await runWrite(ideaWorld(world), slug)
  return (await store.questions.find(id))?.record ?? record
}

function entryOf(declared: Declared): Answer<'questionCatalogue'>['items'][number] {
  const { agent, event, phase, condition, questions } = declared
  return {
    agent,
    event,
    phase,
    condition: condition?.text ?? null,
    facts: factsNeeded(declared),
    questions: questions.map(
      ({ type, text, context, options, allowFreeText, default: given, blocking, tags }) => ({
        type,
        text,
        context,
        options,
        allowFreeText,
        default: given ?? null,
        blocking: blocking ?? blocksByDefault(type),
        tags,
      }),
    ),
  }
}

function over({ number, status, answer }: QuestionRecord): ProblemError {
  const how = answer === null ? status : `${status} by ${answer.by}: ${answer.text}`
  return new ProblemError(409, {
    code: 'refused',
    message: `Question ${number} is over, ${how}`,
    hint: 'treadle questions lists those that are open.',
    details: { status },
  })
}

function missing(id: string): ProblemError {
  return new ProblemError(404, {
    code: 'not_found',
    message: `There is no question ${id}.`,
    hint: 'treadle questions lists those that are open.',
  })
}
