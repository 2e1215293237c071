// Who waits for whom, drawn from left to right; the same in words below it.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { STATE_WORDS } from '@treadle/contracts/words/state'
import { useMemo } from 'react'
import { hrefOf } from '../parts/route.model.ts'
import { shorten } from './board.model.ts'
import { countWords } from './bulk.model.ts'
import { keyOf } from './columns.model.ts'
import { type GraphEdge, type GraphNode, graphOf, graphWords } from './graph.model.ts'

const NODES_MAX = 300
const NODE = { width: 200, height: 44, across: 260, down: 60 } as const
const TITLE_CHARS_MAX = 24

export function WorkGraphView({ items }: { items: readonly Item[] }) {
  const graph = useMemo(() => graphOf(items, NODES_MAX), [items])
  const words = useMemo(() => graphWords(graph), [graph])
  if (graph.nodes.length === 0)
    return (
      <p className="empty">
        <span>
          None of these items depends on another. Say so with <code>treadle edit 2 --after 1</code>.
        </span>
      </p>
    )
  const width = graph.layers * NODE.across - (NODE.across - NODE.width) + 8
  const height = graph.rows * NODE.down + 8
  return (
    <div className="work-graph">
      <p className="muted">
        Arrows lead from what must be done first to what waits for it; dashed lines lead to the parts of an
        item.
        {graph.alone > 0 && ` ${countWords(graph.alone)} without dependencies not drawn.`}
        {graph.leftOut > 0 && ` ${countWords(graph.leftOut)} more have dependencies: filter to see them.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="card graph-scroll" tabIndex={0} aria-label="Dependencies, drawn">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in for a drawing with links */}
        <svg
          width={width}
          height={height}
          viewBox={`-4 -4 ${width} ${height}`}
          role="group"
          aria-label="Dependencies"
        >
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0 8 4 0 8z" />
            </marker>
          </defs>
          {graph.edges.map((edge) => (
            <Edge key={`${edge.is} ${keyOf(edge.from.item)} ${keyOf(edge.to.item)}`} edge={edge} />
          ))}
          {graph.nodes.map((node) => (
            <Node key={keyOf(node.item)} node={node} />
          ))}
        </svg>
      </section>
      <details>
        <summary>The same as text</summary>
        <ul className="graph-words">
          {words.map((line) => (
            <li key={line} dir="auto">
              {line}
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}

function placeOf({ layer, row }: GraphNode): { x: number; y: number } {
  return { x: layer * NODE.across, y: row * NODE.down }
}

function Edge({ edge: { from, to, is } }: { edge: GraphEdge }) {
  const [start, end] = [placeOf(from), placeOf(to)]
  const x = start.x + NODE.width
  const y = start.y + NODE.height / 2
  const toY = end.y + NODE.height / 2
  const bend = Math.max(24, (end.x - x) / 2)
  return (
    <path
      className="edge"
      data-is={is}
      d={`M${x} ${y}C${x + bend} ${y} ${end.x - bend} ${toY} ${end.x} ${toY}`}
      markerEnd={is === 'waits' ? 'url(#arrow)' : undefined}
    />
  )
}

function Node({ node }: { node: GraphNode }) {
  const { item } = node
  const { x, y } = placeOf(node)
  const { words, tone } = STATE_WORDS[item.state]
  return (
    <a
      href={hrefOf({ is: 'item', item: { projectNumber: item.projectNumber, number: item.number } })}
      data-tone={tone}
    >
      <title>{item.title}</title>
      <rect x={x} y={y} width={NODE.width} height={NODE.height} rx="8" />
      <text x={x + 12} y={y + 18}>
        {shorten(item.title, TITLE_CHARS_MAX)}
      </text>
      <text x={x + 12} y={y + 35} className="second">
        {itemLabel(item)} · {words}
      </text>
    </a>
  )
}
