// Notices an engine whose tools do not work here: it can change nothing, whatever it says of it.
import type { EngineEvent } from '../ports/engine.ts'

const CHARS_MAX = 1_000

export class ToolFault {
  #hasWorked = false
  #last: string | null = null

  hear(event: EngineEvent): void {
    if (event.is !== 'observed' || event.observation.denied === true) return
    const { tool, success, output } = event.observation
    this.#hasWorked ||= success
    this.#last = `${tool}: ${output.trim()}`
  }

  /** What the last one said, where none has worked; null: one has, or none was used. */
  words(): string | null {
    return this.#hasWorked || this.#last === null ? null : this.#last.slice(0, CHARS_MAX)
  }
}
