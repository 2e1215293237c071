// Words of people to a run at work, and which folders it keeps to because of them.
const WORDS_MAX = 50
const CHARS_MAX = 4_000
// Words that confine the work are orders: that something fails only in a place is no order to look nowhere else.
const LEADS = [
  'please|no|yes|ok|okay|now|just|so|then|and|but|actually|instead|well',
  "(?:you|we) (?:should|can|may|must|could)|(?:could|can|would|will) you|let's",
  'make sure(?: that)?(?: you)?(?: to)?|i want you to|i would like you to',
]
const LEAD = `(?:(?:${LEADS.join('|')})[\\s,:]+)*`
const DOES =
  '(?:search|look|work|read|edit|change|touch|modify|write|fix|rename|refactor|update|grep|explore|go|stay|keep|do)'
const ONLY = String.raw`(?:only|solely|exclusively)(?!\s+(?:if|when|after|before|once|because|until|unless)\b)`
const INTO = '(?:in|inside|within|under|at|to)'
const NAME = String.raw`["'\`]?[\w.@+*/-]+["'\`]?`
const KIND = '(?:folders?|director(?:y|ies)|files?)'
const AND = String.raw`(?:\s*,\s*|\s+)(?:and\s+|or\s+)?`
const NAMES = String.raw`(?:the\s+)?${NAME}(?:${AND}(?:${INTO}\s+)?(?:the\s+)?${NAME})*`
const WHOLE_PATH = String.raw`(?=\S*\/)${NAME}`
const WORK = '(?:the|your|all) (?:search(?:es)?|work|changes?|edits?|plan|scope)'
const ORDERS = [
  String.raw`${ONLY}\s+(?:${DOES}|${INTO})\b`,
  // A place and nothing else, so that it is not said what that place does.
  String.raw`${ONLY}\s+(?:the\s+)?${WHOLE_PATH}(?:${AND}${WHOLE_PATH})*(?:\s+(?:${KIND}|please|now|again))*\s*$`,
  String.raw`${ONLY}\s+(?:the\s+)?${NAME}\s+${KIND}(?:\s+please)?\s*$`,
  String.raw`${DOES}\b.*\b${ONLY}\b`,
  String.raw`(?:confine|limit|restrict|narrow|keep|stick)(?: (?:yourself|it|this|that|everything|${WORK}))?(?: down)? (?:to|in|inside|within)\b`,
  String.raw`stay\s+(?:in|inside|within|under)\b`,
  String.raw`(?:search|look)\s+(?:in|inside|under|within)\b`,
].join('|')
const NARROWS = new RegExp(`^\\s*${LEAD}(?:${ORDERS})`, 'i')
const WIDE = String.raw`(?:everywhere|anywhere|(?:whole|entire|all of the) (?:repository|project|code\s?base|code|tree))\b`
const WIDENS = new RegExp(`^\\s*${LEAD}(?:${DOES}\\b.*\\b)?(?:in\\s+)?(?:the\\s+)?${WIDE}`, 'i')
const FORBIDS = /^(?:not|never|\w+n['’]t|except|avoid\w*|without|outside|ignor\w+|skip\w*)\b/i
const FORBIDDEN =
  /(?<![\w'’/.-])(?=(?:not|never|\w+n['’]t|except|avoid\w*|without|outside|ignor\w+|skip\w*)\b)/i
const BORDER = new RegExp(
  `(?:[,:]|\\s[-–—]|\\b(?:so|then|but|and)\\b)\\s+(?=${LEAD}(?:${ORDERS}|${DOES} (?:in the )?${WIDE}))`,
  'i',
)
const PATH =
  /(?:^|[\s"'`(])(?!(?:and|either)\/or\b)(\.{0,2}\/?[\w@+-][\w.@+-]*(?:\/[\w.@+*-]+)+\/?|\.?\/[\w.@+-]+\/?|[\w@+-][\w.@+-]*\/(?=[\s"'`),]|$))/g
const BARE = new RegExp(`\\b(?:${INTO}|${ONLY})\\s+(${NAMES})`, 'gi')

/** All that was said, each thing once, in the order in which it was said first; of very much the latest. */
export function allWords(...parts: readonly (readonly string[])[]): string[] {
  const words = parts
    .flat()
    .map((text) => text.trim().slice(0, CHARS_MAX))
    .filter((text) => text !== '')
  return [...new Set(words)].slice(-WORDS_MAX)
}

/**
 * The folders that the latest words about a place keep a plan to; null: nobody has said anything of the kind. A name
 * without a slash may be any word, and is a place only if there is one.
 */
export function scopeIn(guidance: readonly string[], isPlace: (name: string) => boolean): string[] | null {
  for (const text of [...guidance].reverse()) {
    const clauses = clausesOf(text)
    if (clauses.some((clause) => WIDENS.test(clause))) return []
    const scope = clauses.flatMap((clause) => (NARROWS.test(clause) ? placesIn(clause, isPlace) : []))
    if (scope.length > 0) return [...new Set(scope)].slice(0, WORDS_MAX)
  }
  return null
}

/** The parts of what was said that tell to do something; from a no on, only what begins anew. */
function clausesOf(text: string): string[] {
  const sentences = text.split(/[;\n]|[.!?](?=\s|$)/)
  return sentences
    .flatMap((sentence) => sentence.split(FORBIDDEN))
    .flatMap((part) =>
      FORBIDS.test(part) ? part.split(/[,:]|\b(?:and|but)\b/i).slice(1) : part.split(BORDER),
    )
}

function placesIn(clause: string, isPlace: (name: string) => boolean): string[] {
  const paths = [...clause.matchAll(PATH)].flatMap(([, path = '']) => placeOf(path) ?? [])
  const bare = [...clause.matchAll(BARE)]
    .flatMap(([, names = '']) => names.split(/[\s,"'`]+/))
    .filter((name) => /^[\w@+-][\w.@+-]*$/.test(name) && isPlace(name))
  return [...paths, ...bare]
}

/** A place relative to the worktree, or null if it leads out of it. The root is written `/` by many. */
export function placeOf(path: string): string | null {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.' && !/^\*+$/.test(part))
  return parts.length === 0 || parts.includes('..') ? null : parts.join('/')
}
