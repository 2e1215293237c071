// The beginning and the end of a text that may be long.
const HALF = 3_950

/** Takes any amount of text and holds only its two ends. */
export class TextWindow {
  #head = ''
  #tail = ''
  #left = 0

  add(text: string): void {
    const room = HALF - this.#head.length
    this.#head += text.slice(0, room)
    const rest = this.#tail + text.slice(Math.max(room, 0))
    this.#tail = rest.slice(-HALF)
    this.#left += rest.length - this.#tail.length
  }

  toString(): string {
    if (this.#left === 0) return this.#head + this.#tail
    return `${this.#head}\n… ${this.#left} characters left out …\n${this.#tail}`
  }
}

export function bounded(text: string): string {
  const window = new TextWindow()
  window.add(text)
  return window.toString()
}
