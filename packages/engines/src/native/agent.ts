// Somebody with a conversation, tools and a task: calls the model and its tools in turn until the model is done.
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { ROUNDS_MAX, replyTo } from '../asked.ts'
import { type Answer, ask, type Caller } from './call.ts'
import type { Conversation } from './conversation.ts'
import { execute, type ToolResult } from './execute.ts'
import type { Tool, ToolWorld } from './tools/tool.ts'
import type { NativeTurn } from './turn.ts'

export interface AgentParts {
  readonly turn: NativeTurn
  readonly caller: Caller
  readonly world: ToolWorld
  readonly tools: readonly Tool[]
  readonly system: string
  readonly conversation: Conversation
  /** The agent's name; null: the main agent, which hears what people say. */
  readonly name: string | null
  readonly schema: object | null
}

export interface Worked {
  readonly said: string
  readonly steps: number
  /** The agent's steps are used up, and it was not done. */
  readonly isCutShort: boolean
}

export async function work(parts: AgentParts, text: string, stepsMax: number): Promise<Worked> {
  const { conversation } = parts
  conversation.say(text)
  try {
    return await steps(parts, stepsMax)
  } finally {
    conversation.close()
  }
}

async function steps(parts: AgentParts, stepsMax: number): Promise<Worked> {
  const { turn, caller, tools, system, conversation, schema, name } = parts
  const wires = tools.map(wireOf)
  let said = ''
  let rounds = 0
  for (let step = 1; step <= stepsMax; step += 1) {
    if (name === null) hear(turn, conversation)
    const { messages } = conversation
    const answer = await ask(turn, caller, { system, messages, tools: wires, schema })
    if (answer.message.content.length > 0) conversation.add(answer.message)
    said = answer.text === '' ? said : answer.text
    if (answer.calls.length > 0) await answerCalls(parts, answer)
    else if (await isToGoOn(parts, answer, rounds)) rounds += 1
    else return { said, steps: step, isCutShort: false }
  }
  return { said, steps: stepsMax, isCutShort: true }
}

/** An agent goes on if it has not come to an end, has asked something, or was told something meanwhile. */
async function isToGoOn(parts: AgentParts, answer: Answer, rounds: number): Promise<boolean> {
  const { turn, conversation, schema, name } = parts
  if (answer.isCut) {
    conversation.say('Your answer was cut off. Go on.')
    return true
  }
  if (schema === null && rounds < ROUNDS_MAX && (await putQuestions(parts, answer.text))) return true
  return name === null && hear(turn, conversation)
}

/** Puts a model's questions in its answer to people; false: it has asked nothing. */
async function putQuestions({ turn, conversation }: AgentParts, text: string): Promise<boolean> {
  const reply = await replyTo(text, async (question) => {
    const answer = await turn.ask(question)
    if (question.detail?.blocking !== false && answer.text !== '')
      turn.answered(`${question.title} ${answer.text}`)
    return answer
  })
  if (reply !== null) conversation.say(reply)
  return reply !== null
}

/** Hands people's words to the model before its next answer. */
function hear(turn: NativeTurn, conversation: Conversation): boolean {
  const words = turn.takeWords()
  if (words.length > 0) conversation.say(words.join('\n'))
  return words.length > 0
}

/** One after another: a later call of the same answer may build on an earlier one. */
async function answerCalls(parts: AgentParts, { calls }: Answer): Promise<void> {
  const { turn, world, tools, conversation, name: agent } = parts
  const results: { id: string; name: string; result: ToolResult }[] = []
  for (const call of calls) {
    const result = await execute({ turn, world, tools, agent }, call)
    results.push({ id: call.id, name: call.name, result })
  }
  conversation.add({
    role: 'tool',
    content: results.map(({ id, name, result }) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: name,
      output: { type: result.isError ? 'error-text' : 'text', value: result.text },
    })),
  })
}

function wireOf({ name, description, schema }: Tool): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema: schema }
}
