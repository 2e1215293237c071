// Markdown as people write it, read line by line: headings of whatever level, bullets of whatever kind, what is nested.

export interface Bullet {
  readonly text: string
  readonly nested: readonly string[]
}

export interface Section {
  /** As it stands there, without marks. */
  readonly heading: string
  readonly level: number
  readonly bullets: readonly Bullet[]
  /** Text that is no bullet, line by line. */
  readonly prose: readonly string[]
}

interface Growing {
  heading: string
  level: number
  bullets: { text: string; nested: string[]; indent: number }[]
  prose: string[]
}

const BULLET = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/
const HEADING = /^ {0,3}(#{1,6})(?:\s+(\S.*))?$/
const LINES_MAX = 20_000

/** The first section is what stands above the first heading. */
export function readSections(text: string): Section[] {
  const sections: Growing[] = [fresh('', 0)]
  const lines = withoutFences(
    withoutComments(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')).split('\n'),
  )
  for (const [nth, line] of lines.entries()) {
    const heading = headingAt(lines, nth)
    const section = sections.at(-1)
    if (heading !== null) sections.push(heading)
    else if (section !== undefined && !/^\s*(?:={3,}|-{3,})\s*$/.test(line)) take(section, line)
  }
  return sections
}

/** Code in a document is no part of what it says. */
function withoutFences(lines: readonly string[]): string[] {
  let fence: string | null = null
  return lines.slice(0, LINES_MAX).filter((line) => {
    const mark = /^\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && (fence === null || (mark.startsWith(fence) && line.trim() === mark))) {
      fence = fence === null ? mark : null
      return false
    }
    return fence === null
  })
}

function withoutComments(text: string): string {
  let kept = ''
  let at = 0
  for (;;) {
    let start = text.indexOf('<!--', at)
    while (start > 0 && text[start - 1] === '\\') start = text.indexOf('<!--', start + 4)
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4)
    if (end < 0) return kept + text.slice(at)
    kept += text.slice(at, start)
    at = end + 3
  }
}

function fresh(heading: string, level: number): Growing {
  return { heading: plainText(heading), level, bullets: [], prose: [] }
}

function headingAt(lines: readonly string[], nth: number): Growing | null {
  const line = lines[nth] ?? ''
  const [, marks = '', words = ''] = HEADING.exec(line.trimEnd()) ?? []
  if (marks !== '') return fresh(withoutCloser(words), marks.length)
  const below = lines[nth + 1] ?? ''
  if (line.trim() === '' || BULLET.test(line)) return null
  if (/^={3,}\s*$/.test(below)) return fresh(line, 1)
  return /^-{3,}\s*$/.test(below) ? fresh(line, 2) : boldHeading(line)
}

/** `# Title ##` is closed by signs that are no part of it. */
export function withoutCloser(words: string): string {
  const text = words.trimEnd()
  let end = text.length
  while (end > 0 && text[end - 1] === '#') end -= 1
  return text.slice(0, end).trimEnd()
}

/** A line that is nothing but bold stands for a heading, as many write it. */
function boldHeading(line: string): Growing | null {
  const [, words] = /^\s*(?:\*\*|__)([^*_]{2,60}?):?(?:\*\*|__):?\s*$/.exec(line) ?? []
  return words === undefined ? null : fresh(words, 6)
}

function take(section: Growing, line: string): void {
  const [, indentation, text] = BULLET.exec(line) ?? []
  const last = section.bullets.at(-1)
  if (text !== undefined && indentation !== undefined) {
    const indent = indentation.replaceAll('\t', '    ').length
    if (last !== undefined && indent > last.indent + 1) last.nested.push(text.trim())
    else section.bullets.push({ text: text.trim(), nested: [], indent })
    return
  }
  const words = line.trim()
  if (words === '') return
  if (last !== undefined && /^\s{2,}/.test(line)) {
    if (last.nested.length > 0) last.nested[last.nested.length - 1] += ` ${words}`
    else last.text += ` ${words}`
    return
  }
  section.prose.push(words)
}

/** Without the marks of Markdown. */
export function plainText(text: string): string {
  return text
    .replace(/!?\[([^[\]]*)\]\([^)]{0,2000}\)/g, '$1')
    .replace(/(\*\*|__|~~|`)/g, '')
    .replace(/(^|\s)[*_](\S[^*_]*)[*_](?=\s|[.,:;]|$)/g, '$1$2')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A section as a name to compare with: small letters, without numbers, signs and what stands in brackets. */
export function headingName(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/\([^)]*\)/g, ' ')
    .replace(/[^\p{L}\s-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
