// How many agents a workspace has room for.
import type { Config } from '@treadle/contracts/config'

export interface CrewCapacity {
  readonly agents: number
  readonly why: string
  readonly hint: string
}

export function capacityFor({ flags, limits }: Pick<Config, 'flags' | 'limits'>): CrewCapacity {
  if (flags.enable_multi_agent === false)
    return {
      agents: 1,
      why: 'flags.enable_multi_agent is false, so one agent works and no more',
      hint: 'Set it to true in treadle.json to have several again.',
    }
  return {
    agents: limits.agents,
    why: `a workspace runs at most ${limits.agents} agents, agent-1 to agent-${limits.agents}`,
    hint: 'Ask for fewer.',
  }
}
