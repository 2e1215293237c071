// A provider in trouble, a model that never ends and one that is told to pause: what a crew with the native engine does.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventsLike, untilEvent } from '../goal/goals.ts'
import { type Daemon, treadle } from '../kit/daemon.ts'
import { addRepair, changeSettings, mergedOnMain, moduleOf, told, until } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import { type ModelAsked, type ModelSays, overloaded, QUICK, repairing, useModelCrew } from './model-crew.ts'

type Resting = { engine: string; triesOne?: boolean }

// The tests run in their order, each with the next items; the first three have two agents, the others one.
const crewWith = useModelCrew({ items: 14, agents: 2, limits: { ...QUICK, heartbeatMs: 500 } })
/** How long a turn waits for its provider, unless a test says otherwise. */
const HOLD_MS = 10 * 60_000

test('three items and two agents wait inside their turns for a provider that answers 529, and all are merged', async () => {
  let isDown = true
  const { daemon, asked } = await crewWith((request) => (isDown ? overloaded : repairing(request)))
  const { workspace } = daemon
  for (const n of [1, 2, 3]) await addRepair(daemon, n)
  await untilEvent(daemon, 'run.retrying')
  const resting = await eventually('a rest', async () => {
    const status = await told<{ resting: Resting[] }>(workspace, 'status')
    return status.resting.length === 0 ? undefined : status.resting
  })
  expect(resting).toMatchObject([{ engine: 'native', triesOne: true }])
  await sleep(3_000)
  const failed = asked().length
  // Two turns, and one of them tries at a time.
  expect(failed).toBeLessThan(30)
  isDown = false
  for (const n of [1, 2, 3]) expect(await until(daemon, n, 'done')).toMatchObject({ attempts: 1, fence: 1 })
  expect(mergedOnMain(workspace)).toHaveLength(3)
  expect(await eventsLike(daemon, 'item.escalated')).toEqual([])
  expect(await eventsLike(daemon, 'build.failed')).toEqual([])
  expect(await told(workspace, 'status')).toMatchObject({ resting: [] })
})

test('a time that the provider names is kept to, inside the turn', async () => {
  let left = 1
  const { daemon, asked } = await crewWith((request) => {
    left -= 1
    return left < 0 ? repairing(request) : { fault: { is: 'status', status: 429, retryAfterSeconds: 2 } }
  })
  await addRepair(daemon, 4)
  expect(await until(daemon, 4, 'done')).toMatchObject({ attempts: 1, fence: 1 })
  expect(asked()).toHaveLength(3)
  expect(await eventsLike(daemon, 'run.retrying', 4)).toHaveLength(1)
})

/** Waits for a rest of the engine that begins after what the test does. */
async function nextRest(daemon: Daemon, begin: () => Promise<unknown>): Promise<string> {
  const before = (await eventsLike(daemon, 'engine.rested')).length
  await begin()
  return eventually('a rest of the engine', async () => {
    const rests = (await eventsLike(daemon, 'engine.rested')).slice(before)
    return rests.find(({ engine }) => engine === 'native')?.until
  })
}

test('when the hold is over the items go back unharmed, nothing is claimed, and later all are merged', async () => {
  let isDown = true
  const { daemon } = await crewWith((request) => (isDown ? overloaded : repairing(request)))
  const { workspace } = daemon
  await changeSettings(daemon, { limits: { providerHoldMs: 1_000, providerRestMsMax: 1_500 } })
  const end = await nextRest(daemon, async () => {
    for (const n of [5, 6, 7]) await addRepair(daemon, n)
  })
  expect(Number.isNaN(Date.parse(end))).toBe(false)
  const words = await eventually('the rest in words', async () => {
    const { stdout } = await treadle(workspace, ['status'])
    return stdout.includes('then tries one') ? stdout : undefined
  })
  expect(words).toContain('The engine native rests until ')
  await sleep(2_000)
  isDown = false
  for (const n of [5, 6, 7])
    expect(await until(daemon, n, 'done')).toMatchObject({ attempts: 1, needsHuman: false })
  expect(mergedOnMain(workspace)).toHaveLength(7)
  expect(await eventsLike(daemon, 'item.escalated')).toEqual([])
  expect(await eventsLike(daemon, 'build.failed')).toEqual([])
})

test('an item that was given back goes on in its conversation, and is told only what is new', async () => {
  let isDown = true
  const { daemon, asked } = await crewWith(({ messages }) => {
    const last = messages.at(-1)
    if (last?.results.length !== 0) return isDown ? overloaded : { text: 'It is right now.' }
    const from = messages.length > 2 ? 'state: half' : 'state: wrong'
    const to = messages.length > 2 ? 'state: right' : 'state: half'
    const input = { filePath: moduleOf(8), oldString: from, newString: to }
    return { toolCalls: [{ name: 'edit', input }] }
  })
  await daemon.client.startAgents({ body: { count: 1 } })
  await changeSettings(daemon, { limits: { ...QUICK, providerHoldMs: 1_000 } })
  await nextRest(daemon, () => addRepair(daemon, 8))
  isDown = false
  expect(await until(daemon, 8, 'done')).toMatchObject({ attempts: 1 })
  const said =
    asked()
      .at(-1)
      ?.messages.filter(({ role, text }) => role === 'user' && text !== '') ?? []
  expect(said[0]?.text).toContain('nobody watches')
  expect(said.at(-1)?.text).toContain('cut off in the middle')
  expect(said.at(-1)?.text).not.toContain('nobody watches')
  const [first, second] = (await eventsLike(daemon, 'run.session', 8)) as { session: string }[]
  expect(second?.session).toBe(first?.session)
})

test('what was done of an item that was given back is gone on with', async () => {
  let isDown = true
  const look = 'cat notes/half.txt || { mkdir -p notes; echo half way > notes/half.txt; }'
  const edit = { filePath: moduleOf(9), oldString: 'state: wrong', newString: 'state: right' }
  const { daemon, asked } = await crewWith(({ messages }) => {
    const { results = [] } = messages.at(-1) ?? {}
    if (results.length === 0)
      return { toolCalls: [{ name: 'bash', input: { command: look, description: 'Look' } }] }
    if (isDown) return overloaded
    const hasSeen = results.some(({ text }) => text.startsWith('half way'))
    return hasSeen ? { toolCalls: [{ name: 'edit', input: edit }] } : { text: 'Seen.' }
  })
  await nextRest(daemon, () => addRepair(daemon, 9))
  await untilEvent(daemon, 'claim.released', ({ hasProgress }) => hasProgress === true, 9)
  isDown = false
  await untilEvent(daemon, 'run.resumed', ({ why }) => why === 'it was given back unfinished', 9)
  await eventually('the half that was done', () => {
    const results = asked().flatMap(({ messages }) => messages.flatMap((each) => each.results))
    return results.some(({ text }) => text.startsWith('half way')) ? true : undefined
  })
  await until(daemon, 9, 'done')
})

test('an item that alone is answered with 500 goes to a person with the evidence, and another is merged', async () => {
  const isBad = ({ messages }: ModelAsked) => messages.some(({ text }) => text.includes('Repair module 10'))
  const broken: ModelSays = { fault: { is: 'status', status: 500 } }
  const { daemon } = await crewWith((request) =>
    isBad(request) && request.messages.at(-1)?.results.length !== 0 ? broken : repairing(request),
  )
  const limits = { providerHoldMs: HOLD_MS, infrastructureRetries: 1, giveBacks: 2 }
  await changeSettings(daemon, { limits })
  for (const n of [10, 11]) await addRepair(daemon, n)
  expect(await until(daemon, 11, 'done')).toMatchObject({ attempts: 1 })
  const { reason } = await until(daemon, 10, 'escalated')
  expect(reason).toContain('given back 2 times')
  expect(reason).toContain('500')
  expect(await eventsLike(daemon, 'claim.released', 10)).toHaveLength(1)
})

const endless = (at: () => number) => () => ({
  toolCalls: [{ name: 'bash', input: { command: `echo round ${at()}`, description: 'Go on' } }],
})

test('a model that never ends is ended at the limit of its steps, and what it did is checked', async () => {
  let rounds = 0
  const { daemon, asked } = await crewWith(endless(() => ++rounds))
  await changeSettings(daemon, { limits: { steps: 5, improvements: 1 } })
  await addRepair(daemon, 12)
  await until(daemon, 12, 'escalated')
  expect(asked()).toHaveLength(10)
  const [first] = await eventsLike(daemon, 'build.finished', 12)
  expect(first?.summary).toContain('5 steps')
})

test('a pause holds a model that never ends at its next call, and a resume lets it go on', async () => {
  let rounds = 0
  let isEnding = false
  const goOn = endless(() => ++rounds)
  const { daemon, asked } = await crewWith(() => (isEnding ? { text: 'Enough.' } : goOn()))
  const { workspace } = daemon
  await changeSettings(daemon, { limits: { steps: 1_000 } })
  await addRepair(daemon, 13)
  await eventually('a few calls', () => (asked().length > 3 ? true : undefined))
  await told(workspace, 'agent', 'pause', 'agent-1')
  const held = await eventually('no further call', async () => {
    const before = asked().length
    await sleep(1_500)
    return asked().length === before ? before : undefined
  })
  await told(workspace, 'agent', 'resume', 'agent-1')
  await eventually('further calls', () => (asked().length > held ? true : undefined))
  isEnding = true
  await until(daemon, 13, 'escalated')
})

test('while the default engine rests another one builds, if the owner named one', async () => {
  const { daemon } = await crewWith(() => overloaded)
  await changeSettings(daemon, {
    limits: { providerHoldMs: 500, providerRestMsMax: 60_000 },
    engines: { fallback: 'scripted' },
  })
  await nextRest(daemon, () => addRepair(daemon, 14))
  expect(await until(daemon, 14, 'done')).toMatchObject({ attempts: 1 })
})
