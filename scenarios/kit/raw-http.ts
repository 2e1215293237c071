// HTTP as bytes on a socket: a request goes out exactly as it is written, however odd.
import { connect } from 'node:net'
import { Problem } from '@treadle/contracts/problem'
import { expect } from 'vitest'
import type { Daemon } from './daemon.ts'

export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** None: the owner's key is sent. Null: no key. */
  readonly token?: string | null
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export async function send(daemon: Daemon, request: RawRequest): Promise<RawAnswer> {
  const { host } = new URL(daemon.url)
  const token = request.token === undefined ? daemon.ownerKey : request.token
  const headers: Record<string, string> = {
    host,
    connection: 'close',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(request.body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(request.body)) }),
    ...request.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${request.method ?? 'GET'} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n`
  return parseAnswer(await sendBytes(daemon, `${head}${request.body ?? ''}`))
}

/** Sends text and reads until the other side ends; a reset after an answer is an end. */
export function sendBytes({ url }: Daemon, bytes: string, timeoutMs = 20_000): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port) })
    const end = () => resolve(Buffer.concat(chunks).toString('utf8'))
    socket.setTimeout(timeoutMs, () => {
      socket.destroy()
      reject(new Error(`no answer within ${timeoutMs} ms`))
    })
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', end)
    socket.on('error', (error) => (chunks.length > 0 ? end() : reject(error)))
    socket.on('close', () => socket.destroy())
  })
}

export function parseAnswer(answer: string): RawAnswer {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return { status: Number(first.split(' ')[1]), headers, text: rest.join('\r\n\r\n') }
}

/** The one error shape: a code, a sentence, what to do, and nothing of our insides. */
export function readProblem(answer: RawAnswer): Problem['error'] {
  const { error } = Problem.parse(JSON.parse(answer.text))
  expect(error.message).not.toBe('')
  expect(error.hint).not.toBe('')
  expect(answer.text).not.toMatch(/\bat \S+ \(|node_modules|\.(ts|js):\d+|"stack"|file:\/\//)
  return error
}

/** Sends what must be refused, and gives back with what. */
export async function refusal(
  daemon: Daemon,
  request: RawRequest,
): Promise<{ status: number; code: string }> {
  const answer = await send(daemon, request)
  return { status: answer.status, code: readProblem(answer).code }
}
