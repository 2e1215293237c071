// Real programs and a model that fails in every way that passes: it is too much asked, breaks off, and breaks.
import type { ModelFault, ModelRequest } from '@treadle/engines/testing/model-server/exchange'
import { playScenario } from '@treadle/engines/testing/model-server/scenarios'
import { expect, test } from 'vitest'
import { crewOf, PROGRAMS } from '../../scenarios/kit/program-crew.ts'

const RETRY_AFTER_S = 8
const broken: ModelFault = { is: 'status', status: 500 }
/** What happens to each step, and then no more. */
const DAY: readonly (ModelFault | null)[] = [
  null,
  { is: 'status', status: 429, retryAfterSeconds: RETRY_AFTER_S },
  null,
  { is: 'cut' },
  null,
  broken,
  broken,
]

function wordOf(fault: ModelFault | null): string {
  if (fault === null) return 'good'
  return fault.is === 'status' ? String(fault.status) : fault.is
}

/** Beside the work a program asks for titles and the like. */
const isStep = ({ tools, schema }: ModelRequest) => tools.length > 0 && schema === null

test.for(Object.keys(PROGRAMS))(
  '%s: 429 with a time, a stream that is cut and errors of the server cost no attempt, and the item is merged',
  async (name) => {
    const served: { readonly fault: ModelFault | null; readonly atMs: number }[] = []
    const crew = await crewOf(name, {
      answer: (request) => {
        if (!isStep(request)) return playScenario(request)
        const fault = DAY[served.length] ?? null
        served.push({ fault, atMs: performance.now() })
        return fault === null ? playScenario(request) : { ...playScenario(request), fault }
      },
    })
    await crew.add('edit')
    const { item, runs, events } = await crew.merged(1)
    process.stdout.write(`${name}: ${served.map(({ fault }) => wordOf(fault)).join(', ')}\n`)
    expect(served.slice(0, DAY.length).map(({ fault }) => fault)).toEqual(DAY)
    // The time that the provider named was kept to, whatever the program would have done.
    const limited = served.findIndex(({ fault }) => fault?.is === 'status' && fault.status === 429)
    const waitedMs = (served[limited + 1]?.atMs ?? 0) - (served[limited]?.atMs ?? 0)
    expect(waitedMs).toBeGreaterThanOrEqual(RETRY_AFTER_S * 1_000 - 50)
    expect([item.attempts, runs.length]).toEqual([1, 1])
    expect(events.map(({ event }) => event.type)).not.toContain('item.escalated')
    expect(crew.workspace.git('show', 'main:sum.mjs')).toContain('a + b')
  },
)
