// What an engine asks in its turn, put to people one question at a time, and what it is answered.
import type { Guidance, Question, QuestionPart } from '@treadle/contracts/paor'
import type { EngineAnswer, EngineQuestion, EngineTask } from '../ports/engine.ts'
import type { GuidanceChannel } from '../ports/guidance.ts'
import type { WorkWorld } from '../work/work-world.ts'
import { answerWords, readAnswer, readPart } from './guidance.ts'

export type AskingWorld = Pick<WorkWorld, 'guidanceChannel' | 'note' | 'say' | 'signal'>

const NOBODY = 'Nobody can be asked here. Decide yourself, say what you have decided, and go on.'

/**
 * A person is waited for. Where nobody can be asked the model is told so, and what it has named itself as the default
 * holds; nothing is chosen for it. What the sandbox allows needs nobody's leave, except on the way to a goal.
 */
export async function answerTo(
  world: AskingWorld,
  task: EngineTask,
  question: EngineQuestion,
): Promise<EngineAnswer> {
  const { guidanceChannel: channel } = world
  if (question.kind === 'permission' && (task.goal === undefined || channel === null))
    return { text: 'allow', allow: true }
  if (channel === null) return { text: question.detail?.defaultOption ?? '', unasked: NOBODY }
  if (question.parts === undefined || question.parts.length === 0) return answerOne(world, channel, question)
  return answerParts(world, channel, { id: question.id, parts: question.parts })
}

async function answerOne(
  world: AskingWorld,
  channel: GuidanceChannel,
  question: Question,
): Promise<EngineAnswer> {
  if (question.detail?.blocking === false) {
    const { question: named } = channel.put(question)
    await world.say({ type: 'run.asked', question: named })
    return { text: '' }
  }
  const guidance = await waitFor(world, channel, question)
  return guidance === null
    ? { text: '' }
    : { ...readAnswer(question, guidance.text), ...(guidance.how === undefined ? {} : { isSystem: true }) }
}

/** A run waits for one answer at a time: each part is a question of its own, and has an answer of its own. */
async function answerParts(
  world: AskingWorld,
  channel: GuidanceChannel,
  { id, parts }: { id: string; parts: readonly QuestionPart[] },
): Promise<EngineAnswer> {
  const values: Record<string, unknown> = {}
  const said: [QuestionPart, string][] = []
  let isSystem = true
  for (const [at, part] of parts.entries()) {
    const guidance = await waitFor(world, channel, partQuestion(`${id.slice(0, 70)}-${at + 1}`, parts, part))
    if (guidance === null) return { text: '', unasked: NOBODY }
    isSystem &&= guidance.how !== undefined
    values[part.name] = readPart(part, guidance.text)
    said.push([part, guidance.text])
  }
  return { text: answerWords(said), values, ...(isSystem ? { isSystem } : {}) }
}

function partQuestion(id: string, parts: readonly QuestionPart[], part: QuestionPart): Question {
  const { title, detail } = part
  const together =
    parts.length === 1 ? '' : `${parts.indexOf(part) + 1} of ${parts.length} that are asked together.`
  const context = [together, detail.context].filter((text) => text !== '').join(' ')
  return {
    id,
    kind: detail.choices.length === 0 ? 'guidance' : 'choice',
    title,
    options: detail.choices.map(({ label }) => label),
    detail: { ...detail, context },
  }
}

/** The answer to a question, however long that takes; null: the work was ended before it came. */
export async function waitFor(
  world: AskingWorld,
  channel: GuidanceChannel,
  question: Question,
): Promise<Guidance | null> {
  const put = channel.put(question)
  if (!put.asked) await world.say({ type: 'run.asked', question: put.question })
  const guidance = await channel.answer(put.question, world.signal)
  if (guidance !== null) heard(world, [guidance])
  return guidance
}

export function heard(
  { guidanceChannel, note }: Pick<WorkWorld, 'guidanceChannel' | 'note'>,
  guidance: readonly Guidance[],
): void {
  const news = guidanceChannel?.hear(guidance) ?? []
  if (news.length > 0) note({ type: 'run.heard', guidance: news.slice(0, 100).map(({ id }) => id) })
}
