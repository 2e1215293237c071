import type { Answer } from '@treadle/contracts/client'
import { blocksByDefault, type QuestionRecord } from '@treadle/contracts/question'
import type { questionRoutes } from '@treadle/contracts/routes/questions'
import { runAnswer, runAsk } from '@treadle/flow/ask/question.run'
import { askedIn } from '@treadle/flow/idea/asked'
import { runSay } from '@treadle/flow/idea/talk.run'
import { runWrite } from '@treadle/flow/idea/write.run'
import { catalogue, type Declared, factsNeeded } from '@treadle/questions/catalogue'
import { ideaWorld } from '../jobs/ideas.ts'
import { questionWorld } from '../jobs/questions.ts'
import type { World } from '../world.ts'
import type { HandlersOf } from './handler.ts'
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

  async answerQuestion(world, { params, body }) {
    const inTalk = await answerInTalk(world, { id: params.id, ...body })
    if (inTalk !== null) return inTalk
    const answered = await runAnswer(questionWorld(world), { id: params.id, ...body })
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
