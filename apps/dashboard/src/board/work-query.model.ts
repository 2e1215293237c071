// What the work screen shows, as the address says it: the view, the filters and the order of the list.
import { EvidenceLevel } from '@treadle/contracts/evidence-level'
import { AgentId } from '@treadle/contracts/ids'
import { ItemState } from '@treadle/contracts/item'
import type { ItemsView } from '../parts/work-views.tsx'

const VIEWS: readonly ItemsView[] = ['board', 'list', 'graph']

const SORTS = ['queue', 'number', 'title', 'state', 'priority', 'evidence', 'cost', 'updated'] as const
export type SortId = (typeof SORTS)[number]

export interface WorkQuery {
  readonly view: ItemsView
  /** A state of items; an empty text stands for any, here and below. */
  readonly state: ItemState | ''
  /** A number, or none. */
  readonly priority: string
  readonly engine: string
  readonly agent: string
  readonly evidence: EvidenceLevel | ''
  readonly text: string
  readonly sort: SortId
  /** The list begins with what is greatest. */
  readonly isDown: boolean
}

const TEXT_CHARS_MAX = 200
export const EVERYTHING: WorkQuery = {
  view: 'board',
  state: '',
  priority: '',
  engine: '',
  agent: '',
  evidence: '',
  text: '',
  sort: 'queue',
  isDown: false,
}

/** Whatever an address says that is none is left out. */
export function readWorkQuery(query: string): WorkQuery {
  const said = new URLSearchParams(query)
  const oneOf = <T extends string>(name: string, known: readonly T[]): T | undefined =>
    known.find((each) => each === said.get(name))
  const priority = said.get('priority') ?? ''
  const agent = AgentId.safeParse(said.get('agent'))
  return {
    view: oneOf('view', VIEWS) ?? 'board',
    state: oneOf('state', ItemState.options) ?? '',
    priority: /^(?:none|\d{1,4})$/.test(priority) ? priority : '',
    engine: (said.get('engine') ?? '').slice(0, TEXT_CHARS_MAX),
    agent: agent.success ? agent.data : '',
    evidence: oneOf('evidence', EvidenceLevel.options) ?? '',
    text: (said.get('q') ?? '').slice(0, TEXT_CHARS_MAX),
    sort: oneOf('sort', SORTS) ?? 'queue',
    isDown: said.get('down') === '1',
  }
}

/** The same as an address says it, without what goes without saying. */
export function writeWorkQuery(query: WorkQuery): string {
  const said = new URLSearchParams()
  if (query.view !== 'board') said.set('view', query.view)
  for (const name of ['state', 'priority', 'engine', 'agent', 'evidence'] as const)
    if (query[name] !== '') said.set(name, query[name])
  if (query.text.trim() !== '') said.set('q', query.text)
  if (query.sort !== 'queue') said.set('sort', query.sort)
  if (query.isDown) said.set('down', '1')
  return said.toString()
}

/** The number of filters that are set. */
export function countFilters({ state, priority, engine, agent, evidence, text }: WorkQuery): number {
  return [state, priority, engine, agent, evidence, text.trim()].filter((each) => each !== '').length
}
