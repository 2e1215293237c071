// Letters that look like others: what a reader takes for one name may be two.
import type { Finding } from '../integrity/finding.ts'
import { parseSource } from '../integrity/source.ts'
import { isScript } from './head-files.ts'

/** Letters of other alphabets, each before the Latin one that it looks like. */
const pairs =
  'аaеeоoсcрpхxуyіiјjѕsԁdԛqԝwһhӏlѵvАAВBЕEКKМMНHОOРPСCТTХXУYІIЈJЅSԌGԚQԜWҮYαaοoνvρpιiυuγyκkτtωwΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXıiɑaɡgɩiʋvԍgոnսuօoհhցgᴏoᴄcᴠvᴡwᴢz'
const latin = new Map(Array.from({ length: pairs.length / 2 }, (_, at) => [pairs[at * 2], pairs[at * 2 + 1]]))
/** Characters that take no room: joiners, marks of direction, selectors, soft hyphens. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu

/** A text as it looks: two texts of one look are easily taken for each other. */
export function lookOf(text: string): string {
  const plain = text.replace(unseen, '').normalize('NFKC')
  return [...plain].map((letter) => latin.get(letter) ?? letter).join('')
}

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

interface Texts {
  readonly path: string
  readonly before: string | null
  readonly after: string
}

/** Names in code, and paths that are imported, that look like plain ones and are not. */
export function findLookAlikes({ path, before, after }: Texts): Finding[] {
  if (isAscii(after.replace(/\s/g, ''))) return []
  const code = codeOf(path, after)
  const words = new Set(namesIn(code).map(([name]) => name))
  const known = before ?? ''
  const findings: Finding[] = []
  const told = new Set<string>()
  for (const [name, at] of [...namesIn(code), ...importedIn(after)]) {
    if (isAscii(name) || told.has(name) || known.includes(name)) continue
    const look = lookOf(name)
    if (!isAscii(look) || !(isMixed(name) || words.has(look))) continue
    told.add(name)
    const line = after.slice(0, at).split('\n').length
    const letters = [...name].filter((letter) => !isAscii(letter)).map(codePoint)
    findings.push({
      file: path,
      line: null,
      what: `line ${line}: a name looks like ${look} and is another, by ${[...new Set(letters)].join(', ')}`,
      blocks: true,
    })
  }
  return findings
}

function codePoint(letter: string): string {
  return `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Plain letters and others that look like them, or that nobody sees, in one word; Greek is common in formulas. */
function isMixed(name: string): boolean {
  return /[A-Za-z]/.test(name) && /[^\x20-\x7e\u0370-\u03ff]/.test(name)
}

/** The text without comments and strings; offsets stay. */
function codeOf(path: string, text: string): string {
  const blank = (found: string): string => found.replace(/[^\n]/g, ' ')
  if (!isScript(path))
    return text.replace(/("""|''')[\s\S]*?\1|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*/g, blank)
  const plain = parseSource(path, text)?.text ?? text
  return plain.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`/g, blank)
}

function namesIn(code: string): [name: string, at: number][] {
  return [...code.matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$\u200b-\u200d\u2060]*/gu)].map((found) => [
    found[0],
    found.index,
  ])
}

function importedIn(text: string): [name: string, at: number][] {
  const found = text.matchAll(/(?:\bfrom|\bimport|\brequire|\bmock)\s*\(?\s*(['"`])([^'"`\n]+)\1/g)
  return [...found].map((each) => [each[2] ?? '', each.index])
}
