// PostgreSQL keeps neither NUL nor halves of surrogate pairs; tools and engines print both.
const REPLACEMENT = '\uFFFD'

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', REPLACEMENT)
}

export function storableJson(value: unknown): string {
  const text = JSON.stringify(value)
  // JSON.stringify escapes exactly these, so the escapes are all there is to look for; most texts have none.
  if (!text.includes('\\u')) return text
  return text.replace(/\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g, (found) =>
    found === '\\\\' ? found : '\\ufffd',
  )
}
