import { afterEach, expect, test } from 'vitest'
import { openTelegram } from './telegram.ts'
import { type BotApi, openBotApi } from './testing/bot-api.ts'
import { message } from './testing/message.ts'

const TOKEN = '123456:a-token-that-nobody-may-see'
const running = new AbortController().signal
const open: BotApi[] = []
afterEach(async () => {
  for (const api of open.splice(0)) await api.close()
})

async function useApi() {
  const api = await openBotApi(TOKEN)
  open.push(api)
  const options = { token: TOKEN, chatId: '-1001234', apiRoot: `${api.url}/`, timeoutMs: 60_000 }
  return { api, options, telegram: openTelegram(options) }
}

test('a person is reached over Telegram, with the words as they are and what to type', async () => {
  const { api, telegram } = await useApi()
  expect(await telegram.send(message(), running)).toEqual({ is: 'sent' })
  const [first] = api.shown
  expect(first?.chatId).toBe('-1001234')
  expect(first?.text).toBe(
    `❌ ${message().title}\n\n${message().text}\n\n• See it <now>: treadle explain 4 & more\n• Read the log`,
  )
  expect(first?.silent).toBe(false)
  await telegram.send(message({ level: 'info' }), running)
  await telegram.send(message({ level: 'info', blocking: true }), running)
  expect(api.shown.map(({ silent }) => silent)).toEqual([false, true, false])
})

test('however long the words are, the message is one that Telegram takes', async () => {
  const { api, telegram } = await useApi()
  const nextSteps = Array.from({ length: 10 }, () => ({ label: '<'.repeat(300), command: '&'.repeat(500) }))
  const long = message({ title: '👩‍💻&'.repeat(500), text: '<🙂'.repeat(5_000), nextSteps })
  expect(await telegram.send(long, running)).toEqual({ is: 'sent' })
  expect(api.shown[0]?.text.length).toBeGreaterThan(2_000)
  expect(api.shown[0]?.text.isWellFormed()).toBe(true)
})

test('it waits for as long as Telegram asks it to', async () => {
  const { api, telegram } = await useApi()
  api.hurry(1, 17)
  const why = 'Telegram answered 429: Too Many Requests: retry after 17'
  expect(await telegram.send(message(), running)).toEqual({ is: 'later', afterMs: 17_000, why })
  expect(await telegram.send(message(), running)).toEqual({ is: 'sent' })
})

test('a token that is refused is not tried again, and is in no message', async () => {
  const { options, api } = await useApi()
  const wrong = openTelegram({ ...options, token: 'wrong' })
  expect(await wrong.send(message(), running)).toEqual({
    is: 'refused',
    why: 'Telegram answered 401: Unauthorized',
  })
  expect(api.shown).toEqual([])
})

test('a broken server, and one that is away, are worth another try; neither gives the token away', async () => {
  const { api, options, telegram } = await useApi()
  api.break(1)
  const broken = await telegram.send(message(), running)
  await api.close()
  open.length = 0
  const away = await openTelegram(options).send(message(), running)
  for (const sent of [broken, away]) {
    expect(sent.is).toBe('failed')
    expect(JSON.stringify(sent)).not.toContain('a-token')
  }
})

test('the name of the address has nothing of the token', async () => {
  const { telegram, options } = await useApi()
  expect(telegram.target).toMatch(/^[0-9a-f]{16}$/)
  expect(openTelegram({ ...options, token: 'another' }).target).toBe(telegram.target)
})
