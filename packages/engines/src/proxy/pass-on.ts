// Passes an answer on as it comes, byte by byte, and reads beside it what the call has used.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallReply } from './call-reply.ts'
import type { ModelCall } from './model-call.ts'
import { headersOf, type ProviderAnswer } from './provider-answer.ts'
import { type TokenCounts, UsageMeter } from './usage-meter.ts'

const REQUEST_BYTES_MAX = 64 * 1024 * 1024
const ERROR_CHARS_MAX = 2_000
/** A guess at what an answer of which nothing is known was asked with. */
const BYTES_PER_TOKEN = 4

/** Null: it is larger than any program's. */
export async function readRequest(incoming: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming) {
    size += (part as Buffer).length
    if (size > REQUEST_BYTES_MAX) return null
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts)
}

export interface Passed {
  readonly counts: TokenCounts
  /** What a refusal said. */
  readonly text: string
}

export async function passOn(
  call: ModelCall,
  answer: ProviderAnswer,
  { reply, response }: { reply: CallReply; response: ServerResponse },
): Promise<Passed> {
  const { status, message } = answer
  if (status >= 400) return passRefusal(call, answer, { reply, response })
  const meter = new UsageMeter(call.api, /event-stream/.test(message.headers['content-type'] ?? ''))
  if (!reply.hasBegun) response.writeHead(status, headersOf(message))
  const put = async (chunk: Buffer) => {
    meter.read(chunk)
    if (!response.write(chunk)) await drained(response)
  }
  try {
    if (answer.first !== null) await put(answer.first)
    for await (const chunk of message) await put(chunk as Buffer)
    meter.end()
    response.end()
  } catch {
    // It broke after it had begun, and cannot be taken back.
    meter.end()
    response.destroy()
  }
  return { counts: meter.isKnown ? meter.counts : guessed(call, meter), text: '' }
}

/** A guess at what a call has used whose answer nobody has heard to its end. */
export function guessed(call: ModelCall, { counts } = new UsageMeter(call.api, false)): TokenCounts {
  return { ...counts, input: Math.ceil(call.body.length / BYTES_PER_TOKEN) }
}

/** Whoever has gone takes nothing any more, and has said so perhaps before anybody listened. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.closed || response.destroyed) return
  const heard = new AbortController()
  const { signal } = heard
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  } finally {
    // An answer of many pieces would leave a listener behind for each.
    heard.abort()
  }
}

async function passRefusal(
  call: ModelCall,
  { status, message, first }: ProviderAnswer,
  { reply, response }: { reply: CallReply; response: ServerResponse },
): Promise<Passed> {
  const parts: Buffer[] = first === null ? [] : [first]
  try {
    for await (const part of message) parts.push(part as Buffer)
  } catch {
    // As much of the refusal as came.
    parts.push(Buffer.alloc(0))
  }
  const body = Buffer.concat(parts)
  const text = body.toString('utf8').slice(0, ERROR_CHARS_MAX)
  if (reply.hasBegun) reply.fail(status, text)
  else {
    const { 'content-length': _, ...headers } = headersOf(message)
    response.writeHead(status, headers)
    response.end(body)
  }
  const counts = new UsageMeter(call.api, false).counts
  return { counts, text: `The provider answered ${status}: ${text}` }
}
