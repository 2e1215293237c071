import type { Client } from '@treadle/contracts/client'
import type { StoredEvent } from '@treadle/contracts/event'
import { expect, test } from 'vitest'
import { followRun, type History } from './run-history.ts'

const RUN = 'a-run'
const said = (n: number, runId = RUN) =>
  ({ cursor: `${100 + n}.${n}`, runId, event: { type: 'run.said', text: String(n) } }) as StoredEvent
const moment = () => new Promise((resolve) => setTimeout(resolve))

/** A log, its feed, and what the page was told last. */
function feed(...log: StoredEvent[]) {
  const waiting: (() => void)[] = []
  let hear: (events: readonly StoredEvent[]) => void = () => undefined
  let told: History | null = null
  const runHistory = async () => {
    await new Promise<void>((end) => waiting.push(end))
    return { items: log, cursor: log.at(-1)?.cursor ?? '0.0' }
  }
  const live = {
    client: { runHistory } as unknown as Client,
    onHeard: (hearer: typeof hear) => {
      hear = hearer
      return () => {
        hear = () => undefined
      }
    },
  }
  const stop = followRun(live, RUN, (history) => {
    told = history
  })
  return {
    stop,
    asked: () => waiting.length,
    hear: (...events: StoredEvent[]) => hear(events),
    answer: async () => {
      waiting.at(-1)?.()
      await moment()
    },
    numbers: () => told?.events.map(({ event }) => event.type === 'run.said' && Number(event.text)) ?? null,
  }
}

test('what is heard while the history is read is told behind it, once', async () => {
  const run = feed(said(1), said(2))
  // The answer is on its way when these come; one of them is in it.
  run.hear(said(2), said(3, 'another-run'))
  run.hear(said(4))
  expect(run.numbers()).toBeNull()
  await run.answer()
  expect(run.numbers()).toEqual([1, 2, 4])
})

test('the feed goes on behind what was read, without asking again', async () => {
  const run = feed()
  await run.answer()
  expect(run.numbers()).toEqual([])
  for (let n = 1; n <= 100; n += 1) run.hear(said(n), said(n, 'another-run'))
  // A poll and the stream may both bring an event.
  run.hear(said(99), said(100))
  expect(run.numbers()).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  expect(run.asked()).toBe(1)
  run.stop()
  run.hear(said(101))
  expect(run.numbers()).toHaveLength(100)
})
