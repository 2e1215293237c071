// The whole way of one idea over the API of a running daemon: a talk, a specification, a build, its delivery and the
// execution of the receipt. What is said here is what a person would say; everything else is the product's.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BuildView } from '@treadle/contracts/build'
import type { Client } from '@treadle/contracts/client'
import type { IdeaView } from '@treadle/contracts/idea'
import type { SpecificationView } from '@treadle/contracts/specification'
import { untilReply } from '../ideas/until-reply.ts'
import { untilWritten } from '../until-written.ts'
import { UserError } from '../user-error.ts'

export const DEMO_PERSON = 'demo'
const ENGINE = 'scripted'
const REPLY_S = 60
const POLL_MS = 300

export interface IdeaPlay {
  readonly client: Client
  readonly signal: AbortSignal
  readonly tell: (line: string) => void
}

/** The talk to its end: a brief. */
export async function talkOver(
  { client, signal, tell }: IdeaPlay,
  text: string,
  says: readonly string[],
): Promise<IdeaView> {
  const wait = { isQuiet: true, wait: REPLY_S }
  let { result: idea } = await untilReply(
    client,
    await client.startIdea({ body: { text, by: DEMO_PERSON, engine: ENGINE } }),
    wait,
  )
  tell(`  you: ${text}`)
  for (const said of says) {
    signal.throwIfAborted()
    tell(`  model: ${lastOf(idea)}`)
    tell(`  you: ${said}`)
    const body = { text: said, by: DEMO_PERSON }
    idea = (await untilReply(client, await client.sayToIdea({ params: { id: idea.slug }, body }), wait))
      .result
  }
  tell(`  model: ${lastOf(idea)}`)
  if (idea.phase === 'COMPLETE' && idea.mode === 'engine') return idea
  throw new UserError(
    `The talk did not come to a brief: it is in ${idea.phase}${idea.waiting ? ', waiting for a reply' : ''}.`,
    `Look at it: treadle idea show ${idea.slug}`,
  )
}

function lastOf({ reply }: IdeaView): string {
  return (reply ?? '').replace(/\s+/g, ' ').trim()
}

/** Written by the engine, and read by whoever approves it. */
export async function specify({ client, signal }: IdeaPlay, slug: string): Promise<SpecificationView> {
  signal.throwIfAborted()
  const body = { ideaSlug: slug, by: DEMO_PERSON, engine: ENGINE }
  const spec = await untilWritten(client, await client.generateSpecification({ body }), { wait: REPLY_S })
  if (spec.writtenBy === ENGINE && !spec.waiting && spec.validation.ok) return spec
  throw new UserError(
    `The specification was not written: ${[...spec.validation.problems, ...spec.validation.missing].slice(0, 3).join('; ')}`,
    `Look at it: treadle spec show ${slug}`,
  )
}

/** Until the whole is merged, or cannot go on by itself, or nobody waits any longer. */
export async function untilDelivered({ client, signal }: IdeaPlay, slug: string): Promise<BuildView | null> {
  let seen: BuildView | null = null
  while (!signal.aborted) {
    const { items } = await client.listBuilds()
    if (items.some(({ spec }) => spec === slug)) {
      seen = await client.showBuild({ params: { id: slug } })
      if (isOver(seen)) return seen
    }
    await sleep(POLL_MS)
  }
  return seen
}

function isOver({ status, tasks, delivery, hint }: BuildView): boolean {
  if (status === 'completed' || status === 'failed' || status === 'stopped') return true
  // Somebody would have to look: at a task, or at the delivery.
  return delivery !== null && hint !== null && tasks.every((task) => task.status !== 'in_progress')
}
