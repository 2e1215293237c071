// What each agent loads, and when: the strategies as data. `openLoader` in loader.ts keeps to them.
import type { PartName, Trust } from './parts.ts'

type Strategy = 'LAZY' | 'EAGER' | 'PHASED'

/**
 * start, candidate and task are moments of the agent's work, and what belongs to one is loaded when it comes;
 * demand is no moment: such a source is read only when it is asked for by name.
 */
export type Moment = 'start' | 'candidate' | 'task'
type When = Moment | 'demand'

export interface Load {
  readonly source: string
  readonly when: When
  readonly name: PartName
  readonly trust: Trust
  /** How many messages, where the source is a conversation. */
  readonly last?: number
}

export interface ContextPlan<S extends string = string> {
  readonly strategy: Strategy
  readonly why: string
  /** generation: nothing is read twice until the loader is closed. */
  readonly cache: 'none' | 'generation'
  readonly loads: readonly (Load & { readonly source: S })[]
}

export const MEMORY_MESSAGES = 20

const PLANS = {
  ideation: {
    strategy: 'LAZY',
    why: 'context grows during the conversation',
    cache: 'none',
    loads: [
      { source: 'session_state', when: 'start', name: 'task', trust: 'owner' },
      { source: 'memory', when: 'demand', name: 'recent_memory', trust: 'owner', last: MEMORY_MESSAGES },
      { source: 'idea_artifacts', when: 'candidate', name: 'readme', trust: 'project' },
      { source: 'web_results', when: 'demand', name: 'research', trust: 'untrusted' },
    ],
  },
  specification: {
    strategy: 'EAGER',
    why: 'a complete specification needs the whole context',
    cache: 'generation',
    loads: [
      { source: 'idea_documents', when: 'start', name: 'task', trust: 'owner' },
      { source: 'gotchas', when: 'start', name: 'gotchas', trust: 'tool' },
      { source: 'codebase_patterns', when: 'start', name: 'conventions', trust: 'project' },
    ],
  },
  build: {
    strategy: 'PHASED',
    why: 'enough for each task without everything for all of them',
    cache: 'none',
    loads: [
      { source: 'spec', when: 'start', name: 'task', trust: 'owner' },
      { source: 'tasks', when: 'start', name: 'task', trust: 'owner' },
      { source: 'conventions', when: 'start', name: 'conventions', trust: 'project' },
      { source: 'task_gotchas', when: 'task', name: 'gotchas', trust: 'tool' },
      { source: 'referenced_files', when: 'demand', name: 'template', trust: 'project' },
    ],
  },
  sia: {
    strategy: 'EAGER',
    why: 'an accurate analysis needs the complete picture',
    cache: 'none',
    loads: [
      { source: 'execution_history', when: 'start', name: 'task', trust: 'tool' },
      { source: 'git_diff', when: 'start', name: 'template', trust: 'project' },
      { source: 'task_results', when: 'start', name: 'task', trust: 'tool' },
      { source: 'similar_reviews', when: 'start', name: 'research', trust: 'tool' },
    ],
  },
} as const satisfies Record<string, ContextPlan>

export type PlannedAgent = keyof typeof PLANS
export type SourceOf<A extends PlannedAgent> = (typeof PLANS)[A]['loads'][number]['source']

export function planFor<A extends PlannedAgent>(agent: A): ContextPlan<SourceOf<A>> {
  return PLANS[agent]
}
