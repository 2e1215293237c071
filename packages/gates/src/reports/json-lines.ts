// Texts in which some lines are JSON objects of their own, among lines of other programs.

/** Each object with what it parsed to; other lines are handed over as they are. */
export function* readLines(text: string): Generator<{ value: object } | { said: string }> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const value = line.startsWith('{') ? parse(line) : null
    yield value === null ? { said: line } : { value }
  }
}

function parse(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
