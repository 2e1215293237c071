// What an idea is about, in the words of its sentence: a name for documents, and the same for paths and code.

export interface Subject {
  /** Small letters with spaces, such as "shopping list"; never empty. */
  readonly name: string
  readonly slug: string
  /** Fit to be a part of a name in code. */
  readonly pascal: string
}

const BEGINNING =
  /^(?:(?:i|we|you)\s+(?:want|need|would like)(?:\s+to\s+(?:build|make|write|have))?|(?:build|make|write|create)(?:\s+(?:me|us))?|let us (?:build|make))\s+/
const ARTICLE = /^(?:an?|the|my|our|your|some)\s+/
/** What follows says what it does, and not what it is. */
const CLAUSE = /[.,;:!?()\n]|\s(?:that|which|who|whose|where|when|for|to|with|without|in|on|of|by|from|so)\s/
/** How it is, which is not what it is. */
const QUALITY =
  /^(?:\w+-(?:first|only|based|friendly|like|powered|driven|ready)|new|small|tiny|little|simple|smart|better|fast|quick|easy|modern|good|great|nice|free|shared|personal|private|local|collaborative)$/
const WORDS_MAX = 3

export function subjectOf(text: string): Subject {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/['’]/g, '')
    .toLowerCase()
    .replace(/[ \t]+/g, ' ')
    .trim()
  const said = plain.replace(BEGINNING, '').replace(ARTICLE, '')
  const [before = ''] = said.split(CLAUSE, 1)
  const words = before.split(/[^a-z0-9-]+/).filter((word) => /[a-z0-9]/.test(word))
  const telling = words.filter((word) => !QUALITY.test(word))
  const parts = (telling.length > 0 ? telling : words)
    .flatMap((word) => word.split('-'))
    .filter((part) => part !== '')
    .slice(-WORDS_MAX)
    .map((part) => part.slice(0, PART_MAX))
  const chosen = parts.length > 0 ? parts : ['idea']
  const pascal = chosen.map(capital).join('')
  return { name: chosen.join(' '), slug: chosen.join('-'), pascal }
}

const PART_MAX = 16

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
