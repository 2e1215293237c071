// What is answered where no route is reached, in the shape of every other error.
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { routes } from '@treadle/contracts/api'
import type { Problem } from '@treadle/contracts/problem'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { shapeProblem } from './problem.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** Known paths answer 405 to the methods they do not take. */
export function refuseOtherMethods(http: FastifyInstance, pages: readonly string[]): void {
  const taken = new Map<string, string[]>(pages.map((path) => [path, ['GET']]))
  for (const { path, method } of Object.values(routes)) taken.set(path, [...(taken.get(path) ?? []), method])
  const { status, problem } = shapeProblem({ statusCode: 405 })
  for (const [url, methods] of taken) {
    // Fastify answers HEAD wherever it answers GET.
    const others = METHODS.filter((method) => !methods.includes(method))
    const method = methods.includes('GET') ? others : [...others, 'HEAD' as const]
    const handler = (_: FastifyRequest, reply: FastifyReply) =>
      reply.status(status).header('allow', methods.join(', ')).send({ error: problem })
    http.route({ method, url, handler })
  }
}

/** An address that cannot be read. */
export function answerBadAddress(error: Error, _: FastifyRequest, reply: FastifyReply): void {
  const { status, problem } = shapeProblem(error)
  void reply.status(status).send({ error: problem })
}

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Bytes that are no HTTP request. */
export function answerBadBytes(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy(error)
  const { status, problem } = shapeProblem({ statusCode: STATUS_OF[error.code ?? ''] ?? 400 })
  endWith(socket, status, problem)
}

/** Turns away who asked for something else than a request. */
export function refuse(socket: Duplex, statusCode: number): void {
  const { status, problem } = shapeProblem({ statusCode })
  endWith(socket, status, problem)
}

/** The last words on a connection that no framework looks after. */
export function endWith(socket: Duplex, status: number, problem: Problem['error']): void {
  const body = JSON.stringify({ error: problem })
  // A caller that has hung up already is no failure of ours; unheard, its reset would end the process.
  socket.on('error', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
