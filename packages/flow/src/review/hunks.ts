// What a change touches of each file: read from the diff as git writes it.

export interface Hunk {
  /** Lines of the file as delivered, the first and the last. */
  readonly from: number
  readonly to: number
  /** What stood there before and does not any more. */
  readonly removed: readonly string[]
}

const FILE = /^\+\+\+ (.*)$/
const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** By path. A file that was taken away is in none. */
export function hunksIn(diff: string): Map<string, Hunk[]> {
  const found = new Map<string, Hunk[]>()
  let hunks: Hunk[] = []
  let open: OpenHunk | null = null
  for (const line of diff.split('\n')) {
    if (open?.takes(line)) continue
    open = null
    const [, name] = FILE.exec(line) ?? []
    if (name !== undefined) {
      const path = pathOf(name)
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

const ESCAPED = /\\(?:([0-7]{3})|(.))/g
const LETTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** Git quotes a name that would break its line, and ends one with a space in it with a tab. */
function pathOf(name: string): string {
  const quoted = /^"(.*)"\t?$/.exec(name)?.[1]
  const plain = quoted?.replace(ESCAPED, (_, octal?: string, letter = '') =>
    octal === undefined ? (LETTERS[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
  )
  return (plain ?? name.replace(/\t$/, '')).replace(/^b\//, '')
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
