// The file in which a coding session says how it ended: Markdown, and a last line that is the signal.
import { Usage } from '@treadle/contracts/run'

export interface Response {
  /** The session's words for people, without our lines. */
  readonly text: string
  readonly signal: { readonly is: 'done' } | { readonly is: 'failed'; readonly why: string } | null
  readonly used: readonly Usage[]
}

const SIGNAL = /^Treadle:\s*(done|failed)\b[:\s]*(.*)$/i
const USED = /^Treadle-usage:\s*(\{.*\})$/i

export function readResponse(written: string): Response {
  const lines = written.split('\n')
  const used = lines.flatMap((line) => usageIn(USED.exec(line.trim())?.[1]))
  const last = lines.findLast((line) => line.trim() !== '')?.trim() ?? ''
  const [, word, why = ''] = SIGNAL.exec(last) ?? []
  const text = lines.filter((line) => !SIGNAL.test(line.trim()) && !USED.test(line.trim())).join('\n')
  if (word === undefined) return { text: text.trim(), signal: null, used }
  const done = word.toLowerCase() === 'done'
  return { text: text.trim(), signal: done ? { is: 'done' } : { is: 'failed', why }, used }
}

function usageIn(json: string | undefined): Usage[] {
  if (json === undefined) return []
  try {
    const read = Usage.safeParse(JSON.parse(json))
    return read.success ? [read.data] : []
  } catch {
    // A line that is still being written is no usage yet.
    return []
  }
}
