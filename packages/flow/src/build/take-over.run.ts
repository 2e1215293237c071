// A new claim takes over the conversation of the run before, where the files are those that the conversation knows.
import { isGoal } from '@treadle/contracts/paor'
import type { WorkJob, WorkWorld } from '../work/work-world.ts'
import { type EarlierRun, goalRun, type TakeOver, takeOver } from './conversation.ts'

export async function runTakeOver(
  world: Pick<WorkWorld, 'conversations' | 'engine' | 'say'>,
  begun: Omit<TakeOver, 'engine' | 'earlier'>,
  findEarlier: () => Promise<EarlierRun | null>,
): Promise<Pick<WorkJob, 'rework' | 'isContinued'>> {
  const { rework, base } = begun
  const { id: engine, can } = world.engine
  if (world.conversations === undefined || can?.resume !== true) return { rework }
  const earlier = await findEarlier()
  const taken = takeOver({ ...begun, engine, earlier })
  if (taken === null || earlier === null) return { rework }
  world.conversations.set(engine, taken.session)
  // Said in this run too: whoever is started again in the middle of it goes on with the same.
  await world.say({ type: 'run.session', engine, session: taken.session, from: earlier.id })
  if (taken.is === 'cut_off') return { rework, isContinued: true }
  return { rework: rework && { ...rework, isMoved: rework.isMoved || earlier.base !== base } }
}

/** Says that work which was given back is gone on with; a goal goes on with its plans and counts its iterations on. */
export async function runTakeUp(
  { guidanceChannel, engine, say }: Pick<WorkWorld, 'guidanceChannel' | 'engine' | 'say'>,
  begun: Omit<TakeOver, 'engine' | 'earlier'>,
  findEarlier: () => Promise<EarlierRun | null>,
): Promise<void> {
  if (!begun.isTakenUp) return
  const earlier = isGoal(begun.item) ? await findEarlier() : null
  const before = goalRun({ ...begun, engine: engine.id, earlier })
  for (const plan of before?.past.plans ?? []) guidanceChannel?.planned(plan)
  for (const reflection of before?.past.reflections ?? []) guidanceChannel?.reflected(reflection)
  await say({
    type: 'run.resumed',
    from: 'building',
    why: 'it was given back unfinished',
    ...(before === null ? {} : { continues: before.id }),
  })
}
