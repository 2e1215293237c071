// Search, filters, the view, and views that the reader has saved. All of it is in the address.
import { ENGINE_NAMES } from '@treadle/contracts/config/engines'
import { EvidenceLevel } from '@treadle/contracts/evidence-level'
import { type Item, ItemState } from '@treadle/contracts/item'
import { EVIDENCE_WORDS, STATE_WORDS } from '@treadle/contracts/words/state'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { FormDialog, TextField } from '../parts/form-dialog.tsx'
import { WorkViews } from '../parts/work-views.tsx'
import { useViews } from './use-views.ts'
import {
  countFilters,
  EVERYTHING,
  readWorkQuery,
  type WorkQuery,
  writeWorkQuery,
} from './work-query.model.ts'

interface ToolbarProps {
  readonly query: WorkQuery
  readonly items: readonly Item[]
  /** The number of items that the filters let through. */
  readonly shown: number
  readonly onQuery: (query: WorkQuery) => void
}

export function WorkToolbar({ query, items, shown, onQuery }: ToolbarProps) {
  const filters = countFilters(query)
  const set = (part: Partial<WorkQuery>) => onQuery({ ...query, ...part })
  return (
    <search className="work-toolbar" aria-label="Filter items">
      <WorkViews view={query.view} onItems={(view) => set({ view })} />
      <SearchField text={query.text} onText={(text) => set({ text })} />
      <Filters query={query} items={items} set={set} />
      {filters > 0 && (
        <>
          <p className="muted" role="status">
            {shown.toLocaleString('en')} of {items.length.toLocaleString('en')}
          </p>
          <button
            type="button"
            className="plain"
            onClick={() =>
              onQuery({ ...EVERYTHING, view: query.view, sort: query.sort, isDown: query.isDown })
            }
          >
            Clear filters
          </button>
        </>
      )}
      <Views query={query} onQuery={onQuery} />
    </search>
  )
}

const TYPED_MS = 200

/** The address follows when the reader pauses; each letter would be a navigation. */
function SearchField({ text, onText }: { text: string; onText: (text: string) => void }) {
  const [typed, setTyped] = useState(text)
  const latest = useRef(onText)
  latest.current = onText
  useEffect(() => setTyped(text), [text])
  useEffect(() => {
    if (typed === text) return
    const rest = setTimeout(() => latest.current(typed), TYPED_MS)
    return () => clearTimeout(rest)
  }, [typed, text])
  return (
    <input
      type="search"
      placeholder="Search"
      aria-label="Search items"
      value={typed}
      maxLength={200}
      onChange={(event) => setTyped(event.target.value)}
    />
  )
}

interface FiltersProps extends Pick<ToolbarProps, 'query' | 'items'> {
  readonly set: (part: Partial<WorkQuery>) => void
}

function Filters({ query, items, set }: FiltersProps) {
  const known = useMemo(() => {
    const sorted = (values: Iterable<number>) => [...new Set(values)].sort((a, b) => a - b)
    const agents = items.flatMap((item) => item.claimedByAgentId ?? item.assignedAgentId ?? [])
    return {
      priorities: sorted(items.flatMap(({ priority }) => priority ?? [])),
      agents: [...new Set(agents)].sort(),
      engines: [...new Set([...items.flatMap(({ engine }) => engine ?? []), ...ENGINE_NAMES])],
    }
  }, [items])
  return (
    <>
      <Filter
        label="State"
        value={query.state}
        onValue={(state) => set({ state: state as WorkQuery['state'] })}
      >
        {ItemState.options.map((state) => (
          <option key={state} value={state}>
            {STATE_WORDS[state].words}
          </option>
        ))}
      </Filter>
      <Filter label="Priority" value={query.priority} onValue={(priority) => set({ priority })}>
        {known.priorities.map((priority) => (
          <option key={priority} value={priority}>
            {priority}
          </option>
        ))}
        <option value="none">None</option>
      </Filter>
      <Filter label="Engine" value={query.engine} onValue={(engine) => set({ engine })}>
        {known.engines.map((engine) => (
          <option key={engine}>{engine}</option>
        ))}
      </Filter>
      <Filter label="Agent" value={query.agent} onValue={(agent) => set({ agent })}>
        {known.agents.map((agent) => (
          <option key={agent}>{agent}</option>
        ))}
      </Filter>
      <Filter
        label="Evidence"
        value={query.evidence}
        onValue={(evidence) => set({ evidence: evidence as WorkQuery['evidence'] })}
      >
        {EvidenceLevel.options.map((level) => (
          <option key={level} value={level}>
            {EVIDENCE_WORDS[level].words}
          </option>
        ))}
      </Filter>
    </>
  )
}

interface FilterProps {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly children: ReactNode
}

function Filter({ label, value, onValue, children }: FilterProps) {
  return (
    <select
      aria-label={label}
      value={value}
      data-set={value !== '' || undefined}
      onChange={(event) => onValue(event.target.value)}
    >
      <option value="">{label}</option>
      {children}
    </select>
  )
}

function Views({ query, onQuery }: Pick<ToolbarProps, 'query' | 'onQuery'>) {
  const { views, save, remove } = useViews()
  const [saving, setSaving] = useState(false)
  const [wrong, setWrong] = useState<string | null>(null)
  const written = writeWorkQuery(query)
  const at = views.find((view) => view.query === written)
  return (
    <div className="views">
      {views.length > 0 && (
        <select
          aria-label="Saved view"
          value={at?.name ?? ''}
          onChange={(event) => {
            const view = views.find(({ name }) => name === event.target.value)
            if (view !== undefined) onQuery(readWorkQuery(view.query))
          }}
        >
          <option value="" disabled>
            Saved views
          </option>
          {views.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      {at === undefined ? (
        written !== '' && (
          <button type="button" className="plain" onClick={() => setSaving(true)}>
            Save view…
          </button>
        )
      ) : (
        <button type="button" className="plain" onClick={() => remove(at.name)}>
          Delete view
        </button>
      )}
      {saving && (
        <FormDialog
          title="Save this view"
          words="Save view"
          problem={wrong}
          problemAt="name"
          onChange={() => setWrong(null)}
          onSubmit={({ text }) => {
            const name = text('name').trim()
            if (name === '') return setWrong('Give it a name.')
            save({ name, query: written })
            setSaving(false)
          }}
          onClose={() => setSaving(false)}
        >
          <div className="fields">
            <TextField name="name" label="Name" maxLength={60} />
          </div>
          <p className="muted">It is kept in this browser.</p>
        </FormDialog>
      )}
    </div>
  )
}
