// One call of a tool: allowed or not, done, and written down as an observation, however it came out.
import { messageOf } from '@treadle/flow/fault'
import { bounded } from '../scripted/window.ts'
import type { ToolCall } from './call.ts'
import type { Tool, ToolOutput, ToolWorld } from './tools/tool.ts'
import { type NativeTurn, TurnOver } from './turn.ts'

const FIELD_MAX = 8_000
const RESULT_MAX = 30_000

export interface Executing {
  readonly turn: NativeTurn
  readonly world: ToolWorld
  readonly tools: readonly Tool[]
  /** The caller, if it is not the main agent. */
  readonly agent: string | null
}

export interface ToolResult {
  /** For the model. */
  readonly text: string
  readonly isError: boolean
}

export async function execute(executing: Executing, call: ToolCall): Promise<ToolResult> {
  const { turn, agent } = executing
  turn.check()
  turn.tell({
    is: 'began',
    callId: call.id,
    tool: call.name.slice(0, 100) || 'none',
    input: inputOf(call.input),
  })
  await turn.boundary()
  const started = performance.now()
  const came = await carryOut(executing, call)
  turn.observed({
    tool: call.name.slice(0, 100) || 'none',
    input: inputOf(came.input),
    output: bounded(came.output),
    durationMs: performance.now() - started,
    success: came.success,
    ...(came.denied ? { denied: true } : {}),
    ...(agent === null ? {} : { agent }),
    ...(came.diff === undefined || came.diff === '' ? {} : { diff: came.diff.slice(0, FIELD_MAX) }),
  })
  return { text: cut(came.output), isError: !came.success }
}

interface Came {
  readonly input: unknown
  readonly output: string
  readonly success: boolean
  readonly denied: boolean
  readonly diff: string | undefined
}

async function carryOut({ turn, world, tools }: Executing, call: ToolCall): Promise<Came> {
  const failed = (output: string, input: unknown = call.input): Came => ({
    input,
    output,
    success: false,
    denied: false,
    diff: undefined,
  })
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) return failed(`There is no tool ${call.name}.`)
  const fault = tool.faultIn(call.input)
  if (fault !== null) return failed(`The input does not fit: ${fault}`)
  const allowed = await permit(turn, tool, call.input)
  if (allowed.is === 'denied') return { ...failed(allowed.why), denied: true }
  const { input } = allowed
  const second = tool.faultIn(input)
  if (second !== null) return failed(`The input does not fit: ${second}`, input)
  try {
    const { output, success = true, diff }: ToolOutput = await turn.unwatched(() => tool.run(input, world))
    return { input, output, success, denied: false, diff }
  } catch (error) {
    if (error instanceof TurnOver) throw error
    return failed(messageOf(error), input)
  }
}

type Permitted =
  | { readonly is: 'allowed'; readonly input: unknown }
  | { readonly is: 'denied'; readonly why: string }

/** Asked of a person for all that changes something, where the session is set to ask. */
async function permit(turn: NativeTurn, tool: Tool, input: unknown): Promise<Permitted> {
  if (tool.isReading || turn.options.permissions !== 'ask') return { is: 'allowed', input }
  const answer = await turn.ask({
    kind: 'permission',
    title: `May ${tool.name} be used?`,
    options: ['allow', 'deny'],
    tool: tool.name,
    input: inputOf(input),
  })
  if (answer.allow !== false) return { is: 'allowed', input: answer.input ?? input }
  // A person's words with a no are guidance: they belong into the next plan too.
  if (answer.text !== '') turn.answered(answer.text)
  return { is: 'denied', why: answer.text === '' ? 'This was not allowed.' : `Not allowed: ${answer.text}` }
}

function inputOf(input: unknown): string {
  const text = typeof input === 'string' ? input : (JSON.stringify(input) ?? '')
  return text.slice(0, FIELD_MAX)
}

function cut(output: string): string {
  return output.length <= RESULT_MAX ? output : `${output.slice(0, RESULT_MAX)}\n… the rest was left out`
}
