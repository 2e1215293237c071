// A talk about an idea in the terminal, line by line: what is typed is said, until the end of the input or /quit.
import { randomUUID } from 'node:crypto'
import { createInterface, type Interface } from 'node:readline'
import type { Client } from '@treadle/contracts/client'
import type { IdeaView } from '@treadle/contracts/idea'
import { callerName } from '../caller-name.ts'
import { paint, print, printJson, tell } from '../output.ts'
import { cardLines, phaseLine, questionLines } from './idea-text.ts'
import { untilReply } from './until-reply.ts'

const QUIT = new Set(['/quit', '/exit', '/q'])

/** The idea as it was when the talk was left. */
export async function talk(client: Client, begun: IdeaView, { json }: { json: boolean }): Promise<void> {
  // Facts go to standard output: with --json the talk itself is for whoever watches.
  const show = json ? tell : print
  const input = createInterface({ input: process.stdin, output: process.stderr, prompt: '› ' })
  for (const line of screen(null, begun)) show(line)
  const view = begun.questions.length > 0 ? await converse(client, begun, { input, show }) : begun
  input.close()
  if (json) return printJson(view)
  print(leaving(view))
}

interface Conversing {
  readonly input: Interface
  readonly show: (line: string) => void
}

async function converse(client: Client, begun: IdeaView, { input, show }: Conversing): Promise<IdeaView> {
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
    if (text !== '') view = await say(client, view, { text, show })
    if (view !== before) for (const each of screen(before, view)) show(each)
    if (view.phase === 'COMPLETE') break
    prompt()
  }
  return view
}

/** What cannot be said is told, and the talk goes on. */
async function say(
  client: Client,
  view: IdeaView,
  { text, show }: { text: string; show: (line: string) => void },
): Promise<IdeaView> {
  try {
    const body = { text, by: callerName(), messageId: randomUUID() }
    const said = await client.sayToIdea({ params: { id: view.slug }, body })
    return await untilReply(client, said)
  } catch (error) {
    if (!(error instanceof Error && 'status' in error && error.status === 400)) throw error
    show(paint('yellow', error.message))
    return view
  }
}

/** What is new since before: cards, the phase, and what is asked now. */
function screen(before: IdeaView | null, now: IdeaView): string[] {
  const known = new Set(before === null ? [] : cardLines(before))
  return [
    ...(before === null ? [`${paint('bold', now.title)}  ${paint('dim', now.slug)}`] : []),
    ...(before === null && now.modeWhy !== null ? [paint('dim', now.modeWhy)] : []),
    ...cardLines(now).filter((line) => !known.has(line)),
    ...(now.mode === 'engine' && now.reply !== null ? [now.reply] : []),
    phaseLine(now),
    ...questionLines(now),
  ]
}

function leaving({ slug, phase, folder }: IdeaView): string {
  return phase === 'COMPLETE'
    ? `\nThe brief is written: ${folder}/planning/brief.md\nRead it with: treadle idea brief ${slug}`
    : `\nNothing is lost. Go on with: treadle idea talk ${slug}`
}
