// A sentence as it is compared with another one: its words without endings, what it denies, and which way it goes.

const WORDS_MAX = 400

const EMPTY = new Set(
  `a an and are as at be been but by can do does for from get gets got had has have if in into is it its must of on
  or should so that the their them then there these they this those to use used using was we were when where which
  will with you your not never no cannot`.split(/\s+/),
)
const DENIAL =
  /\b(?:not|never|no|none|nor|neither|without|avoid|avoids|cannot|stop|instead|unless|forbid|forbidden)\b/giu
/** Words around which nothing changes places: what comes after them is not what comes before. */
const DIRECTED = new Set(['from', 'to', 'into', 'before', 'after', 'than', 'over', 'instead', 'without'])

export interface Sentence {
  readonly words: ReadonlySet<string>
  /** "before test": a word that gives a direction, and the next one that says something. */
  readonly directions: ReadonlySet<string>
}

/** The words that say something, as stems, and what the words of direction lead to. */
export function readSentence(text: string): Sentence {
  const [words, directions] = [new Set<string>(), new Set<string>()]
  let open: string[] = []
  for (const { word, joined } of tokensOf(text)) {
    if (!joined && DIRECTED.has(word)) open.push(word)
    if (!joined && EMPTY.has(word)) continue
    const stem = stemOf(word)
    words.add(stem)
    if (DIRECTED.has(word)) continue
    for (const direction of open) directions.add(`${direction} ${stem}`)
    open = []
  }
  return { words, directions }
}

/** A short word within a path or a name says something: lib/a is not lib/b. */
function tokensOf(text: string): { word: string; joined: boolean }[] {
  const plain = spelledOut(text.toLowerCase())
  return [...plain.matchAll(/[\p{L}\p{N}]+/gu)].slice(0, WORDS_MAX).map(({ 0: word, index }) => {
    const after = plain.slice(index + word.length, index + word.length + 2)
    const joined = /[/\\._-]/.test(plain[index - 1] ?? '') || /^[/\\._-][\p{L}\p{N}]/u.test(after)
    return { word, joined }
  })
}

function spelledOut(text: string): string {
  return text
    .replace(/\bcan['’]t\b/gu, 'cannot')
    .replace(/\bwon['’]t\b/gu, 'will not')
    .replace(/n['’]t\b/gu, ' not')
}

/** The stem of a word: each form of the word begins with it, so that it can be searched for. */
function stemOf(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word
  const stem = word.replace(/(?:ies|ied|ing|ed|es|s|e|y)$/, '')
  if (stem.length < 3) return word
  return stem.length > 3 ? stem.replace(/([bdfgmnprt])\1$/, '$1') : stem
}

/** How many words of a text deny something; to deny twice is to say it. */
export function denials(text: string): number {
  return spelledOut(text).match(DENIAL)?.length ?? 0
}

/** Whether two sentences go different ways: from a to b is not from b to a. */
export function areTurned(mine: ReadonlySet<string>, theirs: ReadonlySet<string>): boolean {
  const kindOf = (direction: string) => direction.split(' ', 1)[0]
  const apart = (here: ReadonlySet<string>, there: ReadonlySet<string>) =>
    new Set([...here].filter((direction) => !there.has(direction)).map(kindOf))
  return [...apart(mine, theirs)].some((kind) => apart(theirs, mine).has(kind))
}
