// Dependencies as layers: whatever waits for nothing is in the first, everything else behind all that it waits for.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { keyOf } from './columns.model.ts'

export interface GraphNode {
  readonly item: Item
  readonly layer: number
  /** The place within the layer. */
  readonly row: number
}

interface GraphEdge {
  readonly from: GraphNode
  readonly to: GraphNode
  /** `waits`: the second waits for the first. `part`: the second is a part of the first. */
  readonly is: 'waits' | 'part'
}

export interface WorkGraph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  readonly layers: number
  readonly rows: number
  /** Items with links for which there was no room. */
  readonly leftOut: number
  /** Items that have nothing to do with others. */
  readonly alone: number
}

interface Link {
  readonly from: string
  readonly to: string
  readonly is: GraphEdge['is']
}

/** The first so many items, in the order given, that have links to others among them. */
export function graphOf(items: readonly Item[], nodesMax: number): WorkGraph {
  const known = new Map(items.map((item) => [keyOf(item), item]))
  const links = items.flatMap((item) => linksOf(item).filter(({ from }) => known.has(from)))
  const linked = new Set(links.flatMap(({ from, to }) => [from, to]))
  const drawn = items.filter((item) => linked.has(keyOf(item))).slice(0, nodesMax)
  const keys = new Set(drawn.map(keyOf))
  const shown = links.filter(({ from, to }) => keys.has(from) && keys.has(to))
  const layers = layersOf([...keys], shown)
  const filled: number[] = []
  const nodes = new Map(
    drawn.map((item) => {
      const layer = layers.get(keyOf(item)) ?? 0
      const row = filled[layer] ?? 0
      filled[layer] = row + 1
      return [keyOf(item), { item, layer, row }]
    }),
  )
  const edges = shown.flatMap(({ from, to, is }): GraphEdge[] => {
    const [start, end] = [nodes.get(from), nodes.get(to)]
    return start === undefined || end === undefined ? [] : [{ from: start, to: end, is }]
  })
  return {
    nodes: [...nodes.values()],
    edges,
    layers: filled.length,
    rows: filled.reduce((most, rows) => Math.max(most, rows), 0),
    leftOut: linked.size - drawn.length,
    alone: items.length - linked.size,
  }
}

function linksOf(item: Item): Link[] {
  const to = keyOf(item)
  const of = (number: number, is: Link['is']): Link => ({
    from: keyOf({ projectNumber: item.projectNumber, number }),
    to,
    is,
  })
  return [
    ...item.dependsOn.map((number) => of(number, 'waits')),
    ...(item.parent === null ? [] : [of(item.parent, 'part')]),
  ]
}

/** The longest way to each; a circle, which parents and dependencies can make together, ends where it began. */
function layersOf(keys: readonly string[], links: readonly Link[]): Map<string, number> {
  const before = Map.groupBy(links, ({ to }) => to)
  const layers = new Map<string, number>()
  const open = new Set<string>()
  const layerOf = (key: string): number => {
    const known = layers.get(key)
    if (known !== undefined) return known
    if (open.has(key)) return -1
    open.add(key)
    const layer = 1 + (before.get(key) ?? []).reduce((most, { from }) => Math.max(most, layerOf(from)), -1)
    open.delete(key)
    layers.set(key, layer)
    return layer
  }
  for (const key of keys) layerOf(key)
  return layers
}

/** The same in a sentence for each item, for whoever does not see the drawing. */
export function graphWords({ nodes, edges }: Pick<WorkGraph, 'nodes' | 'edges'>): string[] {
  const into = Map.groupBy(edges, ({ to }) => keyOf(to.item))
  const named = (of: readonly GraphEdge[]) => of.map(({ from }) => itemLabel(from.item)).join(', ')
  return nodes.map(({ item }) => {
    const kinds = Object.groupBy(into.get(keyOf(item)) ?? [], ({ is }) => is)
    const told = [
      ...(kinds.waits === undefined ? [] : [`waits for ${named(kinds.waits)}`]),
      ...(kinds.part === undefined ? [] : [`is part of ${named(kinds.part)}`]),
    ]
    return `${itemLabel(item)} ${item.title}: ${told.length === 0 ? 'waits for nothing here' : told.join(', ')}`
  })
}
