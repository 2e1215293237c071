// The native engine with a model on the loopback, for tests.
import { dirname } from 'node:path'
import type { Observation } from '@treadle/contracts/run'
import type {
  EngineAnswer,
  EngineEvent,
  EngineOpen,
  EngineQuestion,
  EngineTask,
} from '@treadle/flow/ports/engine'
import { openNative } from '../native/engine.ts'
import type { NativeSettings } from '../native/model.ts'
import { openPrices } from '../prices.ts'
import type { ModelReply, ModelRequest } from './model-server/exchange.ts'
import { startModelServer } from './model-server/server.ts'

export const TEST_PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`

export const taskOf = (text: string, goal?: EngineTask['goal']): EngineTask => ({
  text,
  item: null,
  attempt: 1,
  testCommand: null,
  failures: [],
  evidence: [],
  ...(goal === undefined ? {} : { goal }),
})

export type Call = NonNullable<ModelReply['toolCalls']>[number]
export const call = (name: string, input: unknown): Call => ({ name, input })

export type Answers = readonly (ModelReply | ((request: ModelRequest) => ModelReply))[]

export interface NativeOptions extends Partial<Omit<EngineOpen, 'cwd' | 'onEvent' | 'onQuestion'>> {
  readonly cwd: string
  readonly settings?: Partial<NativeSettings>
  readonly answer?: (question: EngineQuestion) => Promise<EngineAnswer>
  readonly onEvent?: (event: EngineEvent) => void
}

/** The settings of a native engine whose model is at an address of the loopback. */
export function testNativeSettings(baseURL: string, given: Partial<NativeSettings> = {}): NativeSettings {
  return {
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    baseURL,
    key: 'dummy',
    keyVariable: 'ANTHROPIC_API_KEY',
    stepsPerTurn: 20,
    parallel: 2,
    sandbox: 'off',
    retries: 0,
    prices: openPrices({}),
    ...given,
  }
}

/** A model that gives these answers, one after another, and then says that it is done; or one that always thinks. */
export async function openTestNative(
  answers: Answers | ((request: ModelRequest) => ModelReply | Promise<ModelReply>),
  given: NativeOptions,
) {
  const { settings, answer, onEvent, ...options } = given
  let next = 0
  const server = await startModelServer({
    answer: (request) => {
      const found = typeof answers === 'function' ? answers : (answers[next++] ?? { text: 'Done.' })
      return typeof found === 'function' ? found(request) : found
    },
  })
  const events: EngineEvent[] = []
  const engine = openNative(testNativeSettings(server.url, settings))
  const session = await engine.open({
    env: { PATH: TEST_PATH },
    stallMs: 30_000,
    onEvent(event) {
      events.push(event)
      onEvent?.(event)
    },
    onQuestion: answer ?? (async () => ({ text: '' })),
    ...options,
  })
  const observations = (): Observation[] =>
    events.flatMap((event) => (event.is === 'observed' ? [event.observation] : []))
  return {
    session,
    server,
    events,
    observations,
    resultTo: (request: number) => server.requests[request]?.messages.at(-1)?.results[0],
    prompt: (text = 'go', goal?: EngineTask['goal']) => session.prompt(taskOf(text, goal)),
  }
}
