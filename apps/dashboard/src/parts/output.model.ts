// Long outputs: the end that is shown first, and the rest in pieces that a page can carry.

export const LINES_SHOWN = 200
const CHARS_SHOWN = 30_000
const CHUNK_LINES = 500
const CHUNK_CHARS = 50_000

export interface End {
  readonly shown: string
  /** Lines before the shown part. */
  readonly hiddenLines: number
  /** True if the shown part begins in the middle of a line. */
  readonly cut: boolean
}

/** The first part of a text that is read from its beginning. */
export function startOf(text: string): {
  readonly shown: string
  readonly hiddenLines: number
  readonly cut: boolean
} {
  const lines = linesOf(text)
  const first = lines.slice(0, LINES_SHOWN).join('\n')
  const shown = first.slice(0, CHARS_SHOWN)
  const cut = shown.length < first.length
  return { shown, hiddenLines: Math.max(0, lines.length - LINES_SHOWN), cut }
}

/** The last part of an output: its reader wants to know how it ended. */
export function endOf(text: string): End {
  const lines = linesOf(text)
  const last = lines.slice(-LINES_SHOWN).join('\n')
  const shown = last.slice(-CHARS_SHOWN)
  const cut = shown.length < last.length
  const kept = cut ? shown.split('\n').length : Math.min(lines.length, LINES_SHOWN)
  return { shown, hiddenLines: lines.length - kept, cut }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Pieces that are drawn one by one as the reader comes to them. */
export function chunksOf(text: string): string[] {
  const lines = linesOf(text)
  const chunks: string[] = []
  for (let at = 0; at < lines.length; at += CHUNK_LINES) {
    const chunk = lines.slice(at, at + CHUNK_LINES).join('\n')
    for (let from = 0; from === 0 || from < chunk.length; from += CHUNK_CHARS)
      chunks.push(chunk.slice(from, from + CHUNK_CHARS))
  }
  return chunks
}
