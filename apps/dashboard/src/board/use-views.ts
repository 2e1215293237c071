// Views that the reader has saved, by name: kept in the browser, or by the editor around the page.
import { useContext, useState } from 'react'
import { PortContext } from '../webview/host-context.tsx'

interface SavedView {
  readonly name: string
  /** As the address says it. */
  readonly query: string
}

const VIEWS_MAX = 20
const KEY = 'work.views'
const STORED = `treadle.kept.${KEY}`

interface SavedViews {
  readonly views: readonly SavedView[]
  /** A view of the same name is replaced; of too many the oldest goes. */
  readonly save: (view: SavedView) => void
  readonly remove: (name: string) => void
}

export function useViews(): SavedViews {
  const port = useContext(PortContext)
  const [views, setViews] = useState(() =>
    read(port === null ? localStorage.getItem(STORED) : port.kept.kept[KEY]),
  )
  const keep = (next: readonly SavedView[]) => {
    setViews(next)
    const text = JSON.stringify(next)
    if (port === null) localStorage.setItem(STORED, text)
    else port.keep({ kept: { ...port.kept.kept, [KEY]: text } })
  }
  const without = (name: string) => views.filter((view) => view.name !== name)
  return {
    views,
    save: (view) => keep([...without(view.name), view].slice(-VIEWS_MAX)),
    remove: (name) => keep(without(name)),
  }
}

/** Anybody may have written there; what cannot be read is as if nothing was saved. */
function read(kept: unknown): readonly SavedView[] {
  if (typeof kept !== 'string') return []
  try {
    const views: unknown = JSON.parse(kept)
    return Array.isArray(views) ? views.filter(isView).slice(0, VIEWS_MAX) : []
  } catch {
    return []
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false
  return (
    'name' in value && typeof value.name === 'string' && 'query' in value && typeof value.query === 'string'
  )
}
