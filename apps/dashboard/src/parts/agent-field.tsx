// The field of a form that says which agent is to have an item.
import type { Agent } from '@treadle/contracts/agent'
import { type AgentId, agentNumber } from '@treadle/contracts/ids'
import { orderAgents, statusWords } from './agents.model.ts'
import type { TypedFields } from './form.model.ts'
import { SelectField } from './form-dialog.tsx'

/** Agents that only review are left out, and the one that has it already. */
export function AgentField({ agents, not = null }: { agents: readonly Agent[]; not?: AgentId | null }) {
  return (
    <SelectField name="agent" label="Who is to work on it?">
      <option value="">Anybody who is free</option>
      {orderAgents(agents)
        .filter(({ id }) => id !== not && agentNumber(id) !== null)
        .map(({ id, status }) => (
          <option key={id} value={id}>
            {id} ({statusWords(status).toLowerCase()})
          </option>
        ))}
    </SelectField>
  )
}

/** The agent that was chosen; null: anybody. */
export function agentIn({ text }: TypedFields): AgentId | null {
  const id = text('agent')
  return id === '' ? null : id
}
