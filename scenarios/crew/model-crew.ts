// A crew with the native engine, whose model is a server of the test's own.
import { startModelServer } from '@treadle/engines/testing/model-server/server'
import { onTestFinished } from 'vitest'
import { moduleOf, type ShopOptions, useShops } from '../kit/shop.ts'

type Answer = Parameters<typeof startModelServer>[0]['answer']
export type ModelAsked = Parameters<Answer>[0]
export type ModelSays = Awaited<ReturnType<Answer>>

/** Repairs the module that its item is about. */
export function repairing({ messages }: ModelAsked): ModelSays {
  if (messages.at(-1)?.results.length !== 0) return { text: 'It is right now.' }
  const n = Number(/Repair module (\d+)/.exec(messages.map(({ text }) => text).join('\n'))?.[1])
  const input = { filePath: moduleOf(n), oldString: 'state: wrong', newString: 'state: right' }
  return { toolCalls: [{ name: 'edit', input }] }
}

export const overloaded: ModelSays = { fault: { is: 'status', status: 529 } }
export const QUICK = { providerRestMs: 200, providerRestMsMax: 500 }

interface CrewOptions {
  readonly items?: number
  readonly limits?: NonNullable<ShopOptions['settings']>['limits']
  /** Who builds while the model rests. */
  readonly fallback?: string
  /** What that one does. */
  readonly script?: ShopOptions['scripts'][number]
  /** The model reads deliveries, and a script builds them. */
  readonly isReader?: boolean
}

export function useModelCrews() {
  const shop = useShops()
  return async (answer: Answer, given: CrewOptions = {}) => {
    const { items = 1, limits = {}, fallback = null, script = [[]], isReader = false } = given
    const server = await startModelServer({ answer })
    onTestFinished(() => server.close())
    const native = {
      provider: 'openai-compatible' as const,
      model: 'local',
      baseURL: server.url,
      keyVariable: null,
      stepsPerTurn: 1_000,
      parallel: 1,
    }
    const scripted = { scenario: '../home/scenario.json' }
    const parts = isReader ? { default: 'scripted', reviewer: 'native' } : { default: 'native' }
    const workspace = shop({
      scripts: Array.from({ length: items }, () => script),
      settings: {
        ...(isReader
          ? {
              flags: { enable_review_agent: true },
              merge: { approval: 'reviewer', needs: 'supported', target: 'main' },
            }
          : {}),
        engines: { ...parts, sandbox: 'off', native, fallback, scripted },
        limits,
      },
    })
    return { workspace, model: server }
  }
}
