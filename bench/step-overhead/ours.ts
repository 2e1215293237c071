// The native engine on the task, with a model that answers at once.
import type { RunNote } from '@treadle/contracts/event'
import { openNative } from '@treadle/engines/native/engine'
import type { EngineEvent } from '@treadle/flow/ports/engine'
import { FILE, type Task } from './task.ts'

type Model = NonNullable<Parameters<typeof openNative>[1]>
type Stream = Awaited<ReturnType<Model['doStream']>>['stream']
type Part = Stream extends ReadableStream<infer P> ? P : never

const USAGE = {
  inputTokens: { total: 300, noCache: 300, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 60, text: 60, reasoning: 0 },
}

function answers(steps: number): Model {
  let asked = 0
  return {
    specificationVersion: 'v4',
    provider: 'anthropic.messages',
    modelId: 'claude-sonnet-4-5',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('only streams')),
    async doStream() {
      asked += 1
      const parts = asked > steps ? lastParts() : stepParts(asked)
      return { stream: ReadableStream.from(parts) as Stream }
    },
  }
}

const stepParts = (asked: number): Part[] => [
  { type: 'tool-call', toolCallId: `call-${asked}`, toolName: 'read', input: `{"filePath":"${FILE}"}` },
  { type: 'finish', usage: USAGE, finishReason: { unified: 'tool-calls', raw: 'tool_use' } },
]

const lastParts = (): Part[] => [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'Done.' },
  { type: 'text-end', id: '1' },
  { type: 'finish', usage: USAGE, finishReason: { unified: 'stop', raw: 'end_turn' } },
]

/** Takes what a step is to leave behind, and resolves when it is safe. */
export type Keep = (notes: readonly RunNote[]) => Promise<void>

/** With `keep`, no call is made before the step before it is safe. */
export async function runOurs({ steps, cwd }: Task, keep: Keep | null): Promise<unknown> {
  let notes: RunNote[] = []
  let observed = 0
  const session = await openNative(
    {
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      baseURL: null,
      key: 'none',
      keyVariable: 'ANTHROPIC_API_KEY',
      stepsPerTurn: steps + 1,
      parallel: 1,
      sandbox: 'off',
    },
    answers(steps),
  ).open({
    cwd,
    env: {},
    stallMs: 60_000,
    onEvent(event: EngineEvent) {
      if (event.is === 'used') notes.push({ type: 'run.used', usage: event.usage })
      if (event.is !== 'observed') return
      observed += 1
      notes.push({ type: 'run.observed', observation: event.observation })
    },
    onQuestion: async () => ({ text: '' }),
    ...(keep === null
      ? {}
      : {
          async beforeCall() {
            const safe = notes
            notes = []
            if (safe.length > 0) await keep(safe)
          },
        }),
  })
  const task = { text: `Read ${FILE}`, item: null, attempt: 1, testCommand: null, failures: [], evidence: [] }
  const end = await session.prompt(task)
  if (end.outcome !== 'done' || observed !== steps)
    throw new Error(`${end.outcome} after ${observed} steps: ${end.text}`)
  if (keep !== null && notes.length > 0) await keep(notes)
  return { session, notes }
}
