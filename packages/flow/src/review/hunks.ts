// What a change touches of each file: read from the diff as git writes it.

export interface Hunk {
  /** Lines of the file as delivered, the first and the last. */
  readonly from: number
  readonly to: number
  /** What stood there before and does not any more. */
  readonly removed: readonly string[]
}

const FILE = /^\+\+\+ (?:b\/)?(.*)$/
const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** By path. A file that was taken away is in none. */
export function hunksIn(diff: string): Map<string, Hunk[]> {
  const found = new Map<string, Hunk[]>()
  let hunks: Hunk[] = []
  let open: OpenHunk | null = null
  for (const line of diff.split('\n')) {
    if (open?.takes(line)) continue
    open = null
    const [, path] = FILE.exec(line) ?? []
    if (path !== undefined) {
      hunks = found.get(path) ?? []
      if (path !== '/dev/null') found.set(path, hunks)
    }
    const [, old = '1', start, many = '1'] = HUNK.exec(line) ?? []
    if (start === undefined) continue
    open = new OpenHunk(Number(old), Number(many))
    const from = Number(start)
    hunks.push({ from, to: from + Math.max(1, Number(many)) - 1, removed: open.removed })
  }
  return found
}

/** The lines of a hunk are its own, whatever they look like. */
class OpenHunk {
  #old: number
  #new: number
  readonly removed: string[] = []

  constructor(old: number, added: number) {
    this.#old = old
    this.#new = added
  }

  takes(line: string): boolean {
    if (line.startsWith('\\')) return true
    if (this.#old <= 0 && this.#new <= 0) return false
    if (line.startsWith('-')) this.removed.push(line.slice(1))
    if (!line.startsWith('+')) this.#old -= 1
    if (!line.startsWith('-')) this.#new -= 1
    return true
  }
}
