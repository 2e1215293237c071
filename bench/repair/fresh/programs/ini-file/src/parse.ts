import { IniDocument } from './document.ts'

export class IniError extends Error {
  readonly line: number

  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`)
    this.line = line
  }
}

type Line = { text: string; number: number }

const escapes: Record<string, string> = { n: '\n', t: '\t', '"': '"', '\\': '\\' }

export function parseIni(text: string): IniDocument {
  const document = new IniDocument()
  let section = ''
  for (const { text: line, number } of joinLines(text)) {
    if (line === '' || line.startsWith(';') || line.startsWith('#')) continue
    if (line.startsWith('[')) {
      section = readHeader(line, number)
      document.addSection(section)
      continue
    }
    const equals = line.indexOf('=')
    if (equals < 0) throw new IniError(number, 'a key needs a value')
    const key = line.slice(0, equals).trim()
    if (key === '') throw new IniError(number, 'a value needs a key')
    document.set(section, key, readValue(line.slice(equals + 1).trim(), number))
  }
  return document
}

// A line that ends in a backslash goes on in the next one; it keeps the number of its first line.
function joinLines(text: string): Line[] {
  const lines: Line[] = []
  let open: Line | undefined
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line: Line = open ?? { text: '', number: index + 1 }
    const goesOn = raw.endsWith('\\')
    line.text += goesOn ? `${raw.slice(0, -1).trim()} ` : raw.trim()
    open = goesOn ? line : undefined
    if (!goesOn) lines.push(line)
  }
  if (open) throw new IniError(open.number, 'the last line goes on')
  return lines
}

function readHeader(line: string, number: number): string {
  if (!line.endsWith(']')) throw new IniError(number, 'a header ends with ]')
  const name = line.slice(1, -1).trim()
  if (name === '') throw new IniError(number, 'a section needs a name')
  return name
}

function readValue(text: string, number: number): string {
  return text.startsWith('"') ? readQuoted(text, number) : stripComment(text)
}

function stripComment(text: string): string {
  if (text.startsWith(';')) return ''
  const at = text.search(/\s;/)
  return at < 0 ? text : text.slice(0, at).trimEnd()
}

function readQuoted(text: string, number: number): string {
  let value = ''
  for (let at = 1; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '"') {
      const rest = text.slice(at + 1).trim()
      if (rest !== '' && !rest.startsWith(';')) throw new IniError(number, 'text after the closing quote')
      return value
    }
    if (char !== '\\') {
      value += char
      continue
    }
    at += 1
    const escaped = escapes[text.charAt(at)]
    if (escaped === undefined) throw new IniError(number, `unknown escape \\${text.charAt(at)}`)
    value += escaped
  }
  throw new IniError(number, 'no closing quote')
}
