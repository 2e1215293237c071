// Carries out what a person asks for: a model where one is there, else rules as far as they understand it; what they do
// not understand stands in the document.
import type { SpecRefusal, SpecWorld } from './spec-world.ts'
import { type Begun, runWrite } from './write.run.ts'

const REQUESTS_MAX = 50

export interface Revising {
  readonly slug: string
  readonly text: string
  readonly by: string
  /** Null: what the settings say. */
  readonly engine: string | null
}

export async function runRevise(world: SpecWorld, { slug, text, by, engine }: Revising): Promise<Begun> {
  const kept = await world.store.specifications.find(slug)
  if (kept === null) return unknownSpec(slug)
  const open = await world.store.specWritings.find(slug)
  if (kept.spec.requests.length + (open?.requests.length ?? 0) >= REQUESTS_MAX)
    return {
      is: 'refused',
      message: `${REQUESTS_MAX} changes of ${slug} were asked for already.`,
      hint: 'Put what should be so into planning/brief.md, and generate again.',
    }
  return runWrite(world, {
    ideaSlug: slug,
    userSlug: kept.spec.userSlug,
    complexity: null,
    requests: [{ by, text }],
    engine,
  })
}

export function unknownSpec(slug: string): SpecRefusal {
  return {
    is: 'unknown',
    message: `There is no specification ${slug}.`,
    hint: `Make it: treadle spec generate ${slug}; treadle spec list shows what there is.`,
  }
}
