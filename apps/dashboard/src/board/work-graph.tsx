// Who waits for whom, drawn from left to right; the same in words below it.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { STATE_WORDS } from '@treadle/contracts/words/state'
import { useMemo } from 'react'
import { type DrawnNode, GraphDrawing } from '../parts/graph-drawing.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { countWords } from './bulk.model.ts'
import { keyOf } from './columns.model.ts'
import { type GraphNode, graphOf, graphWords } from './graph.model.ts'
import type { WorkOrders } from './work-column.tsx'

const NODES_MAX = 300

export function WorkGraphView({ items, orders }: { items: readonly Item[]; orders: WorkOrders }) {
  const graph = useMemo(() => graphOf(items, NODES_MAX), [items])
  const words = useMemo(() => graphWords(graph), [graph])
  if (graph.nodes.length === 0)
    return (
      <p className="empty">
        <span>
          None of these items depends on another. Drag a card onto another on the board, or say so with{' '}
          <code>treadle edit 2 --after 1</code>.
        </span>
      </p>
    )
  return (
    <div className="work-graph">
      <p className="muted">
        Arrows lead from what must be done first to what waits for it; dashed lines lead to the parts of an
        item. Drag an item onto the one that must be done first, or press <kbd>a</kbd> on it.
        {graph.alone > 0 && ` ${countWords(graph.alone)} without dependencies not drawn.`}
        {graph.leftOut > 0 && ` ${countWords(graph.leftOut)} more have dependencies: filter to see them.`}
      </p>
      <GraphDrawing
        nodes={graph.nodes.map(drawn)}
        edges={graph.edges.map(({ from, to, is }) => ({ from: drawn(from), to: drawn(to), is }))}
        words={words}
        onLink={(from, to) => orders.link(to, 'after', from)}
        onAsk={orders.askLinks}
      />
    </div>
  )
}

function drawn({ item, layer, row }: GraphNode): DrawnNode {
  const { projectNumber, number, state, title } = item
  const { words, tone } = STATE_WORDS[state]
  return {
    key: keyOf(item),
    layer,
    row,
    title,
    second: `${itemLabel(item)} · ${words}`,
    href: hrefOf({ is: 'item', item: { projectNumber, number } }),
    tone,
  }
}
