// Markdown as a terminal shows it: headings bold, lists with bullets, code indented, and no marks left over.
import type { Token, Tokens } from 'marked'
import { paint } from '../output.ts'
import { columnsOf, flowed, padColumns, terminalColumns, wrapColumns } from './columns.ts'
import { plainText } from './plain-text.ts'

/** No line of prose is wider: longer ones are hard to read. */
const PROSE_MAX = 100

/** The text as it is to be printed: rendered for somebody who looks, as it was written for a program. */
export async function shownMarkdown(text: string): Promise<string> {
  return process.stdout.isTTY ? renderMarkdown(text, terminalColumns()) : text
}

export async function renderMarkdown(text: string, columns: number): Promise<string> {
  // Only who shows Markdown waits for its parser.
  const { lexer } = await import('marked')
  return blocks(lexer(plainText(text)), Math.min(columns, PROSE_MAX)).join('\n')
}

function blocks(tokens: readonly Token[], columns: number): string[] {
  const shown = tokens.filter(({ type }) => type !== 'space' && type !== 'def')
  return shown.flatMap((token, nth) => {
    const lines = block(token, columns)
    const isTight = token.type === 'text' || (nth === 0 && token.type !== 'space')
    return isTight ? lines : ['', ...lines]
  })
}

function block(token: Token, columns: number): string[] {
  switch (token.type) {
    case 'heading':
      return wrapColumns(paint('bold', inline(token.tokens ?? [])), columns)
    case 'code':
      return codeLines(token as Tokens.Code, columns)
    case 'blockquote':
      return blocks(token.tokens ?? [], columns - 2).map((line) => `${paint('dim', '│')} ${line}`)
    case 'list':
      return listLines(token as Tokens.List, columns)
    case 'table':
      return tableLines(token as Tokens.Table)
    case 'hr':
      return [paint('dim', '─'.repeat(Math.min(columns, 40)))]
    case 'html':
      return wrapColumns(token.raw.trimEnd(), columns)
    default:
      return wrapColumns(inline(inlineOf(token)), columns)
  }
}

function inlineOf(token: Token): readonly Token[] {
  return 'tokens' in token && token.tokens !== undefined ? token.tokens : [token]
}

function codeLines({ text, lang }: Tokens.Code, columns: number): string[] {
  const lines = text.split('\n')
  const shown = lang === 'diff' ? lines.map(diffLine) : lines.map((line) => paint('cyan', line))
  return shown.flatMap((line) => flowed(`    ${line}`, { columns }).split('\n'))
}

/** One line of a diff in its colour. */
export function diffLine(line: string): string {
  if (/^(\+\+\+|---|diff |index |new file|deleted file|similarity|rename )/.test(line))
    return paint('bold', line)
  if (line.startsWith('@@')) return paint('cyan', line)
  if (line.startsWith('+')) return paint('green', line)
  return line.startsWith('-') ? paint('red', line) : line
}

function listLines({ items, ordered, start }: Tokens.List, columns: number): string[] {
  return items.flatMap((item, nth) => {
    const number = ordered ? `${Number(start || 1) + nth}.` : '•'
    const box = item.checked ? '[x]' : '[ ]'
    const mark = item.task ? box : number
    const indent = ' '.repeat(columnsOf(mark) + 1)
    const tokens = item.tokens.filter(({ type }) => type !== 'checkbox')
    const [first = '', ...rest] = blocks(tokens, columns - indent.length)
    return [`${mark} ${first}`, ...rest.map((line) => (line === '' ? '' : indent + line))]
  })
}

function tableLines({ header, rows }: Tokens.Table): string[] {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => inline(tokens)))
  const widths = header.map((_, column) => Math.max(...cells.map((row) => columnsOf(row[column] ?? ''))))
  return cells.map((row, nth) =>
    row
      .map((cell, column) => padColumns(nth === 0 ? paint('bold', cell) : cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function inline(tokens: readonly Token[]): string {
  return tokens.map(inlineText).join('')
}

function inlineText(token: Token): string {
  switch (token.type) {
    case 'strong':
      return paint('bold', inline(token.tokens ?? []))
    case 'em':
      return paint('italic', inline(token.tokens ?? []))
    case 'del':
      return paint('strikethrough', inline(token.tokens ?? []))
    case 'codespan':
      return paint('cyan', token.text)
    case 'br':
      return '\n'
    case 'link': {
      const words = inline(token.tokens ?? [])
      return words === token.href ? words : `${words} ${paint('dim', `(${token.href})`)}`
    }
    case 'image':
      return token.text === '' ? token.href : token.text
    default:
      if ('tokens' in token && token.tokens !== undefined) return inline(token.tokens)
      return 'text' in token ? token.text : token.raw
  }
}
