// An assertion whose expectation is bent, so that it must fail.
export interface Bent {
  readonly line: number
  /** The test that it stands in; null where its name is only known when it runs, or where it stands in none. */
  readonly test: string | null
  /** Tells assertions of one test from those of another. */
  readonly group: string
  readonly start: number
  readonly end: number
  /** What stands from start to end in place of what stood there. */
  readonly text: string
  /** As it is written, for messages. */
  readonly code: string
  /** It is reached only on some machines. */
  readonly isOfMachine: boolean
}

/** A text with some of its assertions bent, none of which lies within another. */
export function bend(text: string, bents: readonly Bent[]): string {
  const ordered = bents.toSorted((a, b) => b.start - a.start)
  return ordered.reduce(
    (left, { start, end, text: put }) => left.slice(0, start) + put + left.slice(end),
    text,
  )
}
