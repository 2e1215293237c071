// Approves the revision that was read, and no other: what changed since is shown instead.
import type { Specification } from '@treadle/contracts/specification'
import type { ValidationLevel } from '@treadle/contracts/validation-level'
import type { SpecWriting } from '../ports/spec-writings.ts'
import type { KeptSpecification } from '../ports/specifications.ts'
import { differenceOf } from './difference.ts'
import { readBack } from './read-back.run.ts'
import { append } from './record-spec.run.ts'
import type { SpecRefusal, SpecWorld } from './spec-world.ts'
import { stopWriting } from './write.run.ts'

export type Approved = { readonly is: 'approved'; readonly spec: Specification } | SpecRefusal

interface Approval {
  readonly slug: string
  readonly revision?: number | undefined
  readonly by: string
  readonly validation?: ValidationLevel | undefined
}

export function runApprove(world: SpecWorld, approval: Approval): Promise<Approved> {
  return world.contexts.inTurn(approval.slug, () => approve(world, approval))
}

async function approve(world: SpecWorld, { slug, revision, by, validation }: Approval): Promise<Approved> {
  const { specifications } = world.store
  const seen = await specifications.find(slug)
  const read = await readBack(world, slug)
  if (read.is !== 'read') return read
  const wanted = revision ?? seen?.spec.revision ?? read.kept.spec.revision
  return world.store.tx(async () => {
    // What is approved is the latest until this transaction ends.
    const latest = (await specifications.lock(slug)) ?? read.kept
    const { spec } = latest
    if (wanted !== spec.revision) return changed(latest, await specifications.revision(slug, wanted), wanted)
    if (spec.validation.problems.length > 0) return hasProblems(spec)
    if (spec.status === 'approved') return { is: 'approved', spec }
    const open = await world.store.specWritings.find(slug)
    if (open !== null && open.requests.length > 0) return isBeingChanged(spec, open)
    const approvedAt = world.now().toISOString()
    const approved: Specification = {
      ...spec,
      status: 'approved',
      approvedAt,
      approvedBy: by,
      ...(validation === undefined ? {} : { buildValidation: validation }),
    }
    // What was read is what counts: nobody writes over it any more.
    await stopWriting(world, slug, by)
    await specifications.update(approved)
    const whose = { idea: slug, userSlug: spec.userSlug }
    await append(world, { type: 'spec.approved', spec: slug, revision: spec.revision, by, ...whose })
    return { is: 'approved', spec: approved }
  })
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

function isBeingChanged({ slug }: Specification, { requests }: SpecWriting): SpecRefusal {
  const asked = requests.map(({ text }) => text).join('; ')
  return {
    is: 'refused',
    message: `Changes of the specification of ${slug} were asked for and are being written: ${asked.slice(0, 500)}.`,
    hint: `Read them when they are there: treadle spec show ${slug}; or have rules write it: treadle spec generate ${slug} --engine none`,
  }
}

function hasProblems({ slug, validation }: Specification): SpecRefusal {
  return {
    is: 'refused',
    message: `The specification of ${slug} has problems: ${validation.problems.slice(0, 5).join('; ')}.`,
    hint: `Mend tasks.md or the brief, or ask for changes: treadle spec revise ${slug} "..."`,
  }
}
