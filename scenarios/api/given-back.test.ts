// An item that goes back because of its engine, again and again: bounded where only this item has the trouble, and never a
// person's business because a provider is in trouble for everybody.
import { type PhaseRecord, phaseRecord } from '@treadle/contracts/run'
import { expect, test } from 'vitest'
import { addItem, itemOf, path, SOME_COMMIT, say, take, type Work } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { LedClock } from '../kit/led-clock.ts'

const DAY_MS = 24 * 3_600_000
const clock = new LedClock()
const limits = { giveBacks: 3, providerRestMsMax: 1, engineBreakMs: 1 }
const open = useInProcess('any', { clock, settings: { limits } })

type Client = Work['client']
const trouble =
  'The provider of the engine is overloaded: The provider answered 500: internal error, request 17'

const record = (engine: string): PhaseRecord =>
  phaseRecord({
    phase: 'build',
    iteration: 0,
    startedAt: new Date().toISOString(),
    durationMs: 1,
    outcome: 'done',
    summary: 'done',
    checkpoint: SOME_COMMIT,
    fixes: [
      {
        group: null,
        novel: true,
        lessonId: null,
        confidence: null,
        engine,
        outcome: 'done',
        prompt: null,
        context: null,
        said: '',
      },
    ],
  })

const started = { type: 'build.started', branch: 'agent-1/project-1', base: SOME_COMMIT } as const

/** Claimed, begun, and given back because of the engine. */
async function givenBack(
  client: Client,
  ref: Work['ref'],
  engine: string,
  { hasCalls = false, hasProgress = false } = {},
): Promise<Work> {
  const work = await take({ client }, ref)
  await say(work, started)
  if (hasCalls)
    await say(work, {
      type: 'run.used',
      usage: {
        model: 'local',
        provider: 'openai',
        inputTokens: 1,
        outputTokens: 1,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        usd: 0,
        durationMs: 1,
      },
    })
  clock.pass(1_000)
  const restsUntil = clock.now().toISOString()
  const progress = hasProgress ? ({ hasProgress } as const) : {}
  await say(work, { type: 'claim.released', why: trouble, engine, restsUntil, ...progress })
  return work
}

async function built(client: Client, engine: string): Promise<void> {
  const work = await take({ client }, await addItem(client), 'agent-2')
  clock.pass(1_000)
  await say(work, { ...started, branch: 'agent-2/project-1' })
  await say(work, {
    type: 'build.finished',
    summary: 'done',
    checkpoint: SOME_COMMIT,
    records: [record(engine)],
  })
  await say(work, { type: 'claim.released', why: 'that is enough' })
}

test("an item that goes back while its engine serves others is a person's after so many times", async (context) => {
  const { client } = await open(context)
  const ref = await addItem(client, { title: 'Only this one' })
  for (const _ of [1, 2]) {
    const work = await givenBack(client, ref, 'native')
    expect(await itemOf(work)).toMatchObject({ state: 'backlog', needsHuman: false })
    await built(client, 'native')
  }
  const last = await givenBack(client, ref, 'native')
  // It had to be shown that the engine serves others before each of them.
  expect(await itemOf(last)).toMatchObject({ state: 'backlog' })
  await built(client, 'native')
  const over = await givenBack(client, ref, 'native')
  const item = await itemOf(over)
  expect(item).toMatchObject({ state: 'escalated', needsHuman: true })
  expect(item.reason).toContain('given back 4 times')
  expect(item.reason).toContain('request 17')
  // A person who has looked begins the count anew.
  await client.reopenItem({ params: path(ref), body: { by: 'ada' } })
  expect(await itemOf(await givenBack(client, ref, 'native'))).toMatchObject({ state: 'backlog' })
})

test('trouble of a provider for everybody sends nobody to a person, however often', async (context) => {
  const { client } = await open(context)
  const ref = await addItem(client)
  for (const _ of [1, 2, 3, 4, 5, 6])
    expect(await itemOf(await givenBack(client, ref, 'codex'))).toMatchObject({ state: 'backlog' })
  // Another engine that works says nothing about this one.
  await built(client, 'native')
  expect(await itemOf(await givenBack(client, ref, 'codex'))).toMatchObject({ state: 'backlog' })
})

test('an item alone in its crew: its own calls that were served show that the engine works', async (context) => {
  const { client } = await open(context)
  const ref = await addItem(client)
  for (const _ of [1, 2])
    expect(await itemOf(await givenBack(client, ref, 'gemini', { hasCalls: true }))).toMatchObject({
      state: 'backlog',
    })
  expect(await itemOf(await givenBack(client, ref, 'gemini', { hasCalls: true }))).toMatchObject({
    state: 'escalated',
  })
})

test("an item that gets on in each window of a quota is no person's, however many it needs", async (context) => {
  const { client } = await open(context)
  const ref = await addItem(client)
  const calls = { hasCalls: true }
  for (const _ of [1, 2, 3, 4, 5]) {
    const work = await givenBack(client, ref, 'claude-code', { ...calls, hasProgress: true })
    expect(await itemOf(work)).toMatchObject({ state: 'backlog', needsHuman: false })
    await built(client, 'claude-code')
    clock.pass(DAY_MS / 4)
  }
  // It is counted from the last time that it got on.
  expect(await itemOf(await givenBack(client, ref, 'claude-code', calls))).toMatchObject({ state: 'backlog' })
  const item = await itemOf(await givenBack(client, ref, 'claude-code', calls))
  expect(item).toMatchObject({ state: 'escalated' })
  expect(item.reason).toContain('given back 3 times')
})

test('after a day of nothing but trouble a person is asked', async (context) => {
  const { client } = await open(context)
  const ref = await addItem(client)
  for (const _ of [1, 2, 3])
    expect(await itemOf(await givenBack(client, ref, 'opencode'))).toMatchObject({ state: 'backlog' })
  clock.pass(DAY_MS)
  const item = await itemOf(await givenBack(client, ref, 'opencode'))
  expect(item).toMatchObject({ state: 'escalated' })
  expect(item.reason).toContain('for 24 h 0 min')
})
