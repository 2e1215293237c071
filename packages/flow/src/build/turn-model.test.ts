// Which model a turn asks, as the engine is told when it is opened.
import { Config } from '@treadle/contracts/config'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import type { Engine, EngineOpen, EngineTask } from '../ports/engine.ts'
import { sampleItem } from '../work/testing/sample.ts'
import { runTurn, type Trial, type TurnWorld } from './turn.run.ts'

type Told = Pick<EngineOpen, 'model' | 'planModel' | 'effort' | 'readOnly'>

const task: EngineTask = {
  text: 'Mend it.',
  item: sampleItem(),
  attempt: 1,
  testCommand: null,
  failures: [],
  evidence: [],
}
const models = {
  e: { default: 'small', improve: 'second', plan: 'thinker', 'category:architecture': 'large' },
}

async function toldWith(changes: Partial<EngineTask>, more: Partial<Trial> = {}): Promise<Told> {
  let told: Told = {}
  const engine: Engine = {
    id: 'e',
    takes: 'all',
    isFree: () => true,
    probe: async () => ({ is: 'usable', note: '' }),
    open: async ({ model, planModel, effort, readOnly }) => {
      told = {
        ...(model && { model }),
        ...(planModel && { planModel }),
        ...(effort && { effort }),
        ...(readOnly && { readOnly }),
      }
      return {
        prompt: async () => ({ outcome: 'done', text: '' }),
        interrupt: async () => undefined,
        stop: async () => undefined,
      }
    },
  }
  const world = worldWith({})
  await runTurn(world as unknown as TurnWorld, { engine, task: { ...task, ...changes }, ...more })
  return told
}

function worldWith(limits: { turnMs?: number }) {
  return {
    clock: { now: () => new Date(0), sleep: async () => undefined },
    config: Config.parse({ engines: { default: 'e', models }, limits }),
    guidanceChannel: null,
    env: {},
    note: () => undefined,
    say: async () => undefined,
    signal: new AbortController().signal,
    worktree: '/w',
  }
}

verifies('ORCH-S5-25', 'a stronger model can be chosen for a category, and by the item itself', async () => {
  expect(await toldWith({})).toEqual({ model: 'small' })
  expect(await toldWith({ item: sampleItem({ labels: ['Architecture'] }) })).toEqual({ model: 'large' })
  const own = sampleItem({ labels: ['Architecture'], model: 'own', effort: 'high' })
  expect(await toldWith({ item: own })).toEqual({ model: 'own', effort: 'high' })
})

test('the model that an item names is for its engine alone, not for one that stands in', async () => {
  const item = sampleItem({ engine: 'other', model: 'own' })
  expect(await toldWith({ item })).toEqual({ model: 'small' })
})

test('a goal is planned and judged by the model that is named for plans', async () => {
  const goal = {
    iterationsMax: 1,
    stuckAfter: 3,
    verifyCommand: null,
    guidance: [],
    plans: [],
    reflections: [],
  }
  expect(await toldWith({ goal })).toEqual({ model: 'small', planModel: 'thinker' })
})

test('a turn that takes too long is ended, also where no proxy holds the limit', async () => {
  const ended = Promise.withResolvers<void>()
  const engine: Engine = {
    id: 'e',
    takes: 'all',
    isFree: () => true,
    probe: async () => ({ is: 'usable', note: '' }),
    open: async () => ({
      prompt: async () => {
        await ended.promise
        return { outcome: 'interrupted', text: '' }
      },
      interrupt: async () => ended.resolve(),
      stop: async () => undefined,
    }),
  }
  const world = { ...worldWith({ turnMs: 20 }), engineHome: undefined }
  const end = await runTurn(world as unknown as TurnWorld, { engine, task })
  expect(end).toMatchObject({ outcome: 'max_turns', text: expect.stringContaining('limits.turnMs') })
})

test('an improvement may have a model of its own', async () => {
  expect(await toldWith({ attempt: 2 })).toEqual({ model: 'second' })
})

test('who reads is told no model here, and may change nothing', async () => {
  expect(await toldWith({ item: null }, { readOnly: true })).toEqual({ readOnly: true })
})
