// What waits for what, drawn from left to right; the same in words below it.
import type { Tone } from '@treadle/contracts/words/state'
import { shorten } from './shorten.model.ts'
import { useLinkDrag } from './use-link-drag.ts'
import './graph-drawing.css'

export interface DrawnNode {
  readonly key: string
  readonly layer: number
  /** The place within the layer. */
  readonly row: number
  readonly title: string
  /** The line below the title. */
  readonly second: string
  readonly href: string
  readonly tone?: Tone
}

export interface DrawnEdge {
  readonly from: DrawnNode
  readonly to: DrawnNode
  /** `waits`: the second waits for the first. `part`: the second is a part of the first. */
  readonly is: 'waits' | 'part'
}

interface GraphDrawingProps {
  readonly nodes: readonly DrawnNode[]
  readonly edges: readonly DrawnEdge[]
  /** A sentence for each node, for whoever does not see the drawing. */
  readonly words: readonly string[]
  /** Names above layers. */
  readonly heads?: readonly { readonly layer: number; readonly words: string }[]
  /** One node was dragged onto another; without it, nothing can be dragged. */
  readonly onLink?: (fromKey: string, toKey: string) => void
  /** The key for links was pressed on a node. */
  readonly onAsk?: (key: string) => void
}

const NODE = { width: 200, height: 44, across: 260, down: 60 } as const
const HEAD = 30
const TITLE_CHARS_MAX = 24

export function GraphDrawing({ nodes, edges, words, heads = [], onLink, onAsk }: GraphDrawingProps) {
  const { svg, line, over, handlers } = useLinkDrag(onLink)
  const most = (of: (node: DrawnNode) => number) =>
    nodes.reduce((max, node) => Math.max(max, of(node) + 1), 0)
  const width = most(({ layer }) => layer) * NODE.across - (NODE.across - NODE.width) + 8
  const height = most(({ row }) => row) * NODE.down + 8
  const above = heads.length === 0 ? 0 : HEAD
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="card graph-scroll" tabIndex={0} aria-label="Dependencies, drawn">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in for a drawing with links */}
        <svg
          ref={svg}
          data-linking={line !== null || undefined}
          {...handlers}
          width={width}
          height={height + above}
          viewBox={`-4 ${-4 - above} ${width} ${height + above}`}
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
          {heads.map((head) => (
            <text key={head.layer} className="layer-head" x={head.layer * NODE.across} y={-14}>
              {head.words}
            </text>
          ))}
          {edges.map((edge) => (
            <Edge key={`${edge.is} ${edge.from.key} ${edge.to.key}`} edge={edge} />
          ))}
          {nodes.map((node) => (
            <Node key={node.key} node={node} isOver={over === node.key} onAsk={onAsk} />
          ))}
          {line !== null && (
            <line className="link-line" x1={line.x1} y1={line.y1} x2={line.x2} y2={line.y2} />
          )}
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
    </>
  )
}

function placeOf({ layer, row }: DrawnNode): { x: number; y: number } {
  return { x: layer * NODE.across, y: row * NODE.down }
}

function Edge({ edge: { from, to, is } }: { edge: DrawnEdge }) {
  const [start, end] = [placeOf(from), placeOf(to)]
  const x = start.x + NODE.width
  const y = start.y + NODE.height / 2
  const toY = end.y + NODE.height / 2
  const bend = Math.max(24, (end.x - x) / 2)
  // An arrow that passes by others leads between the rows.
  const aside = to.layer - from.layer > 1 && from.row === to.row ? NODE.down * 0.7 : 0
  return (
    <path
      className="edge"
      data-is={is}
      d={`M${x} ${y}C${x + bend} ${y + aside} ${end.x - bend} ${toY + aside} ${end.x} ${toY}`}
      markerEnd={is === 'waits' ? 'url(#arrow)' : undefined}
    />
  )
}

interface NodeProps {
  readonly node: DrawnNode
  /** Another node is held over it. */
  readonly isOver: boolean
  readonly onAsk: ((key: string) => void) | undefined
}

function Node({ node, isOver, onAsk }: NodeProps) {
  const { x, y } = placeOf(node)
  return (
    <a
      href={node.href}
      data-tone={node.tone}
      data-node={node.key}
      data-over={isOver || undefined}
      aria-keyshortcuts={onAsk === undefined ? undefined : 'a'}
      onKeyDown={(event) => {
        if (event.key !== 'a' || event.altKey || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        onAsk?.(node.key)
      }}
    >
      <title>{node.title}</title>
      <rect x={x} y={y} width={NODE.width} height={NODE.height} rx="8" />
      <text x={x + 12} y={y + 18}>
        {shorten(node.title, TITLE_CHARS_MAX)}
      </text>
      <text x={x + 12} y={y + 35} className="second">
        {shorten(node.second, TITLE_CHARS_MAX + 4)}
      </text>
    </a>
  )
}
