// A machine laid out to be read: which moves are drawn, and where everything stands.
import { Graph, layout } from '@dagrejs/dagre'
import type { Machine } from '@treadle/contracts/machine'

export interface Arrow {
  readonly from: string
  readonly to: string
  /** The events that make the move. */
  readonly on: readonly string[]
}

/** A move that so many states know is a general way out, not a step of the loop. */
const GENERAL_FROM = 4

/** Arrows from state to state; without `all`, neither general ways out nor moves that lead back to the same state. */
export function arrowsOf({ moves }: Pick<Machine, 'moves'>, all: boolean): Arrow[] {
  const general = new Set(
    [...Map.groupBy(moves, ({ on, to }) => `${on} ${to}`)]
      .filter(([, same]) => new Set(same.map(({ from }) => from)).size >= GENERAL_FROM)
      .map(([key]) => key),
  )
  const shown = moves.filter(({ from, to, on }) => from !== to && (all || !general.has(`${on} ${to}`)))
  return [...Map.groupBy(shown, ({ from, to }) => `${from} ${to}`).values()].map((same) => {
    const [{ from, to } = { from: '', to: '' }] = same
    return { from, to, on: [...new Set(same.map(({ on }) => on))] }
  })
}

interface Point {
  readonly x: number
  readonly y: number
}

export interface Drawing {
  readonly width: number
  readonly height: number
  readonly states: readonly (Point & { readonly name: string })[]
  readonly arrows: readonly (Arrow & { readonly path: string; readonly at: Point })[]
}

export const STATE_WIDTH = 108
export const STATE_HEIGHT = 34
const CHAR_WIDTH = 6

export function draw(machine: Machine, options: { all: boolean; narrow: boolean }): Drawing {
  const arrows = arrowsOf(machine, options.all)
  const graph = new Graph()
  graph.setGraph({
    rankdir: options.narrow ? 'TB' : 'LR',
    nodesep: 24,
    ranksep: 30,
    edgesep: 16,
    marginx: 8,
    marginy: 8,
  })
  for (const { name } of machine.states) graph.setNode(name, { width: STATE_WIDTH, height: STATE_HEIGHT })
  for (const arrow of arrows)
    graph.setEdge(arrow.from, arrow.to, {
      width: labelOf(arrow).length * CHAR_WIDTH + 8,
      height: 14,
      labelpos: 'c',
    })
  layout(graph)
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  return {
    width,
    height,
    states: machine.states.map(({ name }) => ({ name, ...pointOf(graph.node(name)) })),
    arrows: arrows.map((arrow) => {
      const edge = graph.edge(arrow.from, arrow.to) as Point & { points: Point[] }
      return { ...arrow, path: pathThrough(edge.points), at: pointOf(edge) }
    }),
  }
}

/** An arrow's label: the end of the event's name, since the states say the rest; long lists are in the tooltip. */
export function labelOf({ on }: Arrow): string {
  const first = on[0]?.split('.').at(-1)?.replaceAll('_', ' ') ?? ''
  return on.length > 1 ? `${first} +${on.length - 1}` : first
}

function pointOf({ x, y }: Point): Point {
  return { x, y }
}

/** An arrow's path, smooth through the middles of the layout's own bends. */
function pathThrough(points: readonly Point[]): string {
  const [first, ...rest] = points
  if (first === undefined) return ''
  const curves = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? point
    const last = index === rest.length - 2
    const to = last ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 }
    return ` Q${round(point.x)},${round(point.y)} ${round(to.x)},${round(to.y)}`
  })
  return `M${round(first.x)},${round(first.y)}${curves.join('')}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
