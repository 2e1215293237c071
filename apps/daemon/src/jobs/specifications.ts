// Specifications by the daemon itself: of ideas that were finished, where the owner wants that.
import { specAfter } from '@treadle/flow/spec/after'
import { runGenerate } from '@treadle/flow/spec/generate.run'
import type { SpecWorld } from '@treadle/flow/spec/spec-world'
import type { World } from '../world.ts'

/** The last so many finished ideas are looked at. */
const FINISHED_MAX = 20

export function specWorld(world: World): SpecWorld {
  const { store, documents, tree, lessons, config, testCommand, now, uuid } = world
  const knowsIdea = async (slug: string) => (await store.ideas.find(slug)) !== null
  return { store, documents, tree, lessons, knowsIdea, config, testCommand, now, uuid }
}

/** Ideas that were finished since this daemon started and have no specification yet; answers how many got one. */
export async function sweepSpecifications(world: World, tried: Set<string>): Promise<number> {
  const { autoGenerate } = world.config().specification
  if (!autoGenerate) return 0
  let made = 0
  for (const { at, id, event } of await world.store.events.newest({
    type: 'ideation.completed',
    limit: FINISHED_MAX,
  })) {
    const next = specAfter(event, { autoGenerate })
    if (next === null || tried.has(id) || Date.parse(at) < world.startedAt.getTime()) continue
    tried.add(id)
    if ((await world.store.specifications.find(next.idea)) !== null) continue
    const generated = await runGenerate(specWorld(world), { ideaSlug: next.idea, complexity: 'mvp' })
    if (generated.is === 'generated') made += 1
    else world.log.warn({ idea: next.idea, why: generated.message }, 'its specification was not generated')
  }
  return made
}
