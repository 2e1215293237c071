// Columns: how wide a text is on a terminal, and how it is clipped or wrapped to a width. Colours and links have no width.
import stringWidth from 'string-width'

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours and links are control characters, and have no width.
const ESCAPES = /(\u001b\[[0-9;]*m|\u001b\]8;[^\u0007]*\u0007)/
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The width of a text; a wide character has two columns, a combining mark none. */
export function columnsOf(text: string): number {
  return stringWidth(text)
}

/** The columns of the terminal that standard output is; no limit where it is none. */
export function terminalColumns(stream: NodeJS.WriteStream = process.stdout): number {
  // A terminal that does not know its size says 0.
  return stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY
}

/** The beginning of a text, with an ellipsis for the rest. What is coloured or a link stays so. */
export function clipColumns(text: string, max: number): string {
  if (columnsOf(text) <= max) return text
  if (max <= 0) return ''
  let left = max - 1
  let isFull = false
  const kept = text.split(ESCAPES).map((part, nth) => {
    if (nth % 2 === 1) return part
    if (isFull) return ''
    const { head, columns } = headOf(part, left)
    left -= columns
    if (head === part) return part
    isFull = true
    return `${head.trimEnd()}…`
  })
  return kept.join('')
}

function headOf(text: string, max: number): { head: string; columns: number } {
  let [head, columns] = ['', 0]
  for (const { segment } of graphemes.segment(text)) {
    const wide = columnsOf(segment)
    if (columns + wide > max) break
    head += segment
    columns += wide
  }
  return { head, columns }
}

/** Fills up with spaces. */
export function padColumns(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)))
}

/** Lines that are at most so wide, broken between words; only a word that is wider than a line is broken itself. */
export function wrapColumns(text: string, max: number): string[] {
  if (!Number.isFinite(max)) return text.split('\n')
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(8, max)))
}

function wrapLine(line: string, max: number): string[] {
  if (columnsOf(line) <= max) return [line]
  const lines: string[] = []
  let at = ''
  for (const word of line.split(/(?<=\s)(?=\S)/)) {
    if (at !== '' && columnsOf(at + word.trimEnd()) > max) {
      lines.push(at.trimEnd())
      at = ''
    }
    at += word
    const shown = at.trimEnd()
    if (columnsOf(shown) <= max) continue
    const pieces = brokenWord(shown, max)
    lines.push(...pieces.slice(0, -1))
    at = (pieces.at(-1) ?? '') + at.slice(shown.length)
  }
  return [...lines, at.trimEnd()]
}

/** What a reader copies as a whole: a command of ours at the end of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
const COMMAND = /(?<=[:.] )((?:\u001b\[\d+m)*treadle [a-z].*)$/

/**
 * The text as it is printed: lines that are wider than the terminal go on below, indented as they began. What people
 * copy stays whole: a command at the end of a line, and a word that is wider than the terminal, such as a link.
 */
export function flowed(text: string, options: { hang?: number; columns?: number } = {}): string {
  const { hang = 0, columns = terminalColumns() } = options
  if (!Number.isFinite(columns)) return text
  return text
    .split('\n')
    .map((line) => (columnsOf(line) <= columns ? line : flowLine(line, hang, columns)))
    .join('\n')
}

function flowLine(line: string, hang: number, columns: number): string {
  const begins = /^ */.exec(line)?.[0] ?? ''
  const indent = begins + ' '.repeat(hang)
  const [words, command] = line.slice(begins.length).split(COMMAND)
  const parts = [...(words ?? '').trimEnd().split(' '), ...(command === undefined ? [] : [command])]
  const lines: string[] = []
  let at = begins
  for (const [nth, part] of parts.entries()) {
    const isFirst = nth === 0 || at === indent
    const longer = isFirst ? at + part : `${at} ${part}`
    if (isFirst || columnsOf(longer) <= columns) {
      at = longer
      continue
    }
    lines.push(at)
    at = indent + part
  }
  return [...lines, at].join('\n')
}

/** Pieces that are at most so wide; a character that is wider by itself is a piece of its own. Goes over the word once. */
function brokenWord(word: string, max: number): string[] {
  const pieces: string[] = []
  let [piece, columns] = ['', 0]
  for (const [nth, part] of word.split(ESCAPES).entries()) {
    const segments = nth % 2 === 1 ? [{ segment: part }] : graphemes.segment(part)
    for (const { segment } of segments) {
      const wide = columnsOf(segment)
      if (columns > 0 && columns + wide > max) {
        pieces.push(piece)
        piece = ''
        columns = 0
      }
      piece += segment
      columns += wide
    }
  }
  return [...pieces, piece]
}
