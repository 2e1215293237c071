// Packages that a technical approach says are there already. Only what is said beyond doubt counts: a name in quotation
// marks, beside the word package, dependency or library, and called existing, in a sentence that brings in nothing.

const SENTENCE_CHARS_MAX = 1_000
const SENTENCES_MAX = 2_000

/** `lodash`, `@scope/name`, `lodash/fp`, `left-pad@1.3.0`; with whatever stands around it. */
const QUOTED = /[`"“]([^\s`"“”]{1,120})[`"”]/g
const PACKAGE =
  /^(@[\w.-]{1,60}\/[\w.-]{1,100}|[A-Za-z][\w.-]{0,100})(?:\/[\w./-]{0,100})?(?:@[\w.^~*-]{1,40})?$/
const FILE =
  /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|py|rb|go|rs|java|kt|php|md|css|html?|sh|sql|txt|lock|cfg|ini)$/i

const NOUN =
  '(?:(?:npm|node|python|pypi|pip|third[ -]party|external|dev|runtime)\\s)?(?:package|dependency|devdependency|library)'
const EXISTING =
  '(?:existing|already(?:\\s(?:installed|present|used|available|declared))?|our|current|installed)'
/** What stands before a name, up to it: "the existing library `x`", "our dependency on `x`". */
const BEFORE = new RegExp(`\\b${EXISTING}\\s${NOUN}(?:\\s(?:on|called|named))?[\\s:,(]{0,3}$`, 'i')
/** What stands before a name whose noun follows it: "uses the existing `x` library". */
const CALLED = new RegExp(`\\b${EXISTING}\\s$`, 'i')
const FOLLOWED = new RegExp(`^\\s${NOUN}\\b`, 'i')
/** "`x`, which is already a dependency", "`x` (already installed as a library)". */
const AFTER = new RegExp(
  `^,?\\s\\(?(?:(?:which|that)\\s)?(?:is\\s)?already\\s(?:(?:installed|present|declared|used|listed)\\s)?(?:as\\s)?(?:an?\\s|our\\s|the\\s)?${NOUN}\\b`,
  'i',
)
/** A sentence with one of these may bring the package in, take it out, deny it, or only weigh it. */
const DOUBT =
  /\b(?:add|adds|adding|added|install|installs|installing|introduce|introduces|introducing|new|adopt|adopts|adopting|bring|brings|bringing|pull|pulls|include|includes|including|migrat\w{1,6}|switch\w{0,4}|replac\w{1,6}|remov\w{1,6}|drop\w{0,4}|without|not|no|never|instead|if|unless|either|or|such as|like|e\.g|for example|could|may|might|should there be|consider\w{0,3}|fork\w{0,3}|publish\w{0,3}|create\w{0,2}|vendor\w{0,3})\b|n['’]t\b/i

/** The first package that is said to be there and that no manifest has; null: there is none. */
export function unknownDependency(approach: string, packages: readonly string[]): string | null {
  const known = packages.map(loose)
  for (const sentence of sentencesIn(approach))
    for (const name of namedAsExisting(sentence)) if (!isKnown(name, known)) return name
  return null
}

function sentencesIn(text: string): string[] {
  return text
    .split(/(?<=[.!?;])\s+|\n/, SENTENCES_MAX)
    .map((sentence) => sentence.slice(0, SENTENCE_CHARS_MAX).replace(/\s+/g, ' '))
    .filter((sentence) => !DOUBT.test(sentence.replace(QUOTED, '``')))
}

function namedAsExisting(sentence: string): string[] {
  return [...sentence.matchAll(QUOTED)].flatMap(({ 0: quoted, 1: inner = '', index }) => {
    const [, name] = PACKAGE.exec(inner) ?? []
    const before = sentence.slice(Math.max(0, index - 80), index)
    const after = sentence.slice(index + quoted.length, index + quoted.length + 80)
    const isSaid = BEFORE.test(before) || (CALLED.test(before) && FOLLOWED.test(after)) || AFTER.test(after)
    return name === undefined || FILE.test(inner) || !isSaid ? [] : [name]
  })
}

/** Names of distributions that are imported by another name, and what comes with the language. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  bs4: 'beautifulsoup',
  cv2: 'opencv',
  pil: 'pillow',
  sklearn: 'scikitlearn',
  skimage: 'scikitimage',
}
const STANDARD = new Set(
  `assert asyncio buffer child_process cluster collections console contextlib copy crypto csv ctypes dataclasses datetime
  decimal dns email enum events fs functools glob hashlib html http http2 https inspect io ipaddress itertools json
  logging math multiprocessing net node os path pathlib perf_hooks pickle platform process python queue random re
  readline sched secrets shutil signal socket sqlite3 ssl stat statistics stream string struct subprocess sys tempfile
  test textwrap threading time timers tkinter tls traceback types typing unittest url urllib util uuid v8 vm warnings
  weakref worker_threads xml zipfile zlib zoneinfo`.split(/\s+/),
)

/** A name is known if a manifest has it, alone or as a part: `jest` where `ts-jest` is, `Next.js` where `next` is. */
function isKnown(name: string, known: readonly string[]): boolean {
  if (STANDARD.has(name.toLowerCase())) return true
  const wanted = OTHER_NAMES[name.toLowerCase()] ?? loose(name)
  const bare = wanted.replace(/js$/, '')
  return known.some((each) => each.includes(wanted) || (bare.length > 2 && each.includes(bare)))
}

/** As names are written apart and together: letters and digits alone. */
function loose(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '')
}
