// The JSON objects that stand in a text, also between words and fences.
const OBJECTS_MAX = 300
const TEXT_MAX = 400_000
/** An answer full of brackets that nobody closes is given up on after so many letters. */
const STEPS_MAX = 4_000_000

/** Outermost ones only: what is inside another belongs to that one. */
export function jsonObjectsIn(written: string): Record<string, unknown>[] {
  const text = written.slice(0, TEXT_MAX)
  const found: Record<string, unknown>[] = []
  let from = text.indexOf('{')
  for (let steps = 0, looked = 0; from >= 0 && looked < OBJECTS_MAX && steps < STEPS_MAX; looked += 1) {
    const end = endOfObject(text, from)
    steps += (end ?? text.length) - from
    const object = end === null ? null : parsed(text.slice(from, end))
    if (object !== null) found.push(object)
    from = text.indexOf('{', object === null || end === null ? from + 1 : end)
  }
  return found
}

/** Just after the bracket that closes the one at `from`; null if none does. */
function endOfObject(text: string, from: number): number | null {
  let depth = 0
  let quoted = false
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at]
    if (quoted && letter === '\\') at += 1
    else if (letter === '"') quoted = !quoted
    else if (!quoted && letter === '{') depth += 1
    else if (!quoted && letter === '}') depth -= 1
    if (depth === 0) return at + 1
  }
  return null
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    // Something else in curly brackets, a piece of code say.
    return null
  }
}
