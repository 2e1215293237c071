// A new claim takes over the conversation of the run before, where the files are those that the conversation knows.
import type { WorkJob, WorkWorld } from '../work/work-world.ts'
import { type EarlierRun, type TakeOver, takeOver } from './conversation.ts'

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
