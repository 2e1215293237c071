// What questions need of the daemon: the catalogue, the project's own words, and a look at the clock now and then.
import type { RunReport } from '@treadle/contracts/event'
import { runDue } from '@treadle/flow/ask/due.run'
import { runEscalated } from '@treadle/flow/ask/escalated.run'
import { triggersOf } from '@treadle/flow/ask/gate-questions'
import { type QuestionTrigger, type QuestionWorld, runTrigger } from '@treadle/flow/ask/question.run'
import { runTookLonger } from '@treadle/flow/ask/took-longer.run'
import { runAskBuilds } from '@treadle/flow/build/builds/ask-build.run'
import { type LookedAt, runAskReviews } from '@treadle/flow/review/ask-review.run'
import { questionsFor, type Trigger } from '@treadle/questions/questions-for'
import type { World } from '../world.ts'

const CONVENTIONS = ['CLAUDE.md', 'AGENTS.md'] as const
const CONVENTIONS_CHARS_MAX = 200_000

export function questionWorld(world: World): QuestionWorld & Pick<World, 'store'> {
  const { store, now, uuid, config, advance } = world
  return {
    store,
    advance,
    now,
    uuid,
    config,
    // The facts are checked where they are put in.
    catalogue: (trigger: QuestionTrigger) => questionsFor(trigger as Trigger),
    conventions: () => conventionsOf(world),
  }
}

/** As of the target: what an agent has written into its own branch answers nothing. */
async function conventionsOf({ source, target, log }: World): Promise<string> {
  const texts: string[] = []
  for (const path of CONVENTIONS) {
    const text = await source.fileAt(target, path).catch((error: unknown) => {
      log.warn({ err: error, path }, 'the project’s own words cannot be read')
      return null
    })
    if (text !== null) texts.push(text)
  }
  return texts.join('\n').slice(0, CONVENTIONS_CHARS_MAX)
}

/** What the gates found of a change may be worth a question; once for each run. */
export async function askAboutGates(world: World, run: { id: string }, event: RunReport): Promise<void> {
  if (event.type !== 'verify.failed') return
  const found = await world.store.runs.find(run.id)
  if (found === null) return
  const about = { item: found.item, runId: found.id, subject: `run:${found.id}` }
  for (const trigger of triggersOf(event.gates, world.config().gates.coverage.threshold))
    await runTrigger(questionWorld(world), { ...trigger, about }).catch((error: unknown) =>
      world.log.error({ err: error }, 'questions'),
    )
}

/** What each daemon has looked at; a new one looks again. */
const lookedBy = new WeakMap<World, LookedAt>()

/** Part of every sweep; what fell due while no daemon ran is seen to by the first one. */
export async function sweepQuestions(world: World): Promise<void> {
  const asking = questionWorld(world)
  const looked = lookedBy.get(world) ?? new Map()
  lookedBy.set(world, looked)
  const askAboutReviews = () => runAskReviews(asking, looked)
  for (const look of [
    runEscalated,
    runTookLonger,
    askAboutReviews,
    runAskBuilds,
    () => runDue(asking, world.now()),
  ]) {
    try {
      await look(asking)
    } catch (error) {
      // Deadlines and leases do not wait for questions.
      world.log.error({ err: error }, 'questions')
    }
  }
}
