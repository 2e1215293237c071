// Answers of people as parts of a Markdown document: nothing that they contain may change what is around them.

const SUMMARY_MAX = 200
const NAME_MAX = 60
const SHORT_WORDS = 8
const NAME_WORDS = 2

/** The first line, for lists and cards. */
export function summaryOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > SUMMARY_MAX ? `${whole(line.slice(0, SUMMARY_MAX - 1)).trimEnd()}…` : line
}

/** Without the half of a letter at which a text was cut. */
export function whole(cut: string): string {
  return cut.replace(/[\ud800-\udbff]$/, '').toWellFormed()
}

/** A title as one line of Markdown. */
export function inertLine(text: string): string {
  return escaped(text.replace(/\s+/g, ' ').trim())
}

/** The text with headings, rules, comments and open fences taken out of force; all else stays as it was written. */
export function inert(text: string): string {
  const lines: string[] = []
  let fence: string | null = null
  for (const line of text.trim().split('\n')) {
    const mark = /^\s*(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1] ?? null
    if (fence === null) lines.push(mark === null ? escaped(line.trimEnd()) : line.trimEnd())
    else lines.push(line.trimEnd())
    if (mark === null) continue
    if (fence === null) fence = mark
    else if (mark.startsWith(fence) && line.trim() === mark) fence = null
  }
  return [...lines, ...(fence === null ? [] : [fence])].join('\n')
}

function escaped(line: string): string {
  return line
    .replace(/^(\s*)(#{1,6}(?:\s|$))/, '$1\\$2')
    .replace(/^(\s*)(=+|-+|\*{3,}|_{3,})(\s*)$/, '$1\\$2$3')
    .replaceAll('<!--', '\\<!--')
}

/** One bullet; further lines belong to it. */
export function bullet(text: string): string {
  const [first = '', ...rest] = inert(unmarked(text.trim())).split('\n')
  const others = rest.map((line) => (line.trim() === '' ? '' : `  ${line}`))
  return [`- ${first}`, ...others].join('\n').trimEnd()
}

const MARK = /^(?:[-*+•]|\d{1,3}[.)])\s+/
/** Nothing, or a mark that nothing follows. */
const NO_WORDS = /^(?:[-*+•]|\d{1,3}[.)])?$/
const HEAD = /^(?:(?:the\s+)?(?:mvp\s+)?(?:features?|scope)|done when|acceptance criteria|criteria)\s*:\s*/i

/** The parts of an answer that lists things: its lines, or what stands between semicolons, numbers or short commas. */
export function listed(text: string, { commas }: { readonly commas: boolean }): string[] {
  const lines = text
    .trim()
    .replace(HEAD, '')
    .split('\n')
    .map((line) => line.trimEnd())
  const said = lines.filter((line) => !NO_WORDS.test(line.trim()))
  const own = said.length > 0 ? said : lines.filter((line) => line.trim() !== '')
  if (own.length > 1) return asItems(own)
  return splitLine((own[0] ?? '').trim(), commas)
    .map(unmarked)
    .filter((part) => part !== '')
}

/** Lines that are indented below another one belong to it; where some have a mark, those without go on from the one before. */
function asItems(lines: readonly string[]): string[] {
  const isMarked = lines.some((line) => MARK.test(line))
  const items: string[] = []
  for (const line of lines) {
    const begins = isMarked ? MARK.test(line) : !/^\s/.test(line)
    const last = items.length - 1
    if (begins || last < 0) items.push(unmarked(line.trim()))
    else items[last] = `${items[last] ?? ''}\n${line.trim()}`
  }
  return items
}

function splitLine(given: string, commas: boolean): string[] {
  const line = given.replace(/\s+/g, ' ')
  if (line.includes(';')) return parts(line.split(';'))
  const numbered = line.split(/(?:^|\s)\d{1,2}[.)]\s+/)
  if (numbered.length > 2) return parts(numbered)
  const sentences = line.split(/(?<=[.!?])\s+(?=\p{Lu})/u)
  if (sentences.length > 1) return parts(sentences)
  if (!commas || line.includes(':')) return [line]
  const between = line.split(/,\s+(?:and\s+)?|\s+and\s+(?=[^,]*$)/)
  if (between.length > 2 && areShort(between, SHORT_WORDS)) return parts(between)
  // Two may be one thing and more of it ("a list, sorted by name"), unless each is a name.
  const two = line.split(/,\s+/)
  return two.length === 2 && areShort(two, NAME_WORDS) ? parts(two) : [line]
}

function areShort(given: readonly string[], most: number): boolean {
  return given.every((part) => part.split(/\s+/).length <= most)
}

function parts(given: readonly string[]): string[] {
  return given.map((part) => part.trim().replace(/[.,;]+$/, '')).filter((part) => part !== '')
}

function unmarked(line: string): string {
  return line.replace(MARK, '')
}

/** A feature as a bullet, its name in bold where it has one. */
export function featureBullet(text: string): string {
  const [first = '', ...rest] = text.split('\n')
  const found = /^\**([^:*\n]{1,60}?)\**\s*(?::\**\s+|\s[-–—]\s)(\S.*)$/.exec(first)
  const name = found?.[1]?.trim() ?? ''
  const isName = name !== '' && name.length <= NAME_MAX && name.split(/\s+/).length <= SHORT_WORDS
  const line = isName ? `**${name}**: ${found?.[2] ?? ''}` : first
  return bullet([line, ...rest].join('\n'))
}
