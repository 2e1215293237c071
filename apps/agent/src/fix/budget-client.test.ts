// An engine that makes calls without asking is ended by the first refusal; one that asks and will not end, too.
import { Config } from '@treadle/contracts/config'
import { runTurn } from '@treadle/flow/build/turn.run'
import type { Engine, EngineOpen, EngineTask, TurnEnd } from '@treadle/flow/ports/engine'
import type { WorkWorld } from '@treadle/flow/work/work-world'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { fixBudgetClient } from './budget-client.ts'

const CALL_USD = 0.3
const CALLS_MAX = 50
const task: EngineTask = {
  text: 'do it',
  item: null,
  attempt: 1,
  testCommand: null,
  failures: [],
  evidence: [],
}

class Caller {
  calls = 0
  interrupts = 0
  stops = 0
  readonly asks: boolean
  constructor(asks: boolean) {
    this.asks = asks
  }

  /** Makes call after call, and hears of nothing but its end. */
  engine(): Engine {
    return {
      id: 'caller',
      takes: 'all',
      probe: async () => ({ is: 'usable', note: '' }),
      open: async (options) => {
        const over = Promise.withResolvers<TurnEnd>()
        let stopped = false
        return {
          prompt: () => {
            void this.#call(options, () => stopped)
            return over.promise
          },
          interrupt: async () => {
            this.interrupts += 1
          },
          stop: async () => {
            this.stops += 1
            stopped = true
            over.resolve({ outcome: 'interrupted', text: 'stopped' })
          },
        }
      },
    }
  }

  async #call({ onEvent, beforeCall }: EngineOpen, isOver: () => boolean): Promise<void> {
    while (!isOver() && this.calls < CALLS_MAX) {
      this.calls += 1
      const usage = { model: 'm', inputTokens: 1, outputTokens: 1, usd: CALL_USD }
      onEvent({ is: 'used', usage })
      if (this.asks) await beforeCall?.()
      else await new Promise((done) => setTimeout(done, 1))
    }
  }
}

function worldWith(caller: Caller): WorkWorld {
  const config = Config.parse({
    agents: { dailyBudgetUSD: 1 },
    limits: { assumedCallUSD: 0.5, stopGraceMs: 50 },
  })
  const world: Partial<WorkWorld> = {
    config,
    budget: fixBudgetClient(config, []),
    clock: { now: () => new Date(), sleep: async () => undefined },
    signal: new AbortController().signal,
    env: {},
    guidanceChannel: null,
    worktree: '.',
    engine: caller.engine(),
    say: async () => undefined,
    note: () => undefined,
  }
  return world as WorkWorld
}

async function spend(asks: boolean): Promise<Caller> {
  const caller = new Caller(asks)
  const world = worldWith(caller)
  await expect(runTurn(world, { engine: world.engine, task })).rejects.toThrow(
    'the budget for this fix is used up',
  )
  return caller
}

verifies(
  'ORCH-S1-12',
  'an engine that does not ask before its calls is ended by the first refusal',
  async () => {
    const caller = await spend(false)
    // The second call leaves no room for a third.
    expect(caller).toMatchObject({ calls: 2, interrupts: 0 })
    expect(caller.stops).toBeGreaterThan(0)
  },
)

test('an engine that asks, and does not end when it is told to, makes no further call either', async () => {
  const caller = await spend(true)
  expect(caller).toMatchObject({ calls: 2, interrupts: 1 })
  expect(caller.stops).toBeGreaterThan(0)
})
