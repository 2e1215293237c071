// Begins a specification: by rules at once, and where an engine can read, by asking it for more of it.
import type { Specification } from '@treadle/contracts/specification'
import { isOpenThought } from '@treadle/contracts/thought'
import { writtenSchema } from '@treadle/contracts/written-specification'
import type { RevisionRequest, SpecWriting } from '../ports/spec-writings.ts'
import { decideMode } from '../work/mode.ts'
import { askThought, runWithdrawThought } from '../work/thought.run.ts'
import { outlineOf } from './design-spec.ts'
import { factsOf, generateFrom, readPast, type Work } from './generate.run.ts'
import type { GenerateRequest } from './generate-request.ts'
import { findPlace, loadContext, recallGotchas } from './load-context.run.ts'
import { samplesIn } from './spec-source.run.ts'
import type { SpecRefusal, SpecWorld } from './spec-world.ts'
import { writeSpecPrompt } from './writing-prompt.ts'

export interface WriteRequest extends Omit<GenerateRequest, 'writer' | 'settle'> {
  /** Null: what the settings say. */
  readonly engine: string | null
}

export type Begun =
  /** Waiting: a model is at work on the next revision. */
  { readonly is: 'begun'; readonly spec: Specification; readonly waiting: boolean } | SpecRefusal

export function runWrite(world: SpecWorld, request: WriteRequest): Promise<Begun> {
  return world.contexts.inTurn(request.ideaSlug, () => begin(world, request))
}

async function begin(world: SpecWorld, request: WriteRequest): Promise<Begun> {
  const { ideaSlug: slug, engine: asked } = request
  const place = await findPlace(world, slug, request.userSlug)
  const read = await loadContext(world, place)
  if (read.is !== 'read') return read
  const work: Work = { place, context: read.context, request }
  const { ideas, engines } = world.config()
  const { engine } = decideMode({ asked, setting: ideas.engine, usual: engines.default })
  const past = await readPast(world, place)
  if (past.is !== 'past') return past
  if (engine === null) return byRules(world, work)
  const first = past.kept === null ? await generateFrom(world, work) : null
  if (first !== null && first.is !== 'generated') return first.is === 'settled' ? byRules(world, work) : first
  return ask(world, work, engine)
}

/** What people asked a model for meanwhile is carried out with it. */
async function byRules(world: SpecWorld, work: Work): Promise<Begun> {
  const { slug } = work.place
  const open = await world.store.specWritings.find(slug)
  const requests = [...(open?.requests ?? []), ...(work.request.requests ?? [])]
  const made = await generateFrom(world, {
    ...work,
    request: { ...work.request, requests, settle: () => stopWriting(world, slug, 'rules') },
  })
  if (made.is === 'settled') throw new Error('nobody settles what is made by rules')
  return made.is === 'generated' ? { is: 'begun', spec: made.spec, waiting: false } : made
}

/** Nobody writes this specification any more; within a transaction. */
export async function stopWriting(world: SpecWorld, slug: string, by: string): Promise<true> {
  const open = await world.store.specWritings.lock(slug)
  if (open === null) return true
  await withdraw(world, open, by)
  await world.store.specWritings.remove(slug, open.thought)
  world.contexts.drop(slug)
  return true
}

async function ask(world: SpecWorld, work: Work, engine: string): Promise<Begun> {
  const { store, uuid, now, contexts, workspace } = world
  const { place, context, request } = work
  const { slug } = place
  const { system, prompt, kept } = await promptFor(world, work)
  contexts.keep(slug, context)
  await store.tx(async () => {
    const open = await store.specWritings.lock(slug)
    if (open !== null && (await isAsked(world, open, { prompt, engine }))) return
    if (open !== null) await withdraw(world, open, 'the next request')
    const id = uuid()
    const requests = [...(open?.requests ?? []), ...(request.requests ?? [])]
    await store.specWritings.put(
      {
        slug,
        workspace: workspace.id,
        thought: id,
        first: id,
        refused: 0,
        userSlug: place.userSlug,
        complexity: request.complexity ?? open?.complexity ?? null,
        requests,
        why: null,
      },
      now(),
    )
    await askThought(world, { id, ...ASKING, subject: slug, engine, system, prompt, schema: writtenSchema() })
  })
  return { is: 'begun', spec: kept, waiting: true }
}

export const ASKING = { kind: 'spec_write', use: 'spec' } as const

/** The same is asked already: whoever asks again hears the same answer. */
async function isAsked(
  { store }: SpecWorld,
  { thought: id, refused }: SpecWriting,
  { prompt, engine }: { readonly prompt: string; readonly engine: string },
): Promise<boolean> {
  const thought = refused > 0 ? null : await store.thoughts.find(id)
  return thought !== null && isOpenThought(thought) && thought.prompt === prompt && thought.engine === engine
}

async function withdraw(world: SpecWorld, { thought }: SpecWriting, by: string): Promise<void> {
  const nothing = { lockSubject: async () => undefined, endThought: async () => null }
  await runWithdrawThought({ ...world, ...nothing }, thought, by)
}

interface WritingPrompt {
  readonly system: string
  readonly prompt: string
  readonly kept: Specification
}

/** With the tasks as they stand now, edits of people included. */
async function promptFor(world: SpecWorld, work: Work): Promise<WritingPrompt> {
  const { context, place, request } = work
  const { kept, theirs } = await pastOf(world, work)
  const open = await world.store.specWritings.find(place.slug)
  const requests: RevisionRequest[] = [...(open?.requests ?? []), ...(request.requests ?? [])]
  const facts = factsOf(world, { ...work, request: { ...request, requests } }, kept)
  const outline = outlineOf(facts)
  const draft = theirs ?? kept.spec.tasks
  const gotchas = await recallGotchas(
    world,
    draft.map(({ file }) => file),
  )
  const written = writeSpecPrompt({
    facts: { ...facts, context: { ...context, gotchas } },
    outline,
    draft,
    isRevision: kept.spec.revision > 1,
    samples: await samplesIn(world, { outline, context }),
    budgetTokens: world.config().limits.promptTokens,
  })
  return { ...written, kept: kept.spec }
}

async function pastOf(world: SpecWorld, { place }: Work) {
  const past = await readPast(world, place)
  if (past.is !== 'past' || past.kept === null) throw new Error('a specification by rules was there')
  return { kept: past.kept, theirs: past.theirs }
}
