// A terminal on which something is shown while somebody may type: the line at the bottom says how things stand.
import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { clip, paint, tell } from '../output.ts'

const PROMPT = ' › '
/** Columns beside the status that are left for typing. */
const STATUS_MARGIN = 24

export class GoalScreen {
  #lines: Interface | null
  #status = ''
  #hear: (signal: 'SIGINT' | 'SIGTERM') => void = () => undefined

  /** Words are taken only where somebody sits: what is piped in is meant for somebody else. */
  constructor(isQuiet: boolean) {
    const there = !isQuiet && process.stdin.isTTY === true && process.stderr.isTTY === true
    this.#lines = there
      ? createInterface({ input: process.stdin, output: process.stderr, terminal: true, prompt: '' })
      : null
    // After an end of input nobody can type, and a line that is closed cannot be drawn.
    this.#lines?.on('close', () => {
      this.#lines = null
    })
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

  onInterrupt(hear: (signal: 'SIGINT' | 'SIGTERM') => void): void {
    this.#hear = hear
    this.#lines?.on('SIGINT', () => hear('SIGINT'))
    process.on('SIGINT', hear).on('SIGTERM', hear)
  }

  /** Prints above the line at the bottom, which stays. */
  say(text: string): void {
    if (this.#lines !== null) this.#wipe(this.#lines)
    tell(text)
    this.#show()
  }

  status(text: string): void {
    if (text === this.#status) return
    this.#status = text
    this.#draw()
  }

  close(): void {
    if (this.#lines !== null) this.#wipe(this.#lines)
    this.#lines?.close()
    process.off('SIGINT', this.#hear).off('SIGTERM', this.#hear)
  }

  /** Takes a typed line off the screen; it is told again by whoever has heard it. */
  #takeBack(text: string): void {
    const width = stripVTControlCharacters(this.#lines?.getPrompt() ?? '').length + text.length
    moveCursor(process.stderr, 0, -Math.max(1, Math.ceil(width / columnsNow())))
    clearScreenDown(process.stderr)
  }

  /** Clears all rows of the typed line, which may be longer than the terminal is wide. */
  #wipe(lines: Interface): void {
    moveCursor(process.stderr, 0, -lines.getCursorPos().rows)
    cursorTo(process.stderr, 0)
    clearScreenDown(process.stderr)
    // Node counts the rows only where it draws them all, not where a character is added; it begins anew.
    Object.assign(lines, { prevRows: 0 })
  }

  #draw(): void {
    if (this.#lines !== null) this.#wipe(this.#lines)
    this.#show()
  }

  /** Draws the status line; half a typed line stays. */
  #show(): void {
    const status = clip(this.#status, Math.max(10, columnsNow() - STATUS_MARGIN))
    this.#lines?.setPrompt(paint('dim', status) + paint('cyan', PROMPT))
    this.#lines?.prompt(true)
  }
}

/** A terminal that does not know its width says 0. */
function columnsNow(): number {
  return process.stderr.columns || 80
}
