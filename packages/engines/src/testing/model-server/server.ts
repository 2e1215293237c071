// A server on the loopback that answers like a model, over four protocols, with what a test says.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@treadle/flow/fault'
import { anthropic } from './anthropic.ts'
import { chat } from './chat.ts'
import {
  type ModelFault,
  type ModelReply,
  type ModelRequest,
  sayingOf,
  type Wire,
  type WireName,
} from './exchange.ts'
import { gemini } from './gemini.ts'
import { responses } from './responses.ts'

export interface ModelServerOptions {
  answer(request: ModelRequest): ModelReply | Promise<ModelReply>
}

export interface ModelServer {
  /** Without a path: the protocols differ in theirs. */
  readonly url: string
  /** All that was asked so far. */
  readonly requests: readonly ModelRequest[]
  /** Calls that it did not understand; a test that got an odd answer looks here. */
  readonly refused: readonly string[]
  close(): Promise<void>
}

const wires: Readonly<Record<WireName, Wire>> = { anthropic, responses, chat, gemini }

export async function startModelServer({ answer }: ModelServerOptions): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  const refused: string[] = []
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((cause: unknown) => {
      refused.push(`${incoming.url}: ${messageOf(cause)}`)
      if (outgoing.headersSent) outgoing.destroy()
      else sendJson(outgoing, 500, { error: { message: messageOf(cause) } })
    })
  })

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? '/', 'http://localhost').pathname
    const body = await readBody(incoming)
    const request = requestOf(path, body, incoming)
    if (request === null) {
      if (!isAside(path)) refused.push(`${incoming.method} ${path}`)
      sendJson(outgoing, isAside(path) ? 200 : 404, aside(path))
      return
    }
    requests.push(request)
    const number = requests.length
    const reply = await answer(request)
    if (reply.delayMs !== undefined) await sleep(reply.delayMs, undefined, { ref: false })
    await send(outgoing, { reply, request, number })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    refused,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function requestOf(path: string, body: unknown, { headers }: IncomingMessage): ModelRequest | null {
  for (const [wire, { read }] of Object.entries(wires) as [WireName, Wire][]) {
    const found = read(path, body)
    if (found === null) continue
    const named = Object.entries(headers).map(([name, value]) => [name, String(value)])
    return { wire, ...found, headers: Object.fromEntries(named), body }
  }
  return null
}

interface Answer {
  readonly reply: ModelReply
  readonly request: ModelRequest
  readonly number: number
}

async function send(outgoing: ServerResponse, { reply, request, number }: Answer): Promise<void> {
  const wire = wires[request.wire]
  if (reply.fault !== undefined && reply.fault.is !== 'cut') {
    refuse(outgoing, wire, reply.fault)
    return
  }
  const said = sayingOf(reply, request, number)
  if (!request.isStreamed && reply.fault === undefined) {
    sendJson(outgoing, 200, wire.whole(said, request))
    return
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': `req_${number}` })
  const events = wire.stream(said, request)
  const isCut = reply.fault !== undefined
  for (const event of isCut ? events.slice(0, Math.ceil(events.length / 2)) : events) outgoing.write(event)
  if (!isCut) {
    outgoing.end()
    return
  }
  // What was written is on its way before the connection breaks.
  await sleep(20)
  outgoing.destroy()
}

function refuse(outgoing: ServerResponse, wire: Wire, fault: Exclude<ModelFault, { is: 'cut' }>): void {
  if (fault.is === 'silent') return
  const { status, retryAfterSeconds, message = `The model server answers ${status}.` } = fault
  if (retryAfterSeconds !== undefined) outgoing.setHeader('retry-after', String(retryAfterSeconds))
  sendJson(outgoing, status, wire.error(status, message))
}

/** Questions beside the conversation that programs ask: what models there are, how long a text is. */
const isAside = (path: string) => /\/models$|count_tokens$|:countTokens$/.test(path)

const aside = (path: string) =>
  path.endsWith('ount_tokens') || path.endsWith('ountTokens')
    ? { input_tokens: 100, totalTokens: 100 }
    : { object: 'list', data: [] }

function sendJson(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify(body))
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? null : JSON.parse(text)
}
