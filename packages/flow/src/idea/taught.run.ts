// What earlier talks have taught, for the prompt of this one. A lesson is on trial in talks as it is in runs: shown, or
// withheld by a draw that is made once for each talk.
import { createHash } from 'node:crypto'
import type { Lesson } from '@treadle/contracts/lesson'
import { decideShown } from '@treadle/memory/trial/show'
import type { TalkWorld } from './talk-world.ts'
import { ABOUT_TALKS, SHOWN_MAX, taughtBy } from './taught.ts'

type TaughtWorld = Pick<TalkWorld, 'store' | 'now' | 'config' | 'repository'>

/** Before the transaction: the lessons that fit, the best first. */
export async function recallTaught({ recall }: Pick<TalkWorld, 'recall'>): Promise<readonly Lesson[]> {
  return taughtBy(await recall(ABOUT_TALKS))
}

/** Within the transaction: those that this talk is told. The same talk is told the same later. */
export async function decideTaught(
  world: TaughtWorld,
  slug: string,
  ranked: readonly Lesson[],
): Promise<readonly Lesson[]> {
  if (ranked.length === 0) return []
  const { store, now, config, repository } = world
  const { trial: isOn, withheldShare } = config().lessons
  const stratum = `${repository} idea`
  const runId = talkRunId(repository, slug)
  await store.lessonUses.lockDraws()
  const ids = ranked.map(({ id }) => id)
  const { shown, decided } = decideShown({
    ranked,
    limit: SHOWN_MAX,
    known: await store.lessonUses.ofRun(runId),
    runId,
    attempt: 1,
    stratum,
    drawn: await store.lessonUses.drawnIn(stratum, ids),
    trial: { on: isOn && withheldShare > 0, withheldShare },
    now: now(),
  })
  await store.lessonUses.add(decided)
  return shown
}

/** A talk is one run of the trial; its id is made of where it is and what it is called. */
export function talkRunId(repository: string, slug: string): string {
  const hash = createHash('sha256').update(`talk ${repository} ${slug}`).digest('hex')
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`]
  return [...parts, hash.slice(20, 32)].join('-')
}
