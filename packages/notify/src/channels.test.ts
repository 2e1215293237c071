import { NotificationsConfig } from '@treadle/contracts/config/notifications'
import { expect, test } from 'vitest'
import { openChannels } from './channels.ts'

const SECRETS: Readonly<Record<string, string>> = {
  TREADLE_TELEGRAM_TOKEN: '1:a',
  TREADLE_HOOK: 'https://example.test/x',
  TREADLE_ODD: 'file:///etc/passwd',
}

function open(given: unknown) {
  return openChannels({
    settings: NotificationsConfig.parse(given),
    secret: (name) => SECRETS[name] ?? null,
    platform: 'linux',
    desktopEnv: {},
    place: 'here',
    now: () => new Date(),
  })
}

test('everything is off unless it is turned on', () => {
  expect(Object.values(open({})).map(({ is }) => is)).toEqual(['off', 'off', 'off'])
})

const enabled = true
test.each([
  ['desktop', { enabled }, null],
  ['webhook', { enabled }, 'notifications.webhook.url is not set'],
  ['webhook', { enabled, url: 'http://127.0.0.1:1/' }, null],
  ['webhook', { enabled, urlVariable: 'TREADLE_HOOK' }, null],
  ['webhook', { enabled, urlVariable: 'TREADLE_NONE' }, 'TREADLE_NONE is not set'],
  ['webhook', { enabled, urlVariable: 'TREADLE_ODD' }, 'TREADLE_ODD is not an address of the web'],
  ['telegram', { enabled }, 'notifications.telegram.chatId is not set'],
  ['telegram', { enabled, chatId: '1', tokenVariable: 'TREADLE_T' }, 'TREADLE_T is not set'],
  ['telegram', { enabled, chatId: '1' }, null],
] as const)('%s with %o', (name, settings, why) => {
  const opened = open({ [name]: settings })[name]
  expect(opened).toMatchObject(why === null ? { is: 'on', channel: { channel: name } } : { is: 'off', why })
})

test("a secret is looked for under our own names only, so that no other program's key is sent out", () => {
  const wrong = { telegram: { tokenVariable: 'AWS_SECRET_ACCESS_KEY' } }
  expect(NotificationsConfig.safeParse(wrong).success).toBe(false)
})
