// One thing that a change did to the tests, or to what decides which of them run.
export interface Finding {
  readonly file: string
  readonly line: number | null
  readonly what: string
  /** False: worth a look by whoever reviews the change. */
  readonly blocks: boolean
}

const shownMax = 160

/** Code in a message: one line, bounded. */
export function shown(code: string): string {
  const line = code.replace(/\s+/g, ' ').trim()
  return line.length > shownMax ? `${line.slice(0, shownMax)}…` : line
}
