// A talk about an idea in the terminal, line by line: what is typed is said, until the end of the input or /quit.
import { randomUUID } from 'node:crypto'
import { createInterface, type Interface } from 'node:readline'
import type { Client } from '@treadle/contracts/client'
import type { IdeaView } from '@treadle/contracts/idea'
import { callerName } from '../caller-name.ts'
import { paint, print, printJson, tell } from '../output.ts'
import { flowed } from '../terminal/columns.ts'
import { plainText } from '../terminal/plain-text.ts'
import { cardLines, headLines, phaseLine, questionLines, replyLines } from './idea-text.ts'
import type { LiveText } from './live-text.ts'
import { untilReply } from './until-reply.ts'

const QUIT = new Set(['/quit', '/exit', '/q'])

/** The idea as it was when the talk was left. */
export async function talk(
  client: Client,
  { result: begun, shown }: LiveText<IdeaView>,
  { json }: { json: boolean },
): Promise<void> {
  // Facts go to standard output: with --json the talk itself is for whoever watches.
  const show = json ? tell : print
  const input = createInterface({ input: process.stdin, output: process.stderr, prompt: '› ' })
  for (const line of screen(null, begun, shown)) show(line)
  const isOver = begun.phase === 'COMPLETE' || begun.status === 'archived'
  if (!isOver && process.stdin.isTTY) tell(paint('dim', 'Enter sends; /quit leaves, and nothing is lost.'))
  const view = isOver ? begun : await converse(client, begun, { input, show, isQuiet: json })
  input.close()
  if (json) return printJson(view)
  print(leaving(view))
}

interface Conversing {
  readonly input: Interface
  readonly show: (line: string) => void
  /** Standard output is for a program. */
  readonly isQuiet: boolean
}

async function converse(
  client: Client,
  begun: IdeaView,
  { input, show, isQuiet }: Conversing,
): Promise<IdeaView> {
  let view = begun
  let isOver = false
  // The input of a pipe may be over while its lines are still being said.
  input.once('close', () => {
    isOver = true
  })
  const prompt = () => {
    if (!isOver && process.stdin.isTTY) input.prompt()
  }
  prompt()
  for await (const line of input) {
    const text = line.trim()
    if (QUIT.has(text)) break
    const before = view
    if (text !== '') {
      const said = await say(client, view, { text, show, isQuiet })
      view = said.result
      if (view !== before) for (const each of screen(before, view, said.shown)) show(each)
    }
    if (view.phase === 'COMPLETE') break
    prompt()
  }
  return view
}

/** What cannot be said is told, and the talk goes on. */
async function say(
  client: Client,
  view: IdeaView,
  { text, show, isQuiet }: Pick<Conversing, 'show' | 'isQuiet'> & { text: string },
): Promise<LiveText<IdeaView>> {
  try {
    const body = { text, by: callerName(), messageId: randomUUID() }
    const said = await client.sayToIdea({ params: { id: view.slug }, body })
    return await untilReply(client, said, { isQuiet })
  } catch (error) {
    if (!(error instanceof Error && 'status' in error && error.status === 400)) throw error
    show(flowed(paint('yellow', plainText(error.message))))
    return { result: view, shown: '' }
  }
}

/** What is new since before: the reply unless it was seen being written, cards, the phase, and what is asked now. */
function screen(before: IdeaView | null, now: IdeaView, seen: string): string[] {
  const known = new Set(before === null ? [] : cardLines(before))
  return [
    ...(before === null ? headLines(now) : []),
    ...(before?.modeWhy !== now.modeWhy && now.modeWhy !== null
      ? [flowed(paint('dim', plainText(now.modeWhy)))]
      : []),
    ...replyLines(now, seen),
    ...cardLines(now).filter((line) => !known.has(line)),
    phaseLine(now),
    ...questionLines(now),
    ...(now.waiting
      ? [paint('yellow', 'There is no reply yet. Say something more, or come back to it later.')]
      : []),
  ]
}

function leaving({ slug, phase, folder }: IdeaView): string {
  return phase === 'COMPLETE'
    ? `\nThe brief is written: ${folder}/planning/brief.md\nRead it with: treadle idea brief ${slug}`
    : `\nNothing is lost. Go on with: treadle idea talk ${slug}`
}
