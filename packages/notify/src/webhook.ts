// A POST of JSON to an address of the owner's, signed so that whoever receives it knows whose it is.
import { createHash, createHmac } from 'node:crypto'
import type { NoticeChannel, NoticeMessage, Sent } from '@treadle/flow/ports/notifications'

export interface WebhookOptions {
  readonly url: string
  /** The secret; null: nothing is signed. */
  readonly secret: string | null
  readonly timeoutMs: number
  readonly now: () => Date
}

const REDIRECTS_MAX = 3
/** More than this is not waited for; it is tried again as after a failure. */
const RETRY_AFTER_SECONDS_MAX = 3_600

export function openWebhook(options: WebhookOptions): NoticeChannel {
  return {
    channel: 'webhook',
    target: createHash('sha256').update(options.url).digest('hex').slice(0, 16),
    send: async (message, signal) => {
      const ending = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)])
      try {
        return await post(options, message, ending)
      } catch (error) {
        return { is: 'failed', why: `${hostOf(options.url)} did not answer: ${reasonOf(error)}` }
      }
    },
  }
}

/** Signed is the time with the body, so that an old message cannot be sent once more by somebody else. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}

async function post(options: WebhookOptions, message: NoticeMessage, signal: AbortSignal): Promise<Sent> {
  const { secret, now } = options
  const body = JSON.stringify({ source: 'treadle', ...message })
  const timestamp = String(Math.floor(now().getTime() / 1_000))
  const { url: first, login } = withoutLogin(options.url)
  const headers = {
    ...login,
    'content-type': 'application/json',
    'user-agent': 'treadle',
    // The same when it is sent again, so that the receiver can tell.
    'x-treadle-delivery': message.id,
    'x-treadle-timestamp': timestamp,
    ...(secret === null ? {} : { 'x-treadle-signature': signatureOf(secret, timestamp, body) }),
  }
  let url = first
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    // Nothing in the answer is of use, but the connection is.
    await response.body?.cancel()
    if (response.status < 300 || response.status >= 400) return judge(response, hostOf(url))
    const next = URL.parse(response.headers.get('location') ?? '', url)
    if (next === null || !keepsThePost(response.status) || next.origin !== new URL(url).origin)
      return {
        is: 'refused',
        why: `${hostOf(url)} leads somewhere else (${response.status}), which is not followed`,
      }
    url = next.href
  }
  return { is: 'refused', why: `${hostOf(url)} leads in a circle` }
}

/** After the others a POST would become a GET, and the message would be lost. */
function keepsThePost(status: number): boolean {
  return status === 307 || status === 308
}

function judge(response: Response, host: string): Sent {
  const { status } = response
  if (status < 300) return { is: 'sent' }
  const why = `${host} answered ${status}`
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  if (status === 429 || status === 503)
    return seconds > 0 && seconds <= RETRY_AFTER_SECONDS_MAX
      ? { is: 'later', afterMs: seconds * 1_000, why }
      : { is: 'failed', why }
  return status >= 500 || status === 408 || status === 425 ? { is: 'failed', why } : { is: 'refused', why }
}

/** The rest of the address may be a secret. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'the webhook'
}

/** In words of our own: those of the library may hold the whole address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason was given'
  if (error.name === 'TimeoutError') return 'it took too long'
  const { code } = (error.cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : error.name
}

/** A name and a password in the address go where they belong. */
function withoutLogin(address: string): { readonly url: string; readonly login: Record<string, string> } {
  const url = new URL(address)
  const { username, password } = url
  if (username === '' && password === '') return { url: address, login: {} }
  url.username = ''
  url.password = ''
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { url: url.href, login: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}
