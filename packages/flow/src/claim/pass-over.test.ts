import type { StoredEvent } from '@treadle/contracts/event'
import { expect, test } from 'vitest'
import { wasTakenFrom } from './pass-over.ts'

type Told = Pick<StoredEvent, 'agentId' | 'event'>

const RUN = '00000000-0000-4000-8000-000000000001'
const assigned = (from: Told['agentId'], to: Told['agentId']): Told => ({
  agentId: from,
  event: { type: 'item.assigned', by: 'ada', to },
})
const taken = (agentId: string): Told => ({ agentId, event: { type: 'claim.taken', agentId, runId: RUN } })

test.each<[string, Told[], boolean]>([
  ['nothing has happened to it', [], false],
  ['an order took it from agent-1', [taken('agent-1'), assigned('agent-1', null)], true],
  ['an order gave it to agent-2', [taken('agent-1'), assigned('agent-1', 'agent-2')], true],
  ['an order gave it back to agent-1', [assigned('agent-1', null), assigned('agent-1', 'agent-1')], false],
  ['an order took it from another', [taken('agent-2'), assigned('agent-2', null)], false],
  ['somebody has claimed it since', [assigned('agent-1', null), taken('agent-2')], false],
])('%s', (_, events, expected) => {
  expect(wasTakenFrom('agent-1', events)).toBe(expected)
})
