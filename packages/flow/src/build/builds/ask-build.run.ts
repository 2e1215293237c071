// Asks what the catalogue has to ask about builds, once for each subject, and ends what has become needless.
import type { Build } from '@treadle/contracts/build'
import type { GateResult } from '@treadle/contracts/gate'
import { gatesGreen } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import { buildSession } from '@treadle/contracts/question'
import { forEach } from '../../ask/for-each.run.ts'
import { type QuestionWorld, runTrigger } from '../../ask/question.run.ts'
import { withdrawQuestion } from '../../ask/settle.run.ts'
import type { Store } from '../../ports/store.ts'
import { isDelivery } from '../../work/build-items.ts'
import { type AboutBuild, LEVEL_NEEDED, levelNamed, momentsOf, whyOver } from './questions.ts'

export interface AskBuildWorld extends QuestionWorld {
  readonly store: QuestionWorld['store'] & Pick<Store, 'reviews'>
}

const BUILDS_MAX = 100
const OPEN_MAX = 20
/** Of those that do not run, the newest are looked at; once they have ended, not for ever. */
const ENDED_MAX = 20
const RECENT_MS = 24 * 3_600_000

/** Part of every sweep. */
export async function runAskBuilds(world: AskBuildWorld): Promise<number> {
  const { builds } = world.store
  const live = await builds.inStatus(['running'], BUILDS_MAX)
  const others = await builds.inStatus(['stopped', 'failed', 'completed'], ENDED_MAX)
  const since = world.now().getTime() - RECENT_MS
  const recent = others.filter(({ completedAt }) => completedAt === null || Date.parse(completedAt) > since)
  return forEach([...live, ...recent], (build) => askAbout(world, build))
}

async function askAbout(world: AskBuildWorld, known: Build): Promise<boolean> {
  const build = await withLevel(world, known)
  const about = await aboutBuild(world, build)
  await withdrawOver(world, about)
  let asked = false
  for (const { agent, event, subject, facts, item } of momentsOf(about)) {
    // What was asked once is not rendered again with each sweep.
    const known = await world.store.questions.list({
      sessionId: buildSession(build.id),
      event,
      limit: OPEN_MAX,
    })
    if (known.some((each) => each.subject === subject)) continue
    const put = await runTrigger(world, {
      agent,
      event,
      facts,
      about: { item, subject, sessionId: buildSession(build.id), ideaId: build.spec },
    })
    asked ||= put.some(({ is }) => is === 'asked')
  }
  return asked
}

/** The level that a person has answered, now or before; looked for until it is kept. Silence leaves out no check. */
async function withLevel({ store }: AskBuildWorld, build: Build): Promise<Build> {
  if (build.validation !== null) return build
  const asked = { sessionId: buildSession(build.id), event: LEVEL_NEEDED, limit: 1 }
  const answer = (await store.questions.list(asked))[0]?.answer ?? null
  const isOfPerson = answer?.how === 'person' || answer?.how === 'preference'
  const level = isOfPerson ? levelNamed(answer.option) : null
  if (level === null) return build
  return store.tx(async () => {
    const now = (await store.builds.lock(build.id)) ?? build
    const chosen = { ...now, validation: now.validation ?? level }
    await store.builds.save(chosen)
    return chosen
  })
}

async function aboutBuild(world: AskBuildWorld, build: Build): Promise<AboutBuild> {
  const items = await world.store.items.ofBuild(build.id)
  const delivery = items.find(isDelivery) ?? null
  const found = delivery === null ? null : await foundOf(world, delivery)
  const { questions, validation } = world.config()
  return {
    build,
    items,
    found,
    isSuperseded: ((await world.store.builds.ofSpec(build.spec))[0]?.id ?? build.id) !== build.id,
    now: world.now(),
    celebrates: questions.celebrate,
    usualLevel: validation.level,
  }
}

/** What the review has found of a delivery that only waits for a person; null: it waits for something else. */
async function foundOf({ store }: AskBuildWorld, delivery: Item): Promise<readonly GateResult[] | null> {
  if (delivery.state !== 'in_review' || !delivery.needsHuman) return null
  const review = await store.reviews.latest(delivery)
  const isOwn = review !== null && review.headCommit === delivery.headCommit && review.checkedAt !== null
  return isOwn && gatesGreen(review.checks) ? review.checks : null
}

async function withdrawOver(world: AskBuildWorld, about: AboutBuild): Promise<void> {
  const { store, now } = world
  const sessionId = buildSession(about.build.id)
  for (const { id } of await store.questions.list({ sessionId, status: 'open', limit: OPEN_MAX }))
    await store.tx(async () => {
      const kept = await store.questions.lock(id)
      const why = kept?.record.status === 'open' ? whyOver(kept.record, about) : null
      if (kept !== null && why !== null) await withdrawQuestion(store, kept.record, { why, now: now() })
    })
}
