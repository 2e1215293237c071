// An item whose money is used up: its turn is over, and what was done in time counts.
import { Config } from '@treadle/contracts/config'
import { expect, test } from 'vitest'
import type { Engine, EngineTask, TurnEnd } from '../ports/engine.ts'
import { runTurn, type TurnWorld } from './turn.run.ts'

const task: EngineTask = {
  text: 'Mend it.',
  item: null,
  attempt: 1,
  testCommand: null,
  failures: [],
  evidence: [],
}

async function endOf(end: TurnEnd): Promise<TurnEnd> {
  let over: string | null = null
  const engine: Engine = {
    id: 'e',
    takes: 'all',
    probe: async () => ({ is: 'usable', note: '' }),
    open: async () => ({
      prompt: async () => {
        over = 'the item has cost $5.10 of $5.00'
        return end
      },
      interrupt: async () => undefined,
      stop: async () => undefined,
    }),
  }
  const spending = {
    used: () => undefined,
    ready: async () => undefined,
    over: () => over,
    end: async () => undefined,
  }
  const world = {
    clock: { now: () => new Date(0), sleep: async () => undefined },
    config: Config.parse({}),
    guidanceChannel: null,
    budget: { begin: async () => spending },
    env: {},
    note: () => undefined,
    say: async () => undefined,
    signal: new AbortController().signal,
    worktree: '/w',
  }
  return runTurn(world as unknown as TurnWorld, { engine, task })
}

test('a turn that was ended because no more is left says so', async () => {
  expect(await endOf({ outcome: 'interrupted', text: '' })).toMatchObject({
    outcome: 'budget',
    text: expect.stringContaining('$5.10'),
  })
})

test('a turn whose last call used up what was left, and that is done, is done', async () => {
  expect(await endOf({ outcome: 'done', text: 'Mended.' })).toEqual({ outcome: 'done', text: 'Mended.' })
})
