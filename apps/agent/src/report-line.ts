// The agent's end of a line for reports. It is only ever a shorter way: whoever has none yet, or has lost it, sends
// requests.
import { type ClientRequest, request } from 'node:http'
import type { Duplex } from 'node:stream'
import { halvesOf, LineCutter, REPORT_LINE_PATH, REPORT_LINE_PROTOCOL } from '@treadle/contracts/report-line'

export interface LineAnswer {
  readonly status: number
  readonly text: string
}

interface Waiter {
  resolve(answer: LineAnswer): void
  reject(cause: unknown): void
}

/** An answer is a few words. */
const ANSWER_CHARS_MAX = 1_048_576

export class ReportLine {
  readonly #waiters: Waiter[] = []
  readonly #cutter = new LineCutter()
  readonly #asked: ClientRequest
  #socket: (Duplex & { ref?(): void; unref?(): void }) | null = null
  #isOver = false

  /** Begins to open it; `ended` is called when it is of no use any more, and tells whether it was ever open. */
  constructor(origin: string, authorization: string, ended: (wasOpen: boolean) => void) {
    const headers = { authorization, connection: 'Upgrade', upgrade: REPORT_LINE_PROTOCOL }
    this.#asked = request(`${origin}${REPORT_LINE_PATH}`, { headers, agent: false })
    const over = () => {
      if (this.#isOver) return
      this.#isOver = true
      for (const { reject } of this.#waiters.splice(0)) reject(new Error('the daemon has hung up'))
      ended(this.#socket !== null)
    }
    this.#asked.on('upgrade', (_, socket, head) => this.#open(socket, head, over))
    this.#asked.on('response', (refusal) => {
      refusal.destroy()
      over()
    })
    this.#asked.on('error', over)
    this.#asked.on('socket', (socket) => socket.unref())
    this.#asked.end()
  }

  get isOpen(): boolean {
    return this.#socket !== null && !this.#isOver
  }

  /** Reports are answered in the order in which they are sent. */
  send(runId: string, body: string, signal: AbortSignal): Promise<LineAnswer> {
    return new Promise((resolve, reject) => {
      const socket = this.#socket
      if (socket === null) return reject(new Error('there is no line yet'))
      // Which answer belongs to which report is only known by their order, so nobody else may go on with this line.
      const stop = () => socket.destroy()
      signal.addEventListener('abort', stop, { once: true })
      const settled = () => {
        signal.removeEventListener('abort', stop)
        if (this.#waiters.length === 0) socket.unref?.()
      }
      this.#waiters.push({
        resolve(answer) {
          settled()
          resolve(answer)
        },
        reject(cause) {
          settled()
          reject(signal.aborted ? signal.reason : cause)
        },
      })
      socket.ref?.()
      socket.write(`${runId} ${body}\n`)
      if (signal.aborted) stop()
    })
  }

  close(): void {
    this.#asked.destroy()
    this.#socket?.destroy()
  }

  #open(socket: Duplex, head: Buffer, over: () => void): void {
    this.#socket = socket
    socket.on('data', (piece: Buffer) => this.#take(piece))
    socket.on('error', over)
    socket.on('close', over)
    if (head.length > 0) this.#take(head)
  }

  #take(piece: Buffer): void {
    for (const line of this.#cutter.take(piece)) {
      const [status, text] = halvesOf(line)
      this.#waiters.shift()?.resolve({ status: Number(status), text })
    }
    if (this.#cutter.openChars > ANSWER_CHARS_MAX) this.#socket?.destroy()
  }
}
