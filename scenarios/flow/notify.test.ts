// From a recorded event to a message that a person gets: real databases, a real server, a clock that is moved by hand.
import { randomUUID } from 'node:crypto'
import { CURSOR_START, type Cursor, type TreadleEvent } from '@treadle/contracts/event'
import type { ItemRef } from '@treadle/contracts/ids'
import { NewQuestion } from '@treadle/contracts/question'
import { phaseRecord } from '@treadle/contracts/run'
import { report } from '@treadle/flow/advance'
import { runAnswer, runAsk } from '@treadle/flow/ask/question.run'
import { runClaim } from '@treadle/flow/claim/claim.run'
import {
  acknowledge,
  beginNotices,
  type NotifyWorld,
  runDeliveries,
  runNotices,
} from '@treadle/flow/supervise/notify/notify.run'
import { openTelegram } from '@treadle/notify/telegram'
import { type BotApi, openBotApi } from '@treadle/notify/testing/bot-api'
import { verifies } from '@treadle/requirements/verifies'
import type { OpenStore } from '@treadle/store/connect'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { afterAll, describe, expect, test } from 'vitest'
import { FlowWorld } from './world.ts'

const TOKEN = '1:token-of-the-bot'
const MINUTE = 60_000
let agents = 0

class TellingWorld extends FlowWorld implements NotifyWorld {
  readonly news: string[] = []
  readonly #ending = new AbortController()
  readonly stopping = this.#ending.signal
  readonly bugs: unknown[] = []
  onBug = (error: unknown) => void this.bugs.push(error)
  catalogue = () => []
  conventions = async () => ''
  redact = (text: string) => text.replaceAll('hunter22', '[redacted]')
  isNews = (_: string, why: string) => this.news.push(why) > 0
}

describe.each(DRIVERS)('notifications on the %s database', (driver) => {
  const open = useStore(driver)
  const apis: BotApi[] = []
  afterAll(async () => {
    for (const api of apis) await api.close()
  })

  /** An address of its own, which takes up nothing of before. */
  async function telling(store: OpenStore) {
    const world = new TellingWorld(store)
    // Each test has a stretch of time to itself.
    world.time = new Date(Date.parse('2026-01-02T00:00:00.000Z') + agents * 60 * MINUTE)
    const api = await openBotApi(TOKEN)
    apis.push(api)
    const chatId = String(apis.length)
    const channel = openTelegram({ token: TOKEN, chatId, apiRoot: api.url, timeoutMs: 20_000 })
    await readable(store)
    await runNotices(world, await beginNotices(world))
    await runDeliveries(world, channel)
    /** A new daemon each time: all that it knows is in the database. */
    const look = async () => {
      await readable(store)
      const { made } = await runNotices(world, await beginNotices(world))
      const { sent, wakeAt } = await runDeliveries(world, channel)
      return { made, sent, wakeAt }
    }
    return { world, api, channel, look, told: () => api.shown.map(({ text }) => text.split('\n')[0]) }
  }

  function record(world: FlowWorld, event: TreadleEvent, about: { item?: ItemRef; agentId?: string } = {}) {
    const { item = null, agentId = null } = about
    const at = world.now()
    return world.store.events.append({ id: randomUUID(), at, item, agentId, runId: null, state: null, event })
  }

  function crash(world: FlowWorld): Promise<unknown> {
    agents += 1
    return record(world, { type: 'agent.crashed', why: 'SIGKILL' }, { agentId: `agent-${agents}` })
  }

  /** As an agent asks it. */
  async function ask(world: TellingWorld, blocking: boolean, text: string): Promise<string> {
    const options = [{ label: 'Yes' }, { label: 'No' }]
    const given = { agent: 'agent-1', text, context: 'It matters.', options, tags: [randomUUID()] }
    const type = blocking ? { type: 'blocking' } : { type: 'clarifying', defaultOption: 'Yes' }
    const asked = await runAsk(world, NewQuestion.parse({ ...given, ...type }))
    if (asked.is !== 'asked') throw new Error(asked.is)
    return asked.question.id
  }

  verifies(
    ['AGENT-ROUTING-41', 'META-ESC-8', 'META-ESC-9', 'META-ESC-10'],
    'an agent that can go no further reaches a person over Telegram, once, with what to do',
    async (context) => {
      const { world, api, look } = await telling(await open(context))
      const item = await world.add()
      const claimed = await runClaim(world, { item, agentId: 'agent-1', requestId: null })
      if (claimed.is !== 'claimed') throw new Error(claimed.is)
      const say = (event: Parameters<typeof report>[1]['event']) =>
        report(world, { runId: claimed.run.id, eventId: randomUUID(), fence: claimed.fence, event })
      for (const [iteration, phase] of (['build', 'improve'] as const).entries()) {
        const startedAt = world.now().toISOString()
        const made = phaseRecord({ phase, iteration, startedAt, durationMs: 5, outcome: 'done' })
        await say({ type: 'run.phase', record: made })
      }
      await say({ type: 'item.escalated', why: 'the password hunter22 is wrong' })
      expect(await look()).toMatchObject({ made: 1, sent: 1 })
      expect(await look()).toMatchObject({ made: 0, sent: 0, wakeAt: null })
      expect(api.shown).toHaveLength(1)
      const text = api.shown[0]?.text ?? ''
      expect(text).toContain(`#${item.number} needs you: an item`)
      expect(text).toContain('Treadle tried 2 times')
      expect(text).toContain('the password [redacted] is wrong')
      const inProject = `${item.number}${item.projectNumber === 1 ? '' : ` --project ${item.projectNumber}`}`
      for (const command of [
        `treadle explain ${inProject}`,
        `treadle explain ${claimed.run.id} 1`,
        `treadle explain ${claimed.run.id} 2`,
        `treadle reopen ${inProject}`,
      ])
        expect(text).toContain(command)
      const [created] = await world.store.events.newest({ type: 'notification.created', limit: 1 })
      expect(created?.event).toMatchObject({ about: 'item.escalated', level: 'error' })
    },
  )

  verifies(
    'AGENT-QUESTION-52',
    'a blocking question is pushed at once, however many there were; another one waits for its turn',
    async (context) => {
      const { world, api, look, told } = await telling(await open(context))
      world.settings.notifications.telegram.level = 'info'
      for (const text of ['one?', 'two?']) await ask(world, true, text)
      for (const text of ['three?', 'four?']) await ask(world, false, text)
      expect(await look()).toMatchObject({ made: 4, sent: 3 })
      expect(told()).toEqual([
        '⚠️ agent-1 waits for your answer',
        '⚠️ agent-1 waits for your answer',
        'ℹ️ agent-1 has a question and 1 more',
      ])
      await ask(world, true, 'five?')
      await ask(world, false, 'six?')
      expect(await look()).toMatchObject({ made: 2, sent: 1 })
      expect(api.shown.at(-1)?.text).toMatch(/five\?\nIt matters\.\n.*\n\n• Yes: treadle answer \d+ 1\n/)
    },
  )

  verifies(
    ['ORCH-S5-21', 'ORCH-S5-22'],
    'of one type a message is sent every five minutes at most, with all that came meanwhile, also by another daemon',
    async (context) => {
      const { world, api, look, told } = await telling(await open(context))
      await crash(world)
      expect(await look()).toMatchObject({ made: 1, sent: 1 })
      for (let count = 0; count < 5; count += 1) await crash(world)
      const due = new Date(world.time.getTime() + 5 * MINUTE)
      expect(await look()).toMatchObject({ made: 5, sent: 0, wakeAt: due })
      world.wait(5 * MINUTE - 1)
      expect(await look()).toMatchObject({ sent: 0 })
      world.wait(1)
      expect(await look()).toMatchObject({ sent: 1 })
      expect(told()).toHaveLength(2)
      expect(told()[1]).toMatch(/crashed and 4 more$/)
      expect(api.shown[1]?.text.match(/^- agent-\d+ crashed$/gm)).toHaveLength(4)
      world.wait(60 * MINUTE)
      expect(await look()).toMatchObject({ sent: 0, wakeAt: null })
    },
  )

  test('the same again is counted for half an hour, and told again once it was acknowledged', async (context) => {
    const { world, look } = await telling(await open(context))
    const again = () =>
      record(world, {
        type: 'engine.suspended',
        engine: `e${agents}`,
        why: 'no key',
        until: world.now().toISOString(),
      })
    agents += 1
    await again()
    await again()
    expect(await look()).toMatchObject({ made: 1, sent: 1 })
    world.wait(29 * MINUTE)
    await again()
    expect(await look()).toMatchObject({ made: 0, sent: 0 })
    const [open_] = await world.store.notifications.list({ all: false, limit: 1 })
    expect(open_).toMatchObject({ type: 'engine.suspended', count: 3 })
    await acknowledge(world, { is: 'one', id: open_?.id ?? 0 }, 'ada')
    await again()
    expect(await look()).toMatchObject({ made: 1, sent: 1 })
    world.wait(30 * MINUTE)
    await again()
    expect(await look()).toMatchObject({ made: 1, sent: 1 })
  })

  test('what a person has dealt with is not sent any more, and an item that comes back is told again', async (context) => {
    const { world, look, told } = await telling(await open(context))
    const item = await world.add()
    const escalate = () =>
      world.store.events.append({
        id: randomUUID(),
        at: world.now(),
        item,
        agentId: null,
        runId: null,
        state: 'escalated',
        event: { type: 'item.escalated', why: 'x' },
      })
    await escalate()
    await look()
    await record(world, { type: 'item.reopened', by: 'ada' }, { item })
    await escalate()
    // Too soon after the first to be sent.
    expect(await look()).toMatchObject({ made: 1, sent: 0 })
    await record(world, { type: 'item.withdrawn', by: 'ada' }, { item })
    await look()
    world.wait(10 * MINUTE)
    expect(await look()).toMatchObject({ sent: 0, wakeAt: null })
    expect(told()).toHaveLength(1)
  })

  test('an event that cannot be told as it should is told barely, and holds up no other', async (context) => {
    const { world, look, told } = await telling(await open(context))
    const bug = new Error('a bug')
    world.redact = (text) => {
      if (text.includes('cannot be told')) throw bug
      return text
    }
    await record(world, { type: 'daemon.crashed', why: 'this cannot be told' })
    await crash(world)
    expect(await look()).toMatchObject({ made: 2, sent: 2 })
    expect(told().toSorted()).toEqual([
      expect.stringMatching(/^⚠️ Something needs your attention$/),
      expect.stringMatching(/crashed$/),
    ])
    expect(world.bugs).toEqual([bug])
  })

  test('a question that was answered needs nobody any more', async (context) => {
    const { world, look } = await telling(await open(context))
    const id = await ask(world, true, 'this way?')
    await look()
    const ofIt = async () =>
      (await world.store.notifications.list({ all: false, limit: 50 })).filter(
        (each) => each.questionId === id,
      )
    expect(await ofIt()).toMatchObject([{ type: 'question.asked', blocking: true }])
    expect(await runAnswer(world, { id, text: 'Yes', by: 'ada' })).toMatchObject({ is: 'answered' })
    await look()
    expect(await ofIt()).toEqual([])
  })

  test('a channel that fails is tried again three times, then that is told; one that asks to wait is waited for', async (context) => {
    const { world, api, look } = await telling(await open(context))
    api.break(4)
    await crash(world)
    const pauses: number[] = []
    for (let tries = 0; tries < 3; tries += 1) {
      await look()
      const { wakeAt } = await look()
      pauses.push((wakeAt?.getTime() ?? 0) - world.time.getTime())
      world.time = wakeAt ?? world.time
    }
    expect(pauses).toEqual([10_000, 40_000, 160_000])
    await look()
    const [failed] = await world.store.notifications.list({ all: false, limit: 1 })
    expect(failed?.deliveries).toMatchObject([{ channel: 'telegram', status: 'failed', attempts: 4 }])
    expect(world.news).toHaveLength(1)
    expect(await world.store.events.newest({ type: 'notification.failed', limit: 1 })).toMatchObject([
      { event: { ids: [failed?.id], channel: 'telegram' } },
    ])
    api.hurry(6, 30)
    await crash(world)
    for (let tries = 0; tries < 6; tries += 1) {
      await look()
      world.wait(30_000)
    }
    expect(await look()).toMatchObject({ sent: 1 })
    expect(api.shown).toHaveLength(1)
  })

  test('two daemons that look at the same moment make and send each once', async (context) => {
    const { world, api, look } = await telling(await open(context))
    for (let count = 0; count < 6; count += 1) {
      await ask(world, true, `question ${count}?`)
      await Promise.all([look(), look()])
    }
    await look()
    const asked = api.shown.map(({ text }) => /question \d\?/.exec(text)?.[0])
    expect(asked).toEqual(Array.from({ length: 6 }, (_, count) => `question ${count}?`))
  })

  test('one that died between sending and noting it down sends that message once more, and no other', async (context) => {
    const { world, api, channel, look, told } = await telling(await open(context))
    for (const text of ['one?', 'two?']) await ask(world, true, text)
    await readable(world.store)
    await runNotices(world, await beginNotices(world))
    const died = new Error('killed')
    const dying: NotifyWorld = {
      ...world,
      store: { ...world.store, tx: failingAfter(world.store, 2, died) },
      now: world.now,
      config: world.config,
      stopping: world.stopping,
    }
    await expect(runDeliveries(dying, channel)).rejects.toBe(died)
    expect(told()).toHaveLength(2)
    expect(await look()).toMatchObject({ sent: 0 })
    world.wait(3 * MINUTE)
    expect(await look()).toMatchObject({ sent: 1 })
    expect(api.shown.map(({ text }) => /\w+\?/.exec(text)?.[0])).toEqual(['one?', 'two?', 'two?'])
  })
})

/** Lets so many transactions through, as a process does until it is killed. */
function failingAfter(store: OpenStore, count: number, error: Error): OpenStore['tx'] {
  let left = count
  return (use) => {
    left -= 1
    return left >= 0 ? store.tx(use) : Promise.reject(error)
  }
}

/** Until all that was recorded can be read: the feed lags while anybody on the same server has a transaction open. */
async function readable({ events }: OpenStore): Promise<void> {
  const id = randomUUID()
  const event = { type: 'item.added', title: 'a mark' } as const
  await events.append({ id, at: new Date(), item: null, agentId: null, runId: null, state: null, event })
  let after: Cursor = CURSOR_START
  await expect
    .poll(
      async () => {
        const page = await events.after({ after, limit: 1_000 })
        after = page.cursor
        return page.items.some((each) => each.id === id)
      },
      { timeout: 30_000, interval: 20 },
    )
    .toBe(true)
}
