// The views of the work: the items as a board, a list or a graph, and what they come from.
import { Choice } from './choice.tsx'
import { BUILDS, hrefOf, IDEAS, SPECIFICATIONS } from './route.model.ts'

export type ItemsView = 'board' | 'list' | 'graph'
type WorkScreenView = ItemsView | 'ideas' | 'specifications' | 'builds'

const VIEWS: readonly { readonly value: WorkScreenView; readonly words: string }[] = [
  { value: 'board', words: 'Board' },
  { value: 'list', words: 'List' },
  { value: 'graph', words: 'Graph' },
  { value: 'ideas', words: 'Ideas' },
  { value: 'specifications', words: 'Specifications' },
  { value: 'builds', words: 'Builds' },
]

interface WorkViewsProps {
  readonly view: WorkScreenView
  readonly onItems: (view: ItemsView) => void
}

export function WorkViews({ view, onItems }: WorkViewsProps) {
  const choose = (chosen: WorkScreenView) => {
    if (chosen === 'ideas') location.assign(hrefOf(IDEAS))
    else if (chosen === 'specifications') location.assign(hrefOf(SPECIFICATIONS))
    else if (chosen === 'builds') location.assign(hrefOf(BUILDS))
    else onItems(chosen)
  }
  return <Choice label="View" options={VIEWS} value={view} onChoose={choose} />
}

/** Leads from an idea or a specification back to the items. */
export function showItems(view: ItemsView): void {
  location.assign(hrefOf({ is: 'work', query: view === 'board' ? '' : `view=${view}` }))
}
