// The Bot API of Telegram as far as a message goes, with its rules about tokens, markup, length and haste.
import type { ServerResponse } from 'node:http'
import { type Loopback, openLoopback, type Received } from './loopback.ts'

export interface BotApi extends Loopback {
  /** What people would see. */
  readonly shown: { readonly chatId: string; readonly text: string; readonly silent: boolean }[]
  /** The next requests are told to wait for so many seconds. */
  hurry(requests: number, seconds: number): void
  /** The next requests are answered as by a broken server. */
  break(requests: number): void
}

const TEXT_MAX = 4_096
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }

export async function openBotApi(token: string): Promise<BotApi> {
  const shown: { chatId: string; text: string; silent: boolean }[] = []
  let throttled = { requests: 0, seconds: 0 }
  let broken = 0
  const loopback = await openLoopback((request, response) => {
    if (broken > 0) {
      broken -= 1
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>')
      return
    }
    if (request.url !== `/bot${token}/sendMessage`) return refuse(response, 401, 'Unauthorized')
    if (throttled.requests > 0) {
      throttled = { ...throttled, requests: throttled.requests - 1 }
      const { seconds } = throttled
      return refuse(response, 429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })
    }
    takeMessage(request, response, shown)
  })
  return {
    ...loopback,
    shown,
    hurry: (requests, seconds) => {
      throttled = { requests, seconds }
    },
    break: (requests) => {
      broken = requests
    },
  }
}

function takeMessage(request: Received, response: ServerResponse, shown: BotApi['shown']): void {
  const given = JSON.parse(request.body) as Record<string, unknown>
  const text = given.parse_mode === 'HTML' ? parseHtml(String(given.text)) : String(given.text)
  const fault = faultOf(text)
  if (text === null || fault !== null) {
    refuse(response, 400, `Bad Request: ${fault}`)
    return
  }
  shown.push({ chatId: String(given.chat_id), text, silent: given.disable_notification === true })
  const result = { message_id: shown.length, date: 0, chat: { id: 1, type: 'private' }, text }
  answer(response, 200, { ok: true, result })
}

function faultOf(text: string | null): string | null {
  if (text === null) return "can't parse entities"
  if (text.length === 0) return 'message text is empty'
  return text.length > TEXT_MAX ? 'message is too long' : null
}

/** Null where Telegram would refuse it: a tag it does not know or that is not closed, an entity it does not know. */
function parseHtml(html: string): string | null {
  const text = html.replaceAll(/<(b|code)>([^<]*)<\/\1>/g, '$2')
  if (text.includes('<') || /&(?!(lt|gt|amp|quot);)/.test(text)) return null
  return text.replaceAll(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? '')
}

function refuse(response: ServerResponse, code: number, description: string, parameters?: object): void {
  answer(response, code, { ok: false, error_code: code, description, ...(parameters && { parameters }) })
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
