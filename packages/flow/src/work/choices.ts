// Several options that were chosen at once, out of the words in which somebody named them.

const SEPARATOR = /^\s*(?:[,;\n+&]|and\b)\s*/i

/** The labels in the order in which they were named, by their words or their numbers; null: it is something else. */
export function choicesIn(labels: readonly string[], text: string): string[] | null {
  const chosen: string[] = []
  let rest = text.trim()
  while (rest !== '') {
    const next = choiceAt(labels, rest)
    if (next === null) return null
    chosen.push(next.label)
    rest = next.rest
  }
  return chosen.length === 0 ? null : [...new Set(chosen)]
}

/** The longest label first: one may begin with another. */
function choiceAt(labels: readonly string[], text: string): { label: string; rest: string } | null {
  const byLength = [...labels].sort((one, other) => other.length - one.length)
  for (const label of byLength) {
    const rest = after(text, label.length)
    if (text.slice(0, label.length).toLowerCase() === label.toLowerCase() && rest !== null)
      return { label, rest }
  }
  const number = /^\d{1,2}(?!\d)/.exec(text)?.[0]
  const label = number === undefined ? undefined : labels[Number(number) - 1]
  const rest = number === undefined ? null : after(text, number.length)
  return label === undefined || rest === null ? null : { label, rest }
}

/** What follows a choice, without what separates it from the next; null: the choice does not end there. */
function after(text: string, length: number): string | null {
  const rest = text.slice(length)
  if (rest.trim() === '') return ''
  const separator = SEPARATOR.exec(rest)?.[0]
  if (separator !== undefined) return rest.slice(separator.length)
  // "1 3"
  return /^\s+\d{1,2}\b/.test(rest) ? rest.trimStart() : null
}
