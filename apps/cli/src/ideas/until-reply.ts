// Waiting for the reply of a model, for so long and no longer; on a terminal one sees it being written.
import type { Client } from '@treadle/contracts/client'
import type { IdeaView } from '@treadle/contracts/idea'
import { timeOfDay } from '@treadle/contracts/words/time'
import { paint, tell } from '../output.ts'
import { WAIT_S } from '../program.ts'
import { flowed, terminalColumns } from '../terminal/columns.ts'
import { plainText } from '../terminal/plain-text.ts'
import { type LiveText, withLiveText } from './live-text.ts'

/** Below the patience of the client. */
const HELD_MS_MAX = 20_000

/** The idea with its reply; one that is still waiting if none came in time. Nothing is shown to programs. */
export async function untilReply(
  client: Client,
  view: IdeaView,
  { isQuiet, wait = WAIT_S }: { readonly isQuiet: boolean; readonly wait?: number },
): Promise<LiveText<IdeaView>> {
  if (!view.waiting) return { result: view, shown: '' }
  if (!isQuiet)
    for (const line of waitingLines(view))
      tell(flowed(paint('yellow', line), { columns: terminalColumns(process.stderr) }))
  const reply = waitFor(client, view, wait * 1_000)
  return isQuiet ? { result: await reply, shown: '' } : withLiveText(client, view.slug, reply)
}

/** What it waits for is said before anybody waits. */
function waitingLines({ waitingFor }: IdeaView): string[] {
  if (waitingFor === null) return []
  const { words, hint, until } = waitingFor
  const then = until === null ? [] : [`If that stays so, it goes on as an interview at ${timeOfDay(until)}.`]
  // A line for each command, so that none of them is broken.
  return [plainText(words), ...hint.split(/\. (?=[A-Z])/), ...then]
}

async function waitFor(client: Client, view: IdeaView, ms: number): Promise<IdeaView> {
  const until = performance.now() + ms
  let now = view
  while (now.waiting) {
    const left = Math.floor(until - performance.now())
    if (left <= 0) break
    now = await client.showIdea({ params: { id: view.slug }, query: { waitMs: Math.min(left, HELD_MS_MAX) } })
  }
  return now
}
