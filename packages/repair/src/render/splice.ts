// Text with pieces replaced, and where a place of the old text is in the new.

export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A text after its splices. Insertions at the edge of a range belong to what is around it. */
export class Spliced {
  readonly text: string
  readonly #source: string
  readonly #splices: readonly Splice[]
  /** Where each splice begins in the new text. */
  readonly #at: readonly number[]

  constructor(source: string, splices: readonly Splice[]) {
    this.#source = source
    this.#splices = [...splices].sort((a, b) => a.start - b.start || a.end - b.end)
    const at: number[] = []
    const out: string[] = []
    let length = 0
    let from = 0
    for (const splice of this.#splices) {
      out.push(source.slice(from, splice.start), splice.text)
      length += splice.start - from
      at.push(length)
      length += splice.text.length
      from = splice.end
    }
    out.push(source.slice(from))
    this.#at = at
    this.text = out.join('')
  }

  /** The place in the new text; what is inserted there comes before it if `after`. */
  map(offset: number, after: boolean): number {
    const splices = this.#splices
    let low = 0
    let high = splices.length
    while (low < high) {
      const middle = (low + high) >> 1
      const splice = splices[middle]
      if (splice !== undefined && isBefore(splice, offset, after)) low = middle + 1
      else high = middle
    }
    const last = splices[low - 1]
    if (last === undefined) return offset
    return (this.#at[low - 1] ?? 0) + last.text.length + Math.max(0, offset - last.end)
  }

  /** The new text of a range of the old one. */
  range(start: number, end: number): string {
    return this.text.slice(this.map(start, true), this.map(end, false))
  }

  /** The old place of a place in the new text; a place inside inserted text is that of the insertion. */
  unmap(offset: number): number {
    let low = 0
    let high = this.#at.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#at[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    const splice = this.#splices[low - 1]
    if (splice === undefined) return offset
    const into = offset - (this.#at[low - 1] ?? 0)
    return into < splice.text.length ? splice.start : splice.end + into - splice.text.length
  }

  get source(): string {
    return this.#source
  }
}

function isBefore(splice: Splice, offset: number, after: boolean): boolean {
  if (splice.start === splice.end) return after ? splice.start <= offset : splice.start < offset
  return splice.start < offset
}
