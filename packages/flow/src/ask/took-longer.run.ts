// Asks about work that takes three times as long as it was expected to, once for each run.
import { type Item, ItemState } from '@treadle/contracts/item'
import { isHeld } from '../flow.ts'
import { forEach } from './for-each.run.ts'
import { type QuestionWorld, runTrigger } from './question.run.ts'
import { TOOK_LONGER, tookLonger, tookLongerFacts } from './took-longer.ts'

const HELD = ItemState.options.filter(isHeld)
const BATCH = 100

/** Part of every sweep. */
export async function runTookLonger(world: QuestionWorld): Promise<number> {
  const held = await world.store.items.inStates(HELD, BATCH)
  return forEach(held, (item) => askAbout(world, item))
}

async function askAbout(world: QuestionWorld, item: Item): Promise<boolean> {
  const times = tookLonger(item, world.now())
  const { runId, projectNumber, number } = item
  if (times === null || runId === null) return false
  const known = await world.store.questions.list({ runId, event: TOOK_LONGER, limit: 1 })
  const run = known.length > 0 ? null : await world.store.runs.find(runId)
  if (run === null) return false
  const put = await runTrigger(world, {
    agent: 'build',
    event: TOOK_LONGER,
    facts: tookLongerFacts(item, run, times),
    about: { item: { projectNumber, number }, runId, subject: `run:${runId}` },
  })
  return put.some(({ is }) => is === 'asked')
}
