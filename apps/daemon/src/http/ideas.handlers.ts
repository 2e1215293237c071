import { randomUUID } from 'node:crypto'
import type { IdeaView } from '@treadle/contracts/idea'
import type { ideaRoutes } from '@treadle/contracts/routes/ideas'
import { isOpenThought } from '@treadle/contracts/thought'
import { folderOf } from '@treadle/flow/idea/documents'
import { missingIn } from '@treadle/flow/idea/missing'
import { runSay, runStart } from '@treadle/flow/idea/talk.run'
import { documentStates, runBrief, runWrite } from '@treadle/flow/idea/write.run'
import type { KeptIdea } from '@treadle/flow/ports/ideas'
import { ideaWorld } from '../jobs/ideas.ts'
import { waitingFor } from '../jobs/unattended.ts'
import type { World } from '../world.ts'
import { knownEngine } from './engine-name.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

/** How often whoever waits for a reply is looked after though nobody has called. */
const LOOK_MS = 1_000

export const ideaHandlers = {
  async listIdeas(world, { query }) {
    const kept = await world.store.ideas.list(query)
    const items: IdeaView[] = []
    for (const each of kept) items.push(await viewOf(world, each))
    return { items }
  },

  async startIdea(world, { body }) {
    const { text, by, messageId = randomUUID() } = body
    const engine = knownEngine(body.engine, 'asks for an interview')
    return show(world, await runStart(ideaWorld(world), { text, by, messageId, engine }))
  },

  async showIdea(world, { params, query, hungUp }) {
    const gone = hungUp()
    const until = performance.now() + query.waitMs
    for (;;) {
      const called = world.repliesList.ticket()
      const view = await show(world, params.id)
      const leftMs = until - performance.now()
      if (!view.waiting || leftMs <= 0 || world.stopping.aborted || gone.aborted) return view
      // Another daemon on the same database may have taken the reply in.
      await called(Math.min(leftMs, LOOK_MS), gone)
    }
  },

  async sayToIdea(world, { params, body }) {
    const { text, by, messageId = randomUUID() } = body
    const engine = knownEngine(body.engine, 'asks for an interview')
    const said = await runSay(ideaWorld(world), { slug: params.id, text, by, messageId, engine })
    if (said.is === 'missing') throw missing(params.id)
    if (said.is === 'archived')
      throw new ProblemError(409, {
        code: 'refused',
        message: `The idea ${params.id} is archived; nothing was added.`,
        hint: 'treadle idea list shows the others.',
      })
    return show(world, params.id)
  },

  async ideaMessages(world, { params, query }) {
    await find(world, params.id)
    return { items: await world.store.ideas.messages(params.id, { limit: query.limit }) }
  },

  async ideaBrief(world, { params }) {
    const brief = await runBrief(ideaWorld(world), await find(world, params.id))
    switch (brief.is) {
      case 'read':
        return { path: brief.path, text: brief.text }
      case 'none':
        throw new ProblemError(404, {
          code: 'not_found',
          message: `${params.id} has no brief yet.`,
          hint: `It comes with the last answer: treadle idea show ${params.id}`,
        })
      case 'unreadable':
        throw new ProblemError(409, {
          code: 'refused',
          message: `${brief.path} cannot be read: ${brief.why}.`,
          hint: 'Mend the file, or move it away: then it is written again.',
        })
    }
  },
} satisfies HandlersOf<typeof ideaRoutes>

/** The idea as it is now, its documents written if they were not yet. */
async function show(world: World, slug: string): Promise<IdeaView> {
  await find(world, slug)
  await runWrite(ideaWorld(world), slug)
  return viewOf(world, await find(world, slug))
}

async function find(world: World, slug: string): Promise<KeptIdea> {
  const kept = await world.store.ideas.find(slug)
  if (kept === null) throw missing(slug)
  return kept
}

async function viewOf(world: World, seen: KeptIdea): Promise<IdeaView> {
  const { store, config } = world
  const { slug } = seen.idea
  const [thought] = await store.thoughts.list({ subject: slug, kind: 'idea_reply', limit: 1 })
  // Read after the thought: who sees that it is over sees what it has brought, too.
  const { idea } = (await store.ideas.find(slug)) ?? seen
  const { userSlug, title, phase, status, mode, engine, modeWhy, questions, signals } = idea
  const waiting = mode === 'engine' && thought !== undefined && isOpenThought(thought)
  const [last] = await store.ideas.messages(slug, { limit: 1, role: 'assistant' })
  return {
    slug,
    userSlug,
    title,
    phase,
    status,
    mode,
    engine,
    modeWhy,
    reply: last?.content ?? null,
    waiting,
    waitingFor: waiting && thought !== undefined ? await waitingFor(world, thought) : null,
    questions,
    ...signals,
    missing: missingIn(phase, signals),
    folder: idea.candidateAt === null ? null : folderOf(idea, config().ideas.dir),
    documents: await documentStates(world, idea),
    messageCount: await store.ideas.messageCount(slug),
    createdAt: idea.createdAt,
    updatedAt: idea.updatedAt,
  }
}

function missing(slug: string): ProblemError {
  return new ProblemError(404, {
    code: 'not_found',
    message: `There is no idea ${slug}.`,
    hint: 'treadle idea list shows what there is.',
  })
}
