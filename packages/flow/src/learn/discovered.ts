// What an engine says it has found out: on a line of its own, so that any engine can say it and no token is needed.
import { NewLesson } from '@treadle/contracts/lesson'
import type { Run } from '@treadle/contracts/run'

/** For the prompt, in one line: an engine that repeats it has found out nothing. */
export const HOW_TO_TELL = [
  'If you find out something that whoever works here next should know, say it in your answer on a line of its own:',
  '`Discovered gotcha [files]: what goes wrong and how to avoid it` or `Discovered pattern [files]: how it is done here`.',
  'The files, such as [*.sql] or [src/db/**], may be left out.',
].join(' ')

/** Four spaces make it code. */
const LINE =
  /^(?: {0,3}[*-])?[ ]{0,3}(?:\*\*)?`?discovered (gotcha|pattern)\b[ \t]*(?:\[([^[\]\n]{1,200})\])?[ \t]*:[ \t]*(\S.*)$/iu
const FENCE = /^[ \t>*-]*(`{3,}|~{3,})(.*)$/
const WORDS_MIN = 3
const PER_ATTEMPT_MAX = 5
const CONTENT_MAX = 1_000

interface Discovery {
  readonly line: string
  readonly type: 'gotcha' | 'pattern'
  readonly glob: string | null
  readonly content: string
}

function discoveriesIn(text: string): Discovery[] {
  const told = ownLines(text).flatMap((line) => {
    const found = LINE.exec(line)
    return found === null ? [] : [found]
  })
  return told.slice(0, PER_ATTEMPT_MAX).flatMap(([line, type, files, said = '']) => {
    const content = said.replace(/`$/, '').trim().slice(0, CONTENT_MAX).toWellFormed()
    const glob = files?.trim() || null
    if (content.split(/\s+/).length < WORDS_MIN) return []
    return [{ line, type: type?.toLowerCase() === 'pattern' ? 'pattern' : 'gotcha', glob, content }]
  })
}

/** What stands in a fence is what a file or a command says, not the engine. */
function ownLines(text: string): string[] {
  const own: string[] = []
  let open: string | null = null
  for (const line of text.split(/\r?\n/)) {
    const [, mark = '', rest = ''] = FENCE.exec(line) ?? []
    if (open !== null) {
      if (mark.startsWith(open) && rest.trim() === '') open = null
    } else if (mark === '' || (mark.startsWith('`') && rest.includes('`'))) own.push(line)
    else open = mark
  }
  return own
}

/** Cut to so many characters; what was found out is kept, wherever it was said. */
export function withDiscoveries(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const lost = discoveriesIn(text).filter(({ line }) => !text.slice(0, charsMax / 2).includes(line))
  const kept = lost.map(({ line }) => line.trim().slice(0, CONTENT_MAX)).join('\n')
  // In front, since the cut may leave a fence open.
  const head = kept === '' ? '' : `${kept.slice(0, charsMax / 2 - 1)}\n`
  return `${head}${text.slice(0, charsMax - head.length)}`.toWellFormed()
}

/** As lessons; what is known already is told from what is new where they are recorded. */
export function discoveredIn(
  { id, item, history }: Pick<Run, 'id' | 'item' | 'history'>,
  commit: string | null,
): NewLesson[] {
  const seenAt = `${item.projectNumber}/${item.number}`
  return history.flatMap(({ iteration, fixes }) =>
    fixes.flatMap(({ said, engine }) =>
      discoveriesIn(said).map(({ type, glob, content }) =>
        NewLesson.parse({
          type,
          glob,
          content,
          unconfirmed: true,
          discoveredBy: engine,
          provenance: { runId: id, attempt: iteration + 1, commit },
          seenAt,
        }),
      ),
    ),
  )
}
