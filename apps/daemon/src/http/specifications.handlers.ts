import type { specificationRoutes } from '@treadle/contracts/routes/specifications'
import type { Specification, SpecificationView } from '@treadle/contracts/specification'
import { isOpenThought } from '@treadle/contracts/thought'
import { runWrite as runWriteIdea } from '@treadle/flow/idea/write.run'
import { runApprove } from '@treadle/flow/spec/approve.run'
import { loadOwners } from '@treadle/flow/spec/load-context.run'
import { ownerOf } from '@treadle/flow/spec/owners'
import { runReadBack } from '@treadle/flow/spec/read-back.run'
import { runRevise } from '@treadle/flow/spec/revise.run'
import type { SpecRefusal } from '@treadle/flow/spec/spec-world'
import { runWrite } from '@treadle/flow/spec/write.run'
import { ideaWorld } from '../jobs/ideas.ts'
import { specWorld } from '../jobs/specifications.ts'
import { waitingFor } from '../jobs/unattended.ts'
import type { World } from '../world.ts'
import { knownEngine } from './engine-name.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

const LIST_MAX = 200
/** How often whoever waits for a model is looked after though nobody has called. */
const LOOK_MS = 1_000

export const specificationHandlers = {
  async listSpecifications(world) {
    return { items: await world.store.specifications.list(LIST_MAX) }
  },

  async generateSpecification(world, { body }) {
    const { ideaSlug, userSlug, options } = body
    await writeHeldUp(world, ideaSlug)
    const made = await runWrite(specWorld(world), {
      ideaSlug,
      userSlug,
      complexity: options.targetComplexity,
      engine: knownEngine(body.engine),
    })
    if (made.is !== 'begun') throw problemOf(made)
    return viewOf(world, made.spec)
  },

  async showSpecification(world, { params, query, hungUp }) {
    await untilWritten(world, params.id, { waitMs: query.waitMs, gone: hungUp() })
    const read = await runReadBack(specWorld(world), params.id)
    if (read.is !== 'read') throw problemOf(read)
    return viewOf(world, read.kept.spec)
  },

  async specificationDocument(world, { params }) {
    const kept = await world.store.specifications.find(params.id)
    if (kept === null) throw missing(params.id)
    const [spec, tasks] = [kept.spec.specPath, kept.spec.tasksPath].map((path) => world.documents.read(path))
    // What was deleted is shown as it was kept.
    return { spec: (await spec)?.text ?? kept.specText, tasks: (await tasks)?.text ?? kept.tasksText }
  },

  async reviseSpecification(world, { params, body }) {
    const { text, by } = body
    const engine = knownEngine(body.engine)
    await writeHeldUp(world, params.id)
    const made = await runRevise(specWorld(world), { slug: params.id, text, by, engine })
    if (made.is !== 'begun') throw problemOf(made)
    return viewOf(world, made.spec)
  },

  async approveSpecification(world, { params, body }) {
    const { revision, by, validation } = body
    const approved = await runApprove(specWorld(world), { slug: params.id, revision, by, validation })
    if (approved.is !== 'approved') throw problemOf(approved)
    return approved.spec
  },

  async ownerOf(world, { query }) {
    const owners = await loadOwners(world)
    return { path: query.path, owner: ownerOf(owners, query.path), from: owners.from }
  },
} satisfies HandlersOf<typeof specificationRoutes>

/** Documents of the idea that git or a restart has held up: a specification is made of what is written. */
function writeHeldUp(world: World, slug: string): Promise<void> {
  return runWriteIdea(ideaWorld(world), slug)
}

async function viewOf(world: World, spec: Specification): Promise<SpecificationView> {
  const { store } = world
  const { slug } = spec
  const writing = await store.specWritings.find(slug)
  const view = { ...spec, waiting: writing !== null, waitingWhy: writing?.why ?? null, waitingFor: null }
  if (writing === null) return view
  const [thought] = await store.thoughts.list({ subject: slug, kind: 'spec_write', limit: 1 })
  const isOpen = thought !== undefined && isOpenThought(thought)
  return { ...view, waitingFor: isOpen ? await waitingFor(world, thought) : null }
}

async function untilWritten(
  { store, repliesList, stopping }: World,
  slug: string,
  { waitMs, gone }: { readonly waitMs: number; readonly gone: AbortSignal },
): Promise<void> {
  const until = performance.now() + waitMs
  for (;;) {
    const called = repliesList.ticket()
    const isWaiting = (await store.specWritings.find(slug)) !== null
    const leftMs = until - performance.now()
    if (!isWaiting || leftMs <= 0 || stopping.aborted || gone.aborted) return
    // Another daemon on the same database may have taken the answer in.
    await called(Math.min(leftMs, LOOK_MS), gone)
  }
}

function problemOf(refusal: SpecRefusal): ProblemError {
  const { message, hint } = refusal
  if (refusal.is === 'unknown') return new ProblemError(404, { code: 'not_found', message, hint })
  const details =
    refusal.details === undefined ? {} : { details: JSON.parse(JSON.stringify(refusal.details)) }
  return new ProblemError(409, { code: 'refused', message, hint, ...details })
}

function missing(slug: string): ProblemError {
  return new ProblemError(404, {
    code: 'not_found',
    message: `There is no specification ${slug}.`,
    hint: `Make it: treadle spec generate ${slug}; treadle spec list shows what there is.`,
  })
}
