// What somebody who sends a delivery back asks for, read out of their words.

const LISTED = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*\S)\s*$/
const CHANGE_MAX = 2_000
const CHANGES_MAX = 100

/** The single changes that somebody asks for in their own words: the entries of a list, or the whole text as one. */
export function changesIn(said: string): string[] {
  const listed = said.split('\n').flatMap((line) => LISTED.exec(line)?.[1] ?? [])
  const changes = listed.length > 0 ? listed : [oneLine(said)]
  return changes
    .filter((change) => change !== '')
    .slice(0, CHANGES_MAX)
    .map((change) => change.slice(0, CHANGE_MAX))
}

/** The same words, with each change that is asked for as an entry of a checklist. */
export function asChecklist(said: string): string {
  const entries = said.split('\n').map((line) => {
    const change = LISTED.exec(line)?.[1]
    return change === undefined ? line : `- [ ] ${change}`
  })
  return entries.join('\n').trim()
}

/** What is for people, or said in the checklist: whoever builds has no use for it. */
const FOR_PEOPLE = /^(?:## Review Feedback|\*\*(?:Status|Next Steps):\*\*)/
const CHANGES = '**Requested Changes:**'
const SKIPPED = /^- [^:]* was skipped: /

/** What the review found, without its form and without what is asked for anyway; empty: nothing more. */
export function findingsIn(feedback: string, asked: readonly string[]): string {
  const known = new Set(asked.map(oneLine))
  const isKnown = (line: string) => known.has(oneLine(LISTED.exec(line)?.[1] ?? line))
  const parts = feedback
    .trim()
    .split('\n\n')
    .filter((part) => !FOR_PEOPLE.test(part) && !(asked.length > 0 && part.startsWith(CHANGES)))
    .map((part) => part.split('\n'))
    .map((lines) => ({ lines, kept: lines.filter((line) => !SKIPPED.test(line) && !isKnown(line)) }))
  // A heading of which nothing is left says nothing.
  return parts
    .filter(({ lines, kept }) => kept.length > 1 || kept.length === lines.length)
    .map(({ kept }) => kept.join('\n'))
    .join('\n\n')
}

const oneLine = (text: string) => text.trim().replace(/\s+/g, ' ')
