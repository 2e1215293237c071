// A crew with the native engine, whose model is a server of the test's own.
import { startModelServer } from '@treadle/engines/testing/model-server/server'
import { afterAll } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { moduleOf, repair, type ShopOptions, up, useShops } from '../kit/shop.ts'

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
  readonly items: number
  readonly agents?: number
  readonly limits?: NonNullable<ShopOptions['settings']>['limits']
  /** The model reads deliveries, and a script builds them. */
  readonly isReader?: boolean
}

interface ModelCrew {
  readonly daemon: Daemon
  /** What the model has been asked since it was last told how to answer. */
  asked(): readonly ModelAsked[]
}

/** One crew for all tests of a file that ask for it; each tells the model how to answer from then on. */
export function useModelCrew(options: CrewOptions): (answer: Answer) => Promise<ModelCrew> {
  const closing: (() => unknown)[] = []
  // After the daemon, which is ended by what is registered later.
  afterAll(async () => {
    for (const close of closing) await close()
  })
  const shop = useShops('file')
  let answerNow: Answer = () => overloaded
  let before = 0
  const open = async () => {
    const model = await startModelServer({ answer: (request) => answerNow(request) })
    closing.push(() => model.close())
    return { model, daemon: await up(shop(shopOptions(options, model.url)), options.agents ?? 1) }
  }
  let opened: ReturnType<typeof open> | undefined
  return async (answer) => {
    opened ??= open()
    const { model, daemon } = await opened
    answerNow = answer
    before = model.requests.length
    return { daemon, asked: () => model.requests.slice(before) }
  }
}

/** The model builds, and a script does where it stands in for the model. */
function shopOptions({ items, limits = {}, isReader = false }: CrewOptions, baseURL: string): ShopOptions {
  const native = {
    provider: 'openai-compatible' as const,
    model: 'local',
    baseURL,
    keyVariable: null,
    stepsPerTurn: 1_000,
    parallel: 1,
  }
  const scripted = { scenario: '../home/scenario.json' }
  const parts = isReader ? { default: 'scripted', reviewer: 'native' } : { default: 'native' }
  return {
    scripts: Array.from({ length: items }, (_, index) => [[repair(index + 1)]]),
    settings: {
      ...(isReader
        ? {
            flags: { enable_review_agent: true },
            merge: { approval: 'reviewer', needs: 'supported', target: 'main' },
          }
        : {}),
      engines: { ...parts, sandbox: 'off', native, fallback: null, scripted },
      limits,
    },
  }
}
