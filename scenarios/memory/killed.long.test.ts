// The daemon is killed while it looks back on runs: each is looked back on once, and nothing is counted twice.
import type { LearnedNote } from '@treadle/contracts/retrospective'
import { expect, test } from 'vitest'
import { kill, waitGone } from '../kit/processes.ts'
import { addRepair, allEvents, repair, type Step, TEST_SCRIPT, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
/** After the end of a run was recorded; what comes then is a matter of some tens of milliseconds. */
const DELAYS_MS = [0, 15, 40]
/** Every module fails in the same words, so that all runs teach the same. */
const TESTS = TEST_SCRIPT.replace(
  'echo "not ok $n - $file"; failed=1',
  'printf "not ok %s - %s\\n  ---\\n  message: \'TypeError: the state is not set\'\\n  ...\\n" "$n" "$file"; failed=1',
)
const idea: Step = { write: { file: 'notes.txt', text: 'an idea\n' } }
const forget: Step = { delete: { file: 'notes.txt' } }

test('a look back survives kill -9 of the daemon', async () => {
  const scripts = DELAYS_MS.map((_, index) => [[idea], [forget, repair(index + 1)]])
  const settings = { lessons: { trial: false } }
  const workspace = shop({ scripts, files: { 'test.sh': TESTS }, settings })
  let daemon = await up(workspace, 1)
  for (const [index, delayMs] of DELAYS_MS.entries()) {
    await addRepair(daemon, index + 1)
    await eventually(
      `the end of run ${index + 1}`,
      async () => {
        const { events } = await daemon.client.showItem({
          params: { projectNumber: 1, issueNumber: index + 1 },
        })
        return events.some(({ event }) => event.type === 'verify.passed') ? true : undefined
      },
      60_000,
    )
    await new Promise((done) => setTimeout(done, delayMs))
    kill(daemon.pid)
    await waitGone(daemon.pid)
    daemon = await up(workspace, 1)
  }
  const { client } = daemon
  const seen = await eventually(
    'a look back on every run',
    async () => {
      const { items } = await client.listRetrospectives({ query: { limit: 100 } })
      return items.length >= DELAYS_MS.length ? items : undefined
    },
    60_000,
  )
  expect(seen.map(({ item }) => item.number).sort()).toEqual([1, 2, 3])
  expect(new Set(seen.map(({ outcome }) => outcome))).toEqual(new Set(['success']))

  const events = await allEvents(daemon)
  for (const { runId } of seen) {
    const reviewed = events.filter((each) => each.event.type === 'run.reviewed' && each.runId === runId)
    expect(reviewed).toHaveLength(1)
  }
  // What was recorded of failures is told with each of them: as often as it was told, it was counted.
  const told = events.flatMap(({ event }): LearnedNote[] =>
    event.type === 'run.learned' && event.note.type === 'gotcha' ? [event.note] : [],
  )
  expect(told.length).toBeGreaterThan(0)
  // One that takes the place of another takes over its count.
  const { items } = await client.listLessons({ query: { type: 'gotcha' } })
  for (const { lesson, trial } of items) {
    expect(trial).toEqual((await client.showLesson({ params: { id: lesson.id } })).trial)
    expect(trial).toMatchObject({ verdict: 'on_trial', uplift: null, nextLookAt: 50 })
  }
  const counted = items.reduce((sum, { lesson }) => sum + lesson.occurrences, 0)
  expect(counted).toBe(told.length)
  const weighed = events.flatMap((each) =>
    each.event.type === 'lesson.reconsidered' ? [`${each.runId} ${each.event.lessonId}`] : [],
  )
  expect(new Set(weighed).size).toBe(weighed.length)
})
