// An item that a run has given up after several attempts: its owner is asked what is to be done, once for each run.
import type { Item } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import { isGivenUp, isTask } from '../work/build-items.ts'
import { FAILED_REPEATEDLY } from './decide.ts'
import { escalationOf } from './escalation.ts'
import { forEach } from './for-each.run.ts'
import { type QuestionWorld, runTrigger } from './question.run.ts'

const BATCH = 100
const ATTEMPTS_MIN = 3
const WORDS_MAX = 1_000

/** Part of every sweep, so that a kill between the escalation and the question loses neither. */
export async function runEscalated(world: QuestionWorld): Promise<number> {
  const given = await world.store.items.inStates(['escalated'], BATCH)
  return forEach(given, (item) => askAbout(world, item))
}

async function askAbout(world: QuestionWorld, item: Item): Promise<boolean> {
  const { projectNumber, number, runId, attempts } = item
  if (runId === null || attempts < ATTEMPTS_MIN || !(await isForPerson(world, item))) return false
  const known = await world.store.questions.list({ runId, event: FAILED_REPEATEDLY, limit: 1 })
  const run = known.length > 0 ? null : await world.store.runs.find(runId)
  if (run === null) return false
  const put = await runTrigger(world, {
    agent: 'build',
    event: FAILED_REPEATEDLY,
    facts: factsOf(item, run),
    about: { item: { projectNumber, number }, runId, subject: `run:${runId}` },
  })
  return put.some(({ is }) => is === 'asked')
}

/** What follows a failed task is its build's to decide; a person is asked about what that has given up. */
async function isForPerson({ store }: QuestionWorld, item: Item): Promise<boolean> {
  const build = isTask(item) && item.build !== null ? await store.builds.find(item.build) : null
  return build === null || !isTask(item) || isGivenUp(item, build)
}

function factsOf(item: Item, run: Run) {
  const tried = escalationOf(item, run).attempts.map(({ attempt, engine, result }) =>
    `Attempt ${attempt}, ${engine}: ${result}`.slice(0, WORDS_MAX),
  )
  return {
    attempts: item.attempts,
    task_id: `#${item.number} ${item.title}`,
    error_message: (item.reason ?? 'unknown').slice(0, WORDS_MAX),
    attempts_list: tried.length === 0 ? ['nothing that was recorded'] : tried,
  }
}
