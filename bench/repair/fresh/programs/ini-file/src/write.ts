import type { IniDocument } from './document.ts'

const special: Record<string, string> = { '\n': '\\n', '\t': '\\t', '"': '\\"', '\\': '\\\\' }

export function writeIni(document: IniDocument): string {
  const blocks: string[] = []
  const bare = document.entries('')
  if (bare.length > 0) blocks.push(bare.map(writeEntry).join('\n'))
  for (const name of document.sectionNames()) {
    blocks.push([`[${name}]`, ...document.entries(name).map(writeEntry)].join('\n'))
  }
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`
}

function writeEntry([key, value]: [string, string]): string {
  return `${key} = ${needsQuotes(value) ? quote(value) : value}`
}

function needsQuotes(value: string): boolean {
  return value !== value.trim() || /["\\;\n\t]/.test(value)
}

function quote(value: string): string {
  return `"${value.replace(/[\n\t"\\]/g, (char) => special[char] ?? char)}"`
}
