// Three minutes without the model, with more items than agents: whatever was being built is built afterwards, and merged.
import { playScenario } from '@treadle/engines/testing/model-server/scenarios'
import { expect, test } from 'vitest'
import { crewOf, GROWING, PROGRAMS } from '../../scenarios/kit/program-crew.ts'
import { eventually } from '../../scenarios/kit/wait.ts'

const DOWN_MS = 3 * 60_000
const NAMES = ['north', 'east', 'south', 'west']

test.for(Object.keys(PROGRAMS))(
  '%s: three minutes of overload, four items, two agents: all are merged, nobody was asked',
  async (name) => {
    let downUntil = 0
    let refused = 0
    const crew = await crewOf(name, {
      agents: 2,
      files: GROWING,
      answer: (request) => {
        // It begins in the middle of the first turn, not before it.
        if (downUntil === 0 && request.messages.length > 1) downUntil = Date.now() + DOWN_MS
        if (downUntil === 0 || Date.now() >= downUntil) return playScenario(request)
        refused += 1
        return { fault: { is: 'status', status: name === 'gemini' ? 503 : 529 } }
      },
    })
    for (const each of NAMES) await crew.add(`add ${each}`)
    const told = await eventually(
      'that the provider rests',
      async () => (await crew.client().workspace()).resting[0],
      DOWN_MS,
    )
    expect(told).toMatchObject({ engine: name })
    const shown = await Promise.all(NAMES.map((_, at) => crew.merged(at + 1)))
    expect(Date.now()).toBeGreaterThan(downUntil)
    // One try at a time for the whole crew, further and further apart.
    expect(refused).toBeGreaterThan(3)
    expect(refused).toBeLessThan(30)
    for (const [at, { item, events }] of shown.entries()) {
      expect(item.attempts).toBe(1)
      expect(events.map(({ event }) => event.type)).not.toContain('item.escalated')
      expect(crew.workspace.git('show', `main:${NAMES[at]}.mjs`)).toContain(`export const ${NAMES[at]}`)
    }
    expect(crew.workspace.git('log', '--merges', '--format=%s', 'main').split('\n')).toHaveLength(
      NAMES.length,
    )
  },
)
