// What is told of an agent.
import { z } from 'zod'
import { AgentStatus } from '../agent.ts'
import { event, line, type Sentences, why } from './shape.ts'

/** Facts that move no item. */
const facts = [
  event('agent.started', { pid: z.int() }),
  event('agent.status_changed', { from: AgentStatus.nullable(), to: AgentStatus }),
  /** It said of itself what does not follow from what it was; it was not believed. */
  event('agent.status_refused', { from: AgentStatus, to: AgentStatus, why }),
  event('agent.crashed', { why }),
  event('agent.stopped', { why }),
] as const

export const agentEvents = {
  facts,
  sentences: {
    'agent.started': ({ pid }, { agent }) => line(`${agent} started`, `process ${pid}`),
    'agent.status_changed': ({ to }, { agent }) => line(`${agent} is now ${to}`),
    'agent.status_refused': ({ to, why }, { agent }) =>
      line(`${agent} said it was ${to} and was not believed`, why, 'attention'),
    'agent.crashed': ({ why }, { agent }) => line(`${agent} crashed`, why, 'bad'),
    'agent.stopped': ({ why }, { agent }) => line(`${agent} stopped`, why),
  } satisfies Sentences<(typeof facts)[number]>,
}
