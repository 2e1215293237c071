// The run before the one at hand, as the daemon tells of it.
import type { TreadleEvent } from '@treadle/contracts/event'
import { blankItem } from '@treadle/contracts/item'
import { blankRun } from '@treadle/contracts/run'
import { expect, test } from 'vitest'
import type { Home } from './home.ts'
import { findEarlierRun } from './run-history.ts'

const AT = '2026-01-01T00:00:00.000Z'
const item = blankItem({ number: 7, title: 'Half', createdAt: AT })
const runOf = (fence: number) =>
  blankRun({
    id: `00000000-0000-4000-8000-00000000000${fence}`,
    item: { projectNumber: 1, number: 7 },
    agentId: 'agent-1',
    startedAt: AT,
    fence,
  })
const events: TreadleEvent[] = [
  { type: 'run.session', engine: 'native', session: 's2' },
  { type: 'run.observed', observation: { kind: 'command', text: 'ls' } as never },
]

function homeOf() {
  const asked: string[] = []
  const client = {
    showItem: async () => ({ runs: [3, 1, 2].map(runOf), events: [] }),
    runHistory: async ({ params, query }: { params: { id: string }; query: { after: string } }) => {
      asked.push(params.id)
      return { items: query.after === 'end' ? [] : events.map((event) => ({ event })), cursor: 'end' }
    },
  }
  return { home: { client: () => client } as unknown as Home, asked }
}

test('it is the latest run with a smaller fence', async () => {
  const { home, asked } = homeOf()
  const found = await findEarlierRun(home, { item, run: runOf(3), fence: 3, resumed: false })
  expect(found).toMatchObject({ id: runOf(2).id, conversations: new Map([['native', 's2']]) })
  expect(new Set(asked)).toEqual(new Set([runOf(2).id]))
})

test('at the first claim nobody is asked', async () => {
  const { home, asked } = homeOf()
  expect(await findEarlierRun(home, { item, run: runOf(1), fence: 1, resumed: false })).toBeNull()
  expect(asked).toEqual([])
})
