// Questions about a specification: asked when a revision is there, carried out when they are answered, over when it is
// approved. Each part may be done again and does it once.
import {
  type NewQuestion,
  type QuestionRecord,
  SPECIFICATION,
  specAskedAbout,
  specSession,
} from '@treadle/contracts/question'
import type { Specification } from '@treadle/contracts/specification'
import { type PlaceWorld, placeQuestion } from '../ask/place.run.ts'
import { withdrawQuestion } from '../ask/settle.run.ts'
import type { Store } from '../ports/store.ts'
import { runApprove } from './approve.run.ts'
import { completeMoment, followUpOf, momentsAbout, type SpecMoment } from './asked.ts'
import { sourcesOf } from './project-kind.ts'
import { readPlain } from './read-plain.run.ts'
import { runRevise } from './revise.run.ts'
import { pathsOf, REQUIRED_DOCUMENTS } from './spec-context.ts'
import type { SpecWorld } from './spec-world.ts'

export interface SpecAskWorld {
  readonly spec: SpecWorld
  readonly place: PlaceWorld & { readonly store: Pick<Store, 'tx'> }
  readonly catalogue: (trigger: {
    agent: string
    event: string
    facts: SpecMoment['facts']
  }) => readonly NewQuestion[]
  readonly conventions: () => Promise<string>
}

const OPEN_MAX = 50

/** A revision is there. What was asked about the scope of an earlier one is over. */
export async function runAskAbout(world: SpecAskWorld, slug: string): Promise<void> {
  const kept = await world.spec.store.specifications.find(slug)
  if (kept === null || kept.spec.status === 'approved') return
  const { spec } = kept
  const moments = momentsAbout(spec, {
    brief: await briefOf(world, spec),
    hasCode: sourcesOf(await world.spec.tree.files()).length > 0,
  })
  const subjects = new Set(moments.map(({ subject }) => subject))
  await withdraw(world, slug, (asked) => !subjects.has(asked.subject ?? ''), 'there is a newer revision')
  for (const moment of moments) await ask(world, spec, moment)
}

/** It is approved: whatever was asked about it is decided. */
export function runApproved(world: SpecAskWorld, slug: string): Promise<void> {
  return withdraw(world, slug, () => true, 'the specification is approved')
}

/** Does what an answer asks for; null: done, or nothing to do. Else why it could not be done. */
export async function runFollow(world: SpecAskWorld, questionId: string): Promise<string | null> {
  const record = (await world.place.store.questions.find(questionId))?.record
  const slug = record === undefined ? null : specAskedAbout(record)
  const kept = slug === null ? null : await world.spec.store.specifications.find(slug)
  if (record === undefined || slug === null || kept === null) return null
  const by = record.answer?.by ?? 'treadle'
  const choice = followUpOf(record)
  switch (choice.is) {
    case 'nothing':
      return null
    case 'complete':
      await ask(world, kept.spec, completeMoment(kept.spec, await briefOf(world, kept.spec)))
      return null
    case 'approve': {
      const approved = await runApprove(world.spec, { slug, revision: choice.revision, by })
      return approved.is === 'approved' ? null : approved.message
    }
    case 'revise': {
      if (kept.spec.requests.includes(choice.text)) return null
      const made = await runRevise(world.spec, { slug, text: choice.text, by, engine: null })
      return 'message' in made ? made.message : null
    }
  }
}

async function ask(world: SpecAskWorld, { slug }: Specification, moment: SpecMoment): Promise<void> {
  const { event, subject, facts, inOwnWords = false } = moment
  const conventions = await world.conventions()
  for (const question of world.catalogue({ agent: SPECIFICATION, event, facts }))
    await world.place.store.tx(() =>
      placeQuestion(
        world.place,
        {
          ...question,
          ...(inOwnWords ? { options: [] } : {}),
          subject,
          ideaId: slug,
          sessionId: specSession(slug),
        },
        { conventions, askedAs: null },
      ),
    )
}

function withdraw(
  { place }: SpecAskWorld,
  slug: string,
  isOver: (asked: QuestionRecord) => boolean,
  why: string,
): Promise<void> {
  const { store, now } = place
  return store.tx(async () => {
    const open = await store.questions.list({ sessionId: specSession(slug), status: 'open', limit: OPEN_MAX })
    for (const { id } of open.filter(isOver)) {
      const kept = await store.questions.lock(id)
      if (kept?.record.status === 'open') await withdrawQuestion(store, kept.record, { why, now: now() })
    }
  })
}

async function briefOf({ spec: { documents, config } }: SpecAskWorld, spec: Specification): Promise<string> {
  const { folder } = pathsOf(config().ideas.dir, spec.userSlug, spec.slug)
  return (await readPlain(documents, `${folder}/${REQUIRED_DOCUMENTS.brief}`)).text ?? ''
}
