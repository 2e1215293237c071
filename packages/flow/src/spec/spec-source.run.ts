// What spec.md is written from beside the specification itself: the brief, and the code that is there.
import type { Specification } from '@treadle/contracts/specification'
import type { Outline } from './design-spec.ts'
import { existingLine, filesLike, samplesOf } from './existing-code.ts'
import type { SpecSource } from './render-spec.ts'
import { OPTIONAL_DOCUMENTS, type SpecContext } from './spec-context.ts'
import type { SpecWorld } from './spec-world.ts'
import type { SpecSample } from './writing-prompt.ts'

interface Sourcing {
  readonly spec: Specification
  readonly outline: Outline
  readonly context: SpecContext
  /** Requests that nobody has carried out. */
  readonly open: readonly string[]
  /** What was found missing while the documents were read. */
  readonly noted: readonly string[]
}

export async function sourceOf(
  world: SpecWorld,
  { spec, outline, context, open, noted }: Sourcing,
): Promise<SpecSource> {
  const existing: string[] = []
  for (const asked of filesLike(context.existingFiles, outline.profile.layout)) {
    const texts = await Promise.all(samplesOf(asked).map((file) => world.tree.read(file)))
    existing.push(
      existingLine(
        asked,
        texts.filter((text) => text !== null),
      ),
    )
  }
  const { brief, profile } = outline
  const read = (Object.keys(OPTIONAL_DOCUMENTS) as (keyof typeof OPTIONAL_DOCUMENTS)[]).filter(
    (name) => context.optional[name] !== null,
  )
  return {
    spec,
    targetUser: brief.targetUser,
    problem: brief.problem,
    solution: brief.solution,
    risks: brief.risks,
    conventions: context.conventions,
    profile: profile.found,
    existing,
    patterns: context.patterns.map(({ content }) => content),
    open,
    noted,
    documents: ['README.md', 'planning/brief.md', ...read.map((name) => OPTIONAL_DOCUMENTS[name])],
  }
}

/** Of each layer some files that are there, for whoever has to write more like them. */
export async function samplesIn(
  world: Pick<SpecWorld, 'tree'>,
  { outline, context }: Pick<Sourcing, 'outline' | 'context'>,
): Promise<SpecSample[]> {
  const paths = filesLike(context.existingFiles, outline.profile.layout).flatMap(samplesOf)
  const read = await Promise.all(paths.map(async (path) => ({ path, text: await world.tree.read(path) })))
  return read.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]))
}
