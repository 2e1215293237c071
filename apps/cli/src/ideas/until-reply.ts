// Waiting for the reply of a model, for so long and no longer.
import type { Client } from '@treadle/contracts/client'
import type { IdeaView } from '@treadle/contracts/idea'
import { withProgress } from '../output.ts'

const REPLY_MS_MAX = 120_000
/** Below the patience of the client. */
const HELD_MS_MAX = 20_000

/** The idea with its reply; one that is still waiting if none came in time. */
export async function untilReply(client: Client, view: IdeaView): Promise<IdeaView> {
  return view.waiting ? withProgress('Thinking', waitFor(client, view)) : view
}

async function waitFor(client: Client, view: IdeaView): Promise<IdeaView> {
  const until = performance.now() + REPLY_MS_MAX
  let now = view
  while (now.waiting) {
    const left = Math.floor(until - performance.now())
    if (left <= 0) break
    now = await client.showIdea({ params: { id: view.slug }, query: { waitMs: Math.min(left, HELD_MS_MAX) } })
  }
  return now
}
