// Once a week people are told what was learned in it, through a daemon on a clock that the test leads.
import { randomUUID } from 'node:crypto'
import type { Lesson } from '@treadle/contracts/lesson'
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { useInProcess } from '../kit/in-process.ts'
import { LedClock } from '../kit/led-clock.ts'
import { eventually } from '../kit/wait.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
// A Sunday, two hours before the week is over.
const clock = new LedClock(new Date('2026-06-14T22:00:00Z'))
const open = useInProcess('any', { clock, settings: { questions: { celebrate: true } } })

const learned = (type: Lesson['type'], content: string, confidence: number): Lesson => ({
  id: randomUUID(),
  type,
  content,
  glob: null,
  action: null,
  topic: null,
  signature: null,
  confidence,
  discoveredBy: 'ada',
  provenance: { runId: null, attempt: null, commit: null },
  payload: {},
  unconfirmed: false,
  occurrences: 1,
  seenIn: [],
  verdict: 'on_trial',
  looks: 0,
  weighed: false,
  supersededBy: null,
  supersededAt: null,
  why: null,
  createdAt: clock.now().toISOString(),
  updatedAt: clock.now().toISOString(),
})

verifies(
  'AGENT-QUESTION-40',
  'the week that is over is told once: new patterns and gotchas, all entries, and the most useful one',
  async (context) => {
    const daemon = await open(context)
    const asked = async () =>
      (await daemon.client.listQuestions({ query: {} })).items.filter(
        ({ event }) => event === 'weekly_summary',
      )
    const lessons = [
      learned('pattern', 'Quote every path', 0.9),
      learned('pattern', 'Close what you open', 0.8),
      learned('gotcha', 'Dates have a zone', 0.7),
    ]
    await daemon.client.restoreLessons({ body: { lessons } })
    const pass = async (hours: number) => {
      for (let done = 0; done < hours * 4; done += 1) {
        clock.pass(15 * MINUTE)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    await pass(1)
    expect(await asked()).toEqual([])
    const [question] = await eventually('the week is told', async () => {
      await pass(0.25)
      const found = await asked()
      return found.length > 0 ? found : undefined
    })
    expect(question).toMatchObject({ type: 'celebratory', blocking: false })
    expect(question?.options.map(({ label }) => label)).toEqual([
      'Show me the new patterns',
      'Review gotchas',
      'Looks good, continue',
    ])
    for (const words of ['patterns: 2', 'gotchas: 1', 'in all: 3', 'CLAUDE.md: 0', 'Quote every path'])
      expect(question?.text).toContain(words)
    clock.pass(8 * 24 * HOUR)
    await pass(1)
    // The next week brought nothing.
    expect(await asked()).toHaveLength(1)
  },
)
