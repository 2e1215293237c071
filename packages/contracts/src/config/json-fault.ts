// Where a text stops being JSON, for a person with an editor.

export interface JsonFault {
  readonly line: number
  readonly column: number
  /** What is wrong there, in the parser's words without its place. */
  readonly message: string
}

/** The first fault of a text that should be a JSON object; null if it is one. */
export function jsonFault(text: string): JsonFault | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return null
    return { line: 1, column: 1, message: 'it is not an object in braces' }
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    const end = text.trimEnd().length
    const at = Math.min(faultyPlace(text), end)
    const before = text.slice(0, at).split('\n')
    return {
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      message: at === end ? 'the text ends too early' : wordsOf(said),
    }
  }
}

/** The first character with which the text cannot become well-formed any more; its length if it only ends too early. */
function faultyPlace(text: string): number {
  let [sound, faulty] = [0, text.length + 1]
  while (faulty - sound > 1) {
    const middle = Math.floor((sound + faulty) / 2)
    if (isBeyondHelp(text.slice(0, middle))) faulty = middle
    else sound = middle
  }
  return faulty - 1
}

function isBeyondHelp(begin: string): boolean {
  try {
    JSON.parse(begin)
    return false
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    const position = / at position (\d+)/.exec(said)?.[1]
    const endsEarly = /^(?:Unexpected end|Unterminated)/.test(said) || Number(position ?? -1) >= begin.length
    return !endsEarly
  }
}

/** What follows the first words may be a piece of the file. */
function wordsOf(said: string): string {
  const words = said.split('\n', 1)[0] ?? ''
  return words
    .replace(/ in JSON.*/, '')
    .replace(/, (?:\.\.\.)?".*/, '')
    .slice(0, 200)
}
