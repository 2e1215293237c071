import { type Agent, AgentStatus } from '@treadle/contracts/agent'
import { expect, test } from 'vitest'
import { orderAgents, statusWords } from './agents.model.ts'

test.each(AgentStatus.options.map((status) => ({ status })))('$status has words', ({ status }) => {
  expect(statusWords(status).toLowerCase()).toBe(status)
})

test('agents are ordered by number, the reviewer last', () => {
  const crew = ['review-agent', 'agent-10', 'agent-2', 'agent-1'].map((id) => ({ id }) as Agent)
  expect(orderAgents(crew).map(({ id }) => id)).toEqual(['agent-1', 'agent-2', 'agent-10', 'review-agent'])
})
