// How wide a text is on a terminal: wide letters take two places, combining marks none.
export function displayWidth(text: string): number {
  let width = 0
  for (const char of text) width += widthOf(char)
  return width
}

function widthOf(char: string): number {
  const code = char.codePointAt(0) ?? 0
  if (code >= 0x300 && code <= 0x36f) return 0
  const isWide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff)
  return isWide ? 2 : 1
}

export type Align = 'left' | 'right' | 'center'

export function pad(text: string, width: number, align: Align): string {
  const gap = Math.max(0, width - displayWidth(text))
  if (align === 'left') return text + ' '.repeat(gap)
  if (align === 'right') return ' '.repeat(gap) + text
  const before = Math.floor(gap / 2)
  return ' '.repeat(before) + text + ' '.repeat(gap - before)
}

// Cuts at the end so that the text and the mark together fit.
export function cut(text: string, width: number, mark = '…'): string {
  if (displayWidth(text) <= width) return text
  const room = width - displayWidth(mark)
  if (room < 0) return ''
  let kept = ''
  let used = 0
  for (const char of text) {
    used += widthOf(char)
    if (used > room) break
    kept += char
  }
  return kept + mark
}
