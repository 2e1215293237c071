import { Controller, Inject } from '@nestjs/common'
import type { Answer } from '@treadle/contracts/client'
import { blocksByDefault, type QuestionRecord } from '@treadle/contracts/question'
import { runAnswer, runAsk } from '@treadle/flow/ask/question.run'
import { catalogue, type Declared, factsNeeded } from '@treadle/questions/catalogue'
import { questionWorld } from '../questions.ts'
import { WORLD, type World } from '../world.ts'
import { ProblemError } from './problem.ts'
import { Given, type GivenOf, Serve } from './route.ts'

@Controller()
export class QuestionsController {
  readonly world: World
  constructor(@Inject(WORLD) world: World) {
    this.world = world
  }

  @Serve('questionCatalogue')
  async catalogue(): Promise<Answer<'questionCatalogue'>> {
    return { items: catalogue().map(entryOf) }
  }

  @Serve('listQuestions')
  async list(@Given() { query }: GivenOf<'listQuestions'>): Promise<Answer<'listQuestions'>> {
    const { status, item: number, projectNumber, limit } = query
    const item = number === undefined ? undefined : { projectNumber, number }
    return { items: await this.world.store.questions.list({ status, item, limit }) }
  }

  @Serve('showQuestion')
  async show(@Given() { params }: GivenOf<'showQuestion'>): Promise<QuestionRecord> {
    const found = await this.world.store.questions.find(params.id)
    if (found === null) throw missing(params.id)
    return found.record
  }

  @Serve('askQuestion')
  async ask(@Given() { body }: GivenOf<'askQuestion'>): Promise<Answer<'askQuestion'>> {
    const { item } = body
    if (item !== null && (await this.world.store.items.find(item)) === null)
      throw new ProblemError(404, {
        code: 'not_found',
        message: `There is no item #${item.number} in project ${item.projectNumber}.`,
        hint: 'treadle list shows what there is.',
      })
    // The catalogue speaks for itself: what comes by this way is somebody's own words.
    const own = { ...body, event: null, template: null }
    const asked = await runAsk(questionWorld(this.world), own)
    if (asked.is === 'not_asked') return { is: asked.is, question: null, why: asked.why }
    return { is: asked.is, question: asked.question, why: null }
  }

  @Serve('answerQuestion')
  async answer(@Given() { params, body }: GivenOf<'answerQuestion'>): Promise<QuestionRecord> {
    const answered = await runAnswer(questionWorld(this.world), { id: params.id, ...body })
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
  }

  @Serve('listPreferences')
  async preferences(@Given() { query }: GivenOf<'listPreferences'>): Promise<Answer<'listPreferences'>> {
    return { items: await this.world.store.preferences.list(query.limit) }
  }

  @Serve('forgetPreference')
  async forget(@Given() { params }: GivenOf<'forgetPreference'>): Promise<Answer<'forgetPreference'>> {
    if (await this.world.store.preferences.forget(params.id)) return { forgotten: true }
    throw new ProblemError(404, {
      code: 'not_found',
      message: `There is no preference ${params.id}.`,
      hint: 'treadle preferences lists them.',
    })
  }
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
