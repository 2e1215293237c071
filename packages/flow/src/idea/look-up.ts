// Whether a message asks about something that the web knows, and in which words it is looked up.

const ASKS =
  /\b(?:markets?|competit(?:or|ors|ion|ive|ors')|rivals?|alternatives?|similar (?:apps?|tools?|products?)|validat(?:e|es|ed|ion)|exists? already|already exists?)\b/i
const TITLE_MAX = 120
const QUERY_MAX = 380

/** Null: nothing is looked up. */
export function queryFor(text: string, title: string): string | null {
  if (!ASKS.test(text.slice(0, 20_000))) return null
  const plain = (words: string) => words.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  const about = plain(title).slice(0, TITLE_MAX)
  return `${about}: ${plain(text)}`.slice(0, QUERY_MAX).toWellFormed()
}
