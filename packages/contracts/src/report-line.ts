// The line on which an agent reports: one connection that stays open, a line of text for each report and each answer, in
// order. It says what POST /api/runs/{id}/events says, without a request around each report.
//
//   agent:  <run id> <body as JSON>\n
//   daemon: <status> <answer as JSON>\n

export const REPORT_LINE_PATH = '/api/runs/reports'
/** The name that both give to what they speak once the connection is no longer HTTP. */
export const REPORT_LINE_PROTOCOL = 'treadle-reports'

/** Cuts a line in two at its first space. */
export function halvesOf(line: string): readonly [first: string, rest: string] {
  const space = line.indexOf(' ')
  return space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)]
}

/** Makes lines of pieces of bytes; what has no end yet waits for more. */
export class LineCutter {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #open: string[] = []
  #chars = 0

  /** How much of a line is there that has no end yet. */
  get openChars(): number {
    return this.#chars
  }

  take(bytes: Uint8Array): string[] {
    const piece = this.#decoder.decode(bytes, { stream: true })
    const end = piece.lastIndexOf('\n')
    if (end < 0) {
      this.#keep(piece)
      return []
    }
    const whole = [...this.#open, piece.slice(0, end)].join('')
    this.#open = []
    this.#chars = 0
    this.#keep(piece.slice(end + 1))
    return whole.split('\n')
  }

  #keep(piece: string): void {
    if (piece === '') return
    this.#open.push(piece)
    this.#chars += piece.length
  }
}
