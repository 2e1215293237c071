// The whole way, as a user has it: a daemon that is killed again and again, a bot, a webhook, a desktop, the command line.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NotificationsConfig } from '@treadle/contracts/config/notifications'
import type { Notification } from '@treadle/contracts/notification'
import { openBotApi } from '@treadle/notify/testing/bot-api'
import { openLoopback } from '@treadle/notify/testing/loopback'
import { signatureOf } from '@treadle/notify/webhook'
import { describe, expect, test } from 'vitest'
import { searchPath } from '../env.ts'
import {
  type Daemon,
  DRIVERS,
  daemonLog,
  startDaemon,
  stopDaemon,
  treadle,
  usePlaces,
} from '../kit/daemon.ts'
import { addItem, begin, itemOf, path, say, take } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { kill, waitGone } from '../kit/processes.ts'
import { eventually } from '../kit/wait.ts'

const TOKEN = '4711:a-token-that-nobody-may-see'
const SECRET = 'a-secret-between-the-two'
const ROUNDS = 2

async function die({ pid }: Daemon): Promise<void> {
  kill(pid)
  await waitGone(pid)
}

async function escalate(daemon: Daemon): Promise<number> {
  const work = await begin(daemon)
  await say(work, { type: 'item.escalated', why: 'nobody knows' })
  return work.ref.number
}

describe.each(DRIVERS)('on the %s database', (driver) => {
  const place = usePlaces(driver)

  test('a daemon that is killed at any moment tells everything, and makes nothing twice', async (context) => {
    const api = await openBotApi(TOKEN)
    const telegram = { enabled: true, chatId: '99', apiRoot: api.url }
    const settings = { notifications: NotificationsConfig.parse({ telegram, perTypeMs: 1, retryMs: 100 }) }
    const { workspace, databaseUrl } = await place(context, { settings })
    const start = () => startDaemon(workspace, databaseUrl, { TREADLE_TELEGRAM_TOKEN: TOKEN })
    const items: number[] = []
    let daemon = await start()
    for (let round = 0; round < ROUNDS; round += 1) {
      items.push(await escalate(daemon))
      // From before the feed is read to after the message is sent.
      await new Promise((done) => setTimeout(done, round * 100))
      await die(daemon)
      daemon = await start()
    }
    const { client } = daemon
    const title = (number: number) => `#${number} needs you`
    await eventually(
      'every item was told of',
      () =>
        items.every((number) => api.shown.some(({ text }) => text.includes(title(number))))
          ? true
          : undefined,
      200_000,
    )
    const { items: kept } = await client.listNotifications({ query: { limit: 500 } })
    const escalations = kept.filter(({ type }) => type === 'item.escalated')
    expect(escalations.map(({ item }) => item?.number).sort()).toEqual([...items].sort())
    expect(escalations.every(({ count }) => count === 1)).toBe(true)
    // Only what a daemon died over can have been sent a second time.
    for (const number of items)
      expect(api.shown.filter(({ text }) => text.includes(title(number))).length).toBeLessThanOrEqual(2)
    expect(api.shown.length).toBeLessThanOrEqual(2 * ROUNDS)
    await stopDaemon(daemon)
    await api.close()
    expect(daemonLog(workspace)).not.toContain('a-token-that')
  })
})

describe('on the command line', () => {
  const place = usePlaces('embedded')

  test('every channel gets it, what became of it is shown, and what was seen is put aside', async (context) => {
    const api = await openBotApi(TOKEN)
    const hook = await openLoopback((_, response) => void response.writeHead(204).end())
    const notifications = NotificationsConfig.parse({
      telegram: { enabled: true, chatId: '99', apiRoot: api.url },
      webhook: { enabled: true, url: `${hook.url}/hook` },
      desktop: { enabled: true },
    })
    const { workspace } = await place(context, { settings: { notifications } })
    const out = join(workspace.home, 'shown')
    const PATH = `${fakeDesktop(workspace.home, out)}:${searchPath()}`
    const env = { PATH, TREADLE_TELEGRAM_TOKEN: TOKEN, TREADLE_WEBHOOK_SECRET: SECRET }
    const daemon = await startDaemon(workspace, undefined, env)
    const number = await escalate(daemon)
    const list = async (...args: string[]): Promise<Notification[]> =>
      JSON.parse((await treadle(workspace, ['notifications', ...args, '--json'])).stdout)
    const told = await eventually(
      'all three have it',
      async () => {
        const [first] = await list()
        const done = first?.deliveries.filter(({ status }) => status === 'sent').length === 3
        return done ? first : undefined
      },
      60_000,
    )
    expect(told).toMatchObject({ type: 'item.escalated', title: `#${number} needs you: An item` })
    expect(api.shown[0]?.text).toContain(told.title)
    expect(readFileSync(out, 'utf8')).toContain(told.title)
    const [posted] = hook.received
    const { 'x-treadle-timestamp': timestamp, 'x-treadle-signature': signature } = posted?.headers ?? {}
    expect(signature).toBe(signatureOf(SECRET, String(timestamp), posted?.body ?? ''))
    expect(JSON.parse(posted?.body ?? '').notifications).toMatchObject([{ id: told.id }])

    const shown = await treadle(workspace, ['notifications'])
    expect(shown.stdout).toContain(`treadle reopen ${number}`)
    expect(shown.stdout).toContain('telegram sent')
    const tested = await treadle(workspace, ['notifications', 'test'])
    expect(tested).toMatchObject({ code: 0, stdout: '✓ desktop\n✓ webhook\n✓ telegram\n' })
    expect((await treadle(workspace, ['notifications', 'ack'])).code).toBe(2)
    expect((await treadle(workspace, ['notifications', 'ack', '9999'])).code).toBe(1)
    expect((await treadle(workspace, ['notifications', 'ack', String(told.id)])).stdout).toBe(
      `Acknowledged: ${told.id}\n`,
    )
    expect(await list()).toEqual([])
    expect(await list('--all')).toMatchObject([{ id: told.id, acknowledgedAt: expect.any(String) }])
    await hook.close()
    const broken = await treadle(workspace, ['notifications', 'test', 'webhook'])
    expect(broken.code).toBe(1)
    expect(broken.stdout).toContain('did not answer: ECONNREFUSED')
    await stopDaemon(daemon)
    await api.close()
    for (const secret of [TOKEN, SECRET]) expect(daemonLog(workspace)).not.toContain(secret)
  })

  const here = useInProcess('any', {
    settings: { notifications: NotificationsConfig.parse({ telegram: { enabled: true, chatId: '99' } }) },
  })

  test('what is off says so, and what is missing is named', async (context) => {
    const daemon = await here(context)
    const { workspace } = daemon
    const why = async (channel: string) =>
      (await treadle(workspace, ['notifications', 'test', channel])).stdout
    expect(await why('webhook')).toBe('✗ webhook: it is not turned on in treadle.json\n')
    expect(await why('telegram')).toBe('✗ telegram: TREADLE_TELEGRAM_TOKEN is not set\n')
    expect((await treadle(workspace, ['notifications', 'test', 'pigeon'])).code).toBe(2)
    expect((await treadle(workspace, ['notifications'])).stdout).toBe('No new notifications.\n')
    // Put back by a person: what was told of it needs nobody's attention any more.
    const ref = await addItem(daemon.client)
    const work = await take(daemon, ref)
    await say(work, { type: 'item.escalated', why: 'x' })
    await eventually('it is told', async () => (await open(daemon)).length === 1 || undefined, 30_000)
    await daemon.client.reopenItem({ params: path(ref), body: {} })
    await eventually('it is settled', async () => (await open(daemon)).length === 0 || undefined, 30_000)
    expect((await itemOf(work)).state).not.toBe('escalated')
  })
})

async function open({ client }: Daemon): Promise<Notification[]> {
  return (await client.listNotifications()).items
}

/** A folder with a notify-send that writes down what it is to show. */
function fakeDesktop(home: string, out: string): string {
  const bin = join(home, 'bin')
  if (!existsSync(bin)) mkdirSync(bin)
  writeFileSync(join(bin, 'notify-send'), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${out}'\n`)
  chmodSync(join(bin, 'notify-send'), 0o755)
  return bin
}
