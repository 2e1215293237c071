// The title of an issue as it is compared with another one: what is to be done, and with what, in one word for each thing.
import { readSentence } from '@treadle/memory/sentence'

/** What a title wants; a title that only names a thing, or what is wrong with it, has none of its own. */
export type TitleAction = 'add' | 'fix' | 'show' | 'other'

export interface TitleWords {
  readonly action: TitleAction | null
  /** What must be in both titles. */
  readonly words: ReadonlySet<string>
  /** Of these, one of the titles may have some that the other has not. */
  readonly soft: ReadonlySet<string>
  readonly directions: ReadonlySet<string>
  /** The text in which denials are counted. */
  readonly plain: string
}

const CHARS_MAX = 400

/** Several words for one thing, or one word for several, as people write them in titles. In this order. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/^(?:\[[^\]]{1,30}\]\s*)+/, ''],
  [/^(?:feat|feature|chore|bug|rfc|enhancement|proposal|request|todo)(?:\([^)]{1,40}\))?!?:\s+/, ''],
  [/^fix(?:\(([^)]{1,40})\))?!?:\s+/, 'fix $1 '],
  [/^docs?(?:\(([^)]{1,40})\))?!?:\s+/, 'document $1 '],
  [/^perf(?:\(([^)]{1,40})\))?!?:\s+/, 'faster $1 '],
  [/^([\p{L}\p{N}][^:]{1,40}): (?=\S)(.*)$/u, '$2 $1'],
  [/\be-?mails?\b/g, 'email'],
  [/\blog(?:ging|ged|s)?[ -]?in\b|\bsign(?:ing|ed|s)?[ -]?in\b/g, 'login'],
  [/\blog(?:ging|ged|s)?[ -]?out\b|\bsign(?:ing|ed|s)?[ -]?out\b/g, 'logout'],
  [/\bsign(?:ing|ed|s)?[ -]?up\b/g, 'signup'],
  [/\b(?:two|2)[ -]factor auth(?:entication)?\b|\bmfa\b/g, '2fa'],
  [/\b(?:dark|night) (?:theme|mode)\b/g, 'darkmode'],
  [/\blight (?:theme|mode)\b/g, 'lightmode'],
  [/\brate[ -]limit(?:s|ing|ed|er)?\b/g, 'throttle'],
  [/\bcontinuous integration\b/g, 'ci'],
  [/\btype (?:hints?|annotations?)\b/g, 'typehints'],
  [/\bloading (?:indicator|spinner)\b/g, 'spinner'],
  [/\bgithub actions?\b/g, 'githubactions'],
  [/\bpull requests?\b/g, 'pr'],
  [/\bunit tests?\b/g, 'tests'],
  [/\btest suites?\b/g, 'tests'],
  [/\bauto[ -]?save(s|d)?\b/g, 'automatic save'],
  [/\bdead code\b/g, 'unused code'],
  [/\b(?:that|which) (?:are|is) (?:not used|no longer used|unused)\b/g, 'unused'],
  [/\bcode ?base\b|\bsource code\b/g, 'code'],
  [/\bbreak(?:ing)? up\b/g, 'split'],
  [/\bturn(?:ing)? on\b/g, 'enable'],
  [/\bturn(?:ing)? off\b/g, 'disable'],
  [/\bset(?:ting)? up\b/g, 'add'],
  [/\bget(?:ting)? rid of\b/g, 'remove'],
  [
    /\bspeed(?:ing|s)?[ -]up\b|\bimprove (?:the )?(?:performance|speed) of\b|\boptimi[sz]e (?:the )?performance of\b/g,
    'faster',
  ],
  [/^make (.{1,60}?) (?:run )?(?:faster|quicker)$/, 'faster $1'],
  [/^make (.{1,60}) (?:clearer|better|more helpful)$/, 'improve $1'],
  [/\b(?:add|introduce|implement|provide) (?:the )?support for\b/g, 'support'],
  [/\b(?:add|write|provide) (?:the )?(?:documentation|docs?) (?:for|of|on|about)\b/g, 'document'],
  [/^(?:explain|describe) (.{1,80}) in the (?:docs?|documentation)$/, 'document $1'],
  [/^write (?=tests\b|(?:a |the )?(?:docs?|documentation)\b)/, 'add '],
  [/\b(?:allow|let|enable) (?:the )?(?:users?|people|visitors)(?: to)?\b/g, 'allow'],
  [/\busers? (?:should be able to|can)\b/g, 'allow'],
  [/^(?:users? )?(?:cannot|can not|can['’]t|(?:are |is )?unable to)\b/, 'fix'],
  [/\b(?:does not|doesn['’]t|do not|don['’]t|is not|are not|not) work(?:ing)?\b/g, 'broken'],
  [/\b(?:is|are|was|were) not (?=\p{L}{2,20}ed\b)|\b(?:isn|aren)['’]t (?=\p{L}{2,20}ed\b)/gu, 'broken '],
  [/^(?:avoid|avoids|prevent|prevents)\b|^stop (?=\p{L}{2,20}ing\b)/u, 'fix '],
  [/^(?:missing|lack of|no)\b/, 'add'],
  [/\b(?:is|are) missing$/, 'add'],
  [/^(.{1,80}?) should (?!not\b|be\b)(\p{L}{2,20}) (.*)$/u, '$2 $1 $3'],
  [/^(?:replace|swap) (.{1,80}) (?:with|by|for) /, 'migrate from $1 to '],
  [/^(?:switch|move|port) from\b/, 'migrate from'],
  [/\bversions? (?=v?\d)/g, ''],
  [/\bv(?=\d)/g, ''],
  // What it is good for, where what is to be done stands before it.
  [
    /^(\S+ \S+ \S+.*?),? (?:in order to|so that|so as to|because|to (?:prevent|avoid|reduce|improve|ensure|help)) .*$/,
    '$1',
  ],
  [/(?<=\p{L}{3})ically\b/gu, 'ic'],
  [/(?<=\p{L}{3})ily\b/gu, 'y'],
  [/(?<=\p{L}{4})ly\b/gu, ''],
]

/** Words for one thing; the first stands for all. */
const SYNONYMS = `
  add introduce implement create provide support enable allow expose emit
  fix resolve repair correct handle
  show display render
  remove delete drop
  update upgrade bump
  improve enhance
  faster optimize optimise quicker
  reduce lower decrease shrink minimize minimise
  replace substitute
  document documentation docs doc
  config configuration configure configurable
  database db
  repository repo
  environment env
  directory folder dir
  parameter param
  application app
  accessibility a11y
  internationalization i18n internationalisation
  javascript js
  typescript ts
  kubernetes k8s
  postgresql postgres
  cache memoize memoise
  parse parser
  read reader
  write writer
  divide division
  usage consumption
  load loader
  log logger
  schedule scheduler
  compile compiler
  lint linter
  validate validator
  serialize serializer
  import importer
  export exporter
  upload uploader
  download downloader
  money monetary
  color colour
  license licence
  contribute contribution contributing
  secret credential
  broken fails failing bug issue problem breaks
  crash panic
  wrong incorrect
`

/** Words that say nothing about an issue. */
const FILLERS = `broken feature functionality ability capability option flag new existing current various several proper
  correct own separate using via around about by within inside should have need make too also when while during ends`
/** Words that add little where only one of two titles has some. */
const SOFT = `user app api endpoint route code file module component service class function method value output workflow
  pipeline coverage entry record command`

const stems = (text: string): string[] => [...readSentence(text).words].map(deepStem)
const CANON = new Map(
  SYNONYMS.trim()
    .split('\n')
    .flatMap((line) => {
      const [first = '', ...others] = stems(line)
      return others.map((other) => [other, first] as const)
    }),
)
const FILLER_STEMS = new Set(stems(FILLERS).map(canonical))
const SOFT_STEMS = new Set(stems(SOFT).map(canonical))
const ACTIONS = new Map<string, TitleAction>([
  ...stems('add').map((stem) => [stem, 'add'] as const),
  ...stems('fix').map((stem) => [stem, 'fix'] as const),
  ...stems('show').map((stem) => [stem, 'show'] as const),
  ...stems(
    'remove update improve faster reduce document refactor disable hide deprecate rename migrate split test revert',
  ).map((stem) => [stem, 'other'] as const),
])

export function titleWords(title: string): TitleWords {
  let plain = title.slice(0, CHARS_MAX).toLowerCase().replace(/\s+/g, ' ').trim()
  for (const [phrase, words] of PHRASES) plain = plain.replace(phrase, words).trim()
  const { words, directions } = readSentence(plain)
  const all = [...words].map((word) => canonical(deepStem(word)))
  const [first = ''] = all
  const said = ACTIONS.get(first) ?? null
  const action = said ?? (all.includes('broken') ? 'fix' : null)
  const own = (said === null || said === 'other' ? all : all.slice(1)).filter(
    (word) => !FILLER_STEMS.has(word),
  )
  return {
    action,
    words: new Set(own.filter((word) => !SOFT_STEMS.has(word))),
    soft: new Set(own.filter((word) => SOFT_STEMS.has(word))),
    directions: new Set([...directions].map(canonicalDirection)),
    plain,
  }
}

function canonicalDirection(direction: string): string {
  const [kind = '', word = ''] = direction.split(' ')
  return `${kind} ${canonical(deepStem(word))}`
}

function canonical(stem: string): string {
  return CANON.get(stem) ?? stem
}

/** Stems that differ by less than their words: what is done is named like the doing of it. */
function deepStem(stem: string): string {
  if (/^(?:production|format|version|session|\d)/.test(stem)) return stem
  return stem
    .replace(/(?<=\p{L}{4})ation$|(?<=\p{L}{4})at$|(?<=\p{L}{4})ion$/u, '')
    .replace(/(?<=\p{L}{4})at$|(?<=s)s$/u, '')
}
