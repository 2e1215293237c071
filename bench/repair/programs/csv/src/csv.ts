export type Table = { header: string[]; rows: Record<string, string>[] }

type State = { rows: string[][]; row: string[]; field: string; quoted: boolean }

export function parseCsv(text: string, separator = ','): string[][] {
  const state: State = { rows: [], row: [], field: '', quoted: false }
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (!state.quoted) take(state, char, separator)
    // A doubled quote stands for one and is two characters long.
    else if (takeQuoted(state, char, text.charAt(at + 1))) at += 1
  }
  if (state.quoted) throw new SyntaxError('a quoted field is not closed')
  if (state.field !== '' || state.row.length > 0) endRow(state)
  return state.rows
}

function take(state: State, char: string, separator: string): void {
  if (char === '"' && state.field === '') state.quoted = true
  else if (char === separator) endField(state)
  else if (char === '\n') endRow(state)
  else if (char !== '\r') state.field += char
}

function takeQuoted(state: State, char: string, next: string): boolean {
  const doubled = char === '"' && next === '"'
  if (char === '"' && !doubled) state.quoted = false
  else state.field += char
  return doubled
}

function endField(state: State): void {
  state.row.push(state.field)
  state.field = ''
}

function endRow(state: State): void {
  endField(state)
  const blank = state.row.length === 1 && state.row[0] === ''
  if (!blank) state.rows.push(state.row)
  state.row = []
}

export function toTable(text: string, separator = ','): Table {
  const [header = [], ...body] = parseCsv(text, separator)
  const names = header.map((name) => name.trim())
  const rows = body.map((fields, index) => {
    if (fields.length > names.length) throw new SyntaxError(`row ${index + 2} has too many fields`)
    return Object.fromEntries(names.map((name, column) => [name, fields[column] ?? '']))
  })
  return { header: names, rows }
}

export function writeCsv(rows: readonly (readonly string[])[], separator = ','): string {
  return rows.map((row) => row.map((field) => quote(field, separator)).join(separator)).join('\n')
}

function quote(field: string, separator: string): string {
  const special = field.includes(separator) || /["\n\r]/.test(field)
  return special ? `"${field.replaceAll('"', '""')}"` : field
}

export function sumColumn(table: Table, name: string): number {
  if (!table.header.includes(name)) throw new RangeError(`no column ${name}`)
  let sum = 0
  for (const row of table.rows) {
    const value = Number(row[name])
    if (!Number.isNaN(value)) sum += value
  }
  return sum
}
