// A terminal on which something is shown while somebody may type: the line at the bottom says how things stand.
import {
  clearLine,
  clearScreenDown,
  createInterface,
  cursorTo,
  type Interface,
  moveCursor,
} from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { clip, paint, tell } from '../output.ts'

const PROMPT = ' › '
/** Left for whoever types. */
const ROOM = 24

export class Screen {
  readonly #lines: Interface | null
  #status = ''

  /** Words are taken only where somebody sits: what is piped in is meant for somebody else. */
  constructor(isQuiet: boolean) {
    const there = !isQuiet && process.stdin.isTTY === true && process.stderr.isTTY === true
    this.#lines = there
      ? createInterface({ input: process.stdin, output: process.stderr, terminal: true, prompt: '' })
      : null
  }

  get isAlive(): boolean {
    return this.#lines !== null
  }

  onLine(hear: (text: string) => void): void {
    this.#lines?.on('line', (text) => {
      this.#takeBack(text)
      hear(text)
      this.#draw()
    })
  }

  onInterrupt(hear: () => void): void {
    this.#lines?.on('SIGINT', hear)
    process.on('SIGINT', hear).on('SIGTERM', hear)
  }

  /** Above the line at the bottom, which stays. */
  say(text: string): void {
    if (this.#lines !== null) this.#wipe()
    tell(text)
    this.#draw()
  }

  status(text: string): void {
    if (text === this.#status) return
    this.#status = text
    this.#draw()
  }

  close(): void {
    if (this.#lines !== null) this.#wipe()
    this.#lines?.close()
  }

  /** What was typed is told again by whoever has heard it. */
  #takeBack(text: string): void {
    const width = stripVTControlCharacters(this.#lines?.getPrompt() ?? '').length + text.length
    moveCursor(process.stderr, 0, -Math.max(1, Math.ceil(width / (process.stderr.columns ?? 80))))
    clearScreenDown(process.stderr)
  }

  #wipe(): void {
    cursorTo(process.stderr, 0)
    clearLine(process.stderr, 0)
  }

  /** What is half typed stays. */
  #draw(): void {
    if (this.#lines === null) return
    const columns = process.stderr.columns ?? 80
    this.#lines.setPrompt(
      paint('dim', clip(this.#status, Math.max(10, columns - ROOM))) + paint('cyan', PROMPT),
    )
    this.#lines.prompt(true)
  }
}
