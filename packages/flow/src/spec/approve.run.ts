// Approves the revision that was read, and no other: what changed since is shown instead.
import type { Specification } from '@treadle/contracts/specification'
import type { KeptSpecification } from '../ports/specifications.ts'
import { differenceOf } from './difference.ts'
import { append } from './generate.run.ts'
import { runReadBack } from './read-back.run.ts'
import type { SpecRefusal, SpecWorld } from './spec-world.ts'

export type Approved = { readonly is: 'approved'; readonly spec: Specification } | SpecRefusal

export async function runApprove(
  world: SpecWorld,
  {
    slug,
    revision,
    by,
  }: { readonly slug: string; readonly revision?: number | undefined; readonly by: string },
): Promise<Approved> {
  const { specifications } = world.store
  const seen = await specifications.find(slug)
  const read = await runReadBack(world, slug)
  if (read.is !== 'read') return read
  const { spec } = read.kept
  const wanted = revision ?? seen?.spec.revision ?? spec.revision
  if (wanted !== spec.revision) return changed(read.kept, await specifications.revision(slug, wanted), wanted)
  if (spec.validation.problems.length > 0) return hasProblems(spec)
  if (spec.status === 'approved') return { is: 'approved', spec }
  const approved: Specification = {
    ...spec,
    status: 'approved',
    approvedAt: world.now().toISOString(),
    approvedBy: by,
  }
  await world.store.tx(async () => {
    await specifications.update(approved)
    await append(world, { type: 'spec.approved', spec: slug, revision: spec.revision, by })
  })
  return { is: 'approved', spec: approved }
}

function changed(now: KeptSpecification, then: KeptSpecification | null, wanted: number): SpecRefusal {
  const { slug, revision } = now.spec
  if (then === null)
    return {
      is: 'refused',
      message: `There is no revision ${wanted} of ${slug}; the latest is ${revision}.`,
      hint: `Read it: treadle spec show ${slug}`,
      details: { revision },
    }
  const difference = [
    ...differenceOf(then.tasksText, now.tasksText),
    ...differenceOf(then.specText, now.specText),
  ]
  return {
    is: 'refused',
    message: `The specification of ${slug} has changed since revision ${wanted} was read; it is revision ${revision} now:\n${difference.slice(0, SHOWN_MAX).join('\n')}`,
    hint: `Read it, then approve that: treadle spec approve ${slug} --revision ${revision}`,
    details: { revision, difference },
  }
}

/** The whole difference is among the details. */
const SHOWN_MAX = 40

function hasProblems({ slug, validation }: Specification): SpecRefusal {
  return {
    is: 'refused',
    message: `The specification of ${slug} has problems: ${validation.problems.slice(0, 5).join('; ')}.`,
    hint: `Mend tasks.md or the brief, or ask for changes: treadle spec revise ${slug} "..."`,
  }
}
