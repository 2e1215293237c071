// A provider in trouble, a model that never ends and one that is told to pause: what a crew with the native engine does.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventsLike, untilEvent } from '../goal/goals.ts'
import { treadle } from '../kit/daemon.ts'
import { addRepair, mergedOnMain, moduleOf, repair, told, until, up } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import { type ModelAsked, type ModelSays, overloaded, QUICK, repairing, useModelCrews } from './model-crew.ts'

type Resting = { engine: string; triesOne?: boolean }

const crewWith = useModelCrews()

test('four items and two agents wait inside their turns for a provider that answers 529, and all are merged', async () => {
  let isDown = true
  const { workspace, model } = await crewWith((request) => (isDown ? overloaded : repairing(request)), {
    items: 4,
    limits: QUICK,
  })
  const daemon = await up(workspace, 2)
  for (const n of [1, 2, 3, 4]) await addRepair(daemon, n)
  await untilEvent(daemon, 'run.retrying')
  const resting = await eventually('a rest', async () => {
    const status = await told<{ resting: Resting[] }>(workspace, 'status')
    return status.resting.length === 0 ? undefined : status.resting
  })
  expect(resting).toMatchObject([{ engine: 'native', triesOne: true }])
  await sleep(3_000)
  const failed = model.requests.length
  // Two turns, and one of them tries at a time.
  expect(failed).toBeLessThan(30)
  isDown = false
  for (const n of [1, 2, 3, 4])
    expect(await until(daemon, n, 'done')).toMatchObject({ attempts: 1, fence: 1 })
  expect(mergedOnMain(workspace)).toHaveLength(4)
  expect(await eventsLike(daemon, 'item.escalated')).toEqual([])
  expect(await eventsLike(daemon, 'build.failed')).toEqual([])
  expect(await told(workspace, 'status')).toMatchObject({ resting: [] })
})

test('when the hold is over the items go back unharmed, nothing is claimed, and later all are merged', async () => {
  let isDown = true
  const { workspace } = await crewWith((request) => (isDown ? overloaded : repairing(request)), {
    items: 4,
    limits: { ...QUICK, providerHoldMs: 1_000, providerRestMsMax: 1_500 },
  })
  const daemon = await up(workspace, 2)
  for (const n of [1, 2, 3, 4]) await addRepair(daemon, n)
  const { until: end } = await untilEvent(daemon, 'engine.rested', ({ engine }) => engine === 'native')
  expect(Number.isNaN(Date.parse(end))).toBe(false)
  const words = await eventually('the rest in words', async () => {
    const { stdout } = await treadle(workspace, ['status'])
    return stdout.includes('then tries one') ? stdout : undefined
  })
  expect(words).toContain('The engine native rests until ')
  await sleep(2_000)
  isDown = false
  for (const n of [1, 2, 3, 4])
    expect(await until(daemon, n, 'done')).toMatchObject({ attempts: 1, needsHuman: false })
  expect(mergedOnMain(workspace)).toHaveLength(4)
  expect(await eventsLike(daemon, 'item.escalated')).toEqual([])
  expect(await eventsLike(daemon, 'build.failed')).toEqual([])
})

test('an item that alone is answered with 500 goes to a person with the evidence, and the others are merged', async () => {
  const isBad = ({ messages }: ModelAsked) => messages.some(({ text }) => text.includes('Repair module 1'))
  const broken: ModelSays = { fault: { is: 'status', status: 500 } }
  const { workspace } = await crewWith(
    (request) =>
      isBad(request) && request.messages.at(-1)?.results.length !== 0 ? broken : repairing(request),
    { items: 3, limits: { ...QUICK, infrastructureRetries: 1, giveBacks: 2 } },
  )
  const daemon = await up(workspace, 1)
  for (const n of [1, 2, 3]) await addRepair(daemon, n)
  for (const n of [2, 3]) expect(await until(daemon, n, 'done')).toMatchObject({ attempts: 1 })
  const { reason } = await until(daemon, 1, 'escalated')
  expect(reason).toContain('given back 2 times')
  expect(reason).toContain('500')
  expect(await eventsLike(daemon, 'claim.released')).toHaveLength(1)
})

test('what was done of an item that was given back is gone on with', async () => {
  let isDown = true
  const look = 'cat notes/half.txt || { mkdir -p notes; echo half way > notes/half.txt; }'
  const { workspace, model } = await crewWith(
    ({ messages }) => {
      const { results = [] } = messages.at(-1) ?? {}
      if (results.length > 0) return isDown ? overloaded : { text: 'Seen.' }
      return { toolCalls: [{ name: 'bash', input: { command: look, description: 'Look' } }] }
    },
    { limits: { ...QUICK, providerHoldMs: 1_000 } },
  )
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  await untilEvent(daemon, 'engine.rested')
  await untilEvent(daemon, 'claim.released', ({ hasProgress }) => hasProgress === true)
  isDown = false
  await untilEvent(daemon, 'run.resumed', ({ why }) => why === 'it was given back unfinished')
  await eventually('the half that was done', () => {
    const results = model.requests.flatMap(({ messages }) => messages.flatMap((each) => each.results))
    return results.some(({ text }) => text.startsWith('half way')) ? true : undefined
  })
})

test('an item that was given back goes on in its conversation, and is told only what is new', async () => {
  let isDown = true
  const { workspace, model } = await crewWith(
    ({ messages }) => {
      const last = messages.at(-1)
      if (last?.results.length !== 0) return isDown ? overloaded : { text: 'It is right now.' }
      const from = messages.length > 2 ? 'state: half' : 'state: wrong'
      const to = messages.length > 2 ? 'state: right' : 'state: half'
      const input = { filePath: moduleOf(1), oldString: from, newString: to }
      return { toolCalls: [{ name: 'edit', input }] }
    },
    { limits: { ...QUICK, providerHoldMs: 1_000 } },
  )
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  await untilEvent(daemon, 'engine.rested')
  isDown = false
  expect(await until(daemon, 1, 'done')).toMatchObject({ attempts: 1 })
  const asked =
    model.requests.at(-1)?.messages.filter(({ role, text }) => role === 'user' && text !== '') ?? []
  expect(asked[0]?.text).toContain('nobody watches')
  expect(asked.at(-1)?.text).toContain('cut off in the middle')
  expect(asked.at(-1)?.text).not.toContain('nobody watches')
  const [first, second] = (await eventsLike(daemon, 'run.session')) as { session: string }[]
  expect(second?.session).toBe(first?.session)
})

test('while the default engine rests another one builds, if the owner named one', async () => {
  const { workspace } = await crewWith(() => overloaded, {
    limits: { ...QUICK, providerHoldMs: 500, providerRestMsMax: 60_000 },
    fallback: 'scripted',
    script: [[repair(1)]],
  })
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  await untilEvent(daemon, 'engine.rested')
  expect(await until(daemon, 1, 'done')).toMatchObject({ attempts: 1 })
})

test('a time that the provider names is kept to, inside the turn', async () => {
  let left = 1
  const { workspace, model } = await crewWith((request) => {
    left -= 1
    return left < 0 ? repairing(request) : { fault: { is: 'status', status: 429, retryAfterSeconds: 2 } }
  })
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  expect(await until(daemon, 1, 'done')).toMatchObject({ attempts: 1, fence: 1 })
  expect(model.requests).toHaveLength(3)
  expect(await eventsLike(daemon, 'run.retrying')).toHaveLength(1)
})

const endless = (at: () => number) => () => ({
  toolCalls: [{ name: 'bash', input: { command: `echo round ${at()}`, description: 'Go on' } }],
})

test('a model that never ends is ended at the limit of its steps, and what it did is checked', async () => {
  let rounds = 0
  const { workspace, model } = await crewWith(
    endless(() => ++rounds),
    { limits: { steps: 5, improvements: 1 } },
  )
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  await until(daemon, 1, 'escalated')
  expect(model.requests).toHaveLength(10)
  const [first] = await eventsLike(daemon, 'build.finished')
  expect(first?.summary).toContain('5 steps')
})

test('a pause holds a model that never ends at its next call, and a resume lets it go on', async () => {
  let rounds = 0
  const { workspace, model } = await crewWith(
    endless(() => ++rounds),
    { limits: { heartbeatMs: 200, steps: 1_000 } },
  )
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  await eventually('a few calls', () => (model.requests.length > 3 ? true : undefined))
  await told(workspace, 'agent', 'pause', 'agent-1')
  const held = await eventually('no further call', async () => {
    const before = model.requests.length
    await sleep(1_500)
    return model.requests.length === before ? before : undefined
  })
  await told(workspace, 'agent', 'resume', 'agent-1')
  await eventually('further calls', () => (model.requests.length > held ? true : undefined))
})
