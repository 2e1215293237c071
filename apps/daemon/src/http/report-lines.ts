// Reports of agents over connections that stay open: each is checked and handled as POST /api/runs/{id}/events is, and
// costs no request. One connection's reports are handled one after another.
import type { Duplex } from 'node:stream'
import { routes } from '@treadle/contracts/api'
import { halvesOf, LineCutter, REPORT_LINE_PROTOCOL } from '@treadle/contracts/report-line'
import type { KeyName } from '@treadle/contracts/route'
import type { World } from '../world.ts'
import { checkedRequest } from './checked-request.ts'
import { admitDecision } from './decisions.ts'
import { answerProblem, ProblemError, shapeProblem } from './problem.ts'
import { runHandlers } from './runs.handlers.ts'

/** Far more than a crew has agents. */
export const REPORT_LINES_MAX = 200
/** An agent that does not wait for answers is not read from until it has them. */
const WAITING_MAX = 16

const BEGIN = `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${REPORT_LINE_PROTOCOL}\r\n\r\n`

export interface ReportLines {
  readonly count: number
  attach(socket: Duplex, head: Buffer, key: KeyName): void
  /** Hangs up, once what has been taken in is handled. */
  close(): Promise<void>
}

/** Reads JSON, or throws what a request with that body is answered. */
export type ReadJson = (text: string) => unknown

export function openReportLines(world: World, readJson: ReadJson): ReportLines {
  const lines = new Set<ReportLine>()
  return {
    get count() {
      return lines.size
    },
    attach(socket, head, key) {
      const line = new ReportLine({ world, socket, key, readJson })
      lines.add(line)
      socket.on('close', () => lines.delete(line))
      socket.write(BEGIN)
      if (head.length > 0) socket.unshift(head)
      line.listen()
    },
    async close() {
      await Promise.all([...lines].map((line) => line.close()))
    },
  }
}

interface LineParts {
  readonly world: World
  readonly socket: Duplex
  readonly key: KeyName
  readonly readJson: ReadJson
}

class ReportLine {
  readonly #world: World
  readonly #socket: Duplex
  readonly #key: KeyName
  readonly #readJson: ReadJson
  readonly #cutter = new LineCutter()
  readonly #gone = new AbortController()
  #waiting: string[] = []
  #handling: Promise<void> | null = null

  constructor({ world, socket, key, readJson }: LineParts) {
    this.#world = world
    this.#socket = socket
    this.#key = key
    this.#readJson = readJson
  }

  listen(): void {
    this.#socket.on('error', (error) => this.#world.log.debug({ err: error }, 'report line'))
    this.#socket.on('close', () => this.#gone.abort())
    this.#socket.on('end', () => this.#socket.end())
    this.#socket.on('data', (piece: Buffer) => this.#take(piece))
  }

  async close(): Promise<void> {
    this.#waiting = []
    this.#socket.pause()
    await this.#handling
    this.#socket.destroy()
  }

  #take(piece: Buffer): void {
    this.#waiting.push(...this.#cutter.take(piece))
    if (this.#cutter.openChars > this.#world.config().limits.bodyBytes) this.#refuseLong()
    if (this.#waiting.length > WAITING_MAX) this.#socket.pause()
    if (this.#waiting.length > 0) this.#handling ??= this.#handleAll()
  }

  /** Where the next line would begin is not known any more. */
  #refuseLong(): void {
    const { status, problem } = shapeProblem({ statusCode: 413 })
    this.#socket.removeAllListeners('data')
    this.#waiting = []
    this.#socket.end(answerLine(status, { error: problem }), () => this.#socket.destroy())
  }

  async #handleAll(): Promise<void> {
    for (let line = this.#waiting.shift(); line !== undefined; line = this.#waiting.shift()) {
      const answer = await this.#answer(line)
      if (this.#socket.writable) this.#socket.write(answer)
      if (this.#waiting.length < WAITING_MAX) this.#socket.resume()
    }
    this.#handling = null
  }

  async #answer(line: string): Promise<string> {
    try {
      if (line.length > this.#world.config().limits.bodyBytes) throw problemOf(413)
      return answerLine(routes.reportRun.status, await this.#report(line))
    } catch (error) {
      const { status, problem } = answerProblem(error, this.#world.log)
      return answerLine(status, { error: problem })
    }
  }

  async #report(line: string) {
    const [id, text] = halvesOf(line)
    const given = { params: { id }, query: {}, body: this.#readJson(text) }
    const request = checkedRequest('reportRun', given, this.#key)
    const restsOn = admitDecision(this.#world, 'reportRun', request)
    return runHandlers.reportRun(this.#world, {
      ...request,
      caller: { key: this.#key, restsOn },
      hungUp: () => this.#gone.signal,
      setCookie: () => undefined,
    })
  }
}

function problemOf(statusCode: number): ProblemError {
  const { status, problem } = shapeProblem({ statusCode })
  return new ProblemError(status, problem)
}

const answerLine = (status: number, body: object): string => `${status} ${JSON.stringify(body)}\n`
