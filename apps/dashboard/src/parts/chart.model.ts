// A chart of bars: layers upon each other, a limit if it is in sight, and a round number at the top.

export interface Layer {
  readonly name: string
  /** The colour of the layer; `rest` is that of what is left over. */
  readonly colour: number | 'rest'
  /** The layer's value in each bar. */
  readonly values: readonly number[]
}

type Part = Omit<Layer, 'colour'>

export interface ChartFacts {
  /** The bars from left to right: a short name for the axis and a long one for who looks closer. */
  readonly bars: readonly { readonly short: string; readonly long: string }[]
  /** Layers from the bottom up. */
  readonly layers: readonly Layer[]
  readonly limit: number | null
}

/** The number of colours that can be told apart. */
const LAYERS_MAX = 4
const OTHERS = 'all others'

/** The largest layers, and one for what is left, so that the bars keep their height. */
export function foldLayers(parts: readonly Part[]): Layer[] {
  const largest = parts.toSorted((a, b) => sum(b.values) - sum(a.values))
  const layers = largest.map((part, colour): Layer => ({ ...part, colour }))
  if (layers.length <= LAYERS_MAX) return layers
  const rest: Layer = { name: OTHERS, colour: 'rest', values: totalsOf(layers.slice(LAYERS_MAX - 1)) }
  return [...layers.slice(0, LAYERS_MAX - 1), rest]
}

export function totalsOf(layers: readonly Part[]): number[] {
  const bars = Math.max(0, ...layers.map(({ values }) => values.length))
  return Array.from({ length: bars }, (_, bar) => sum(layers.map(({ values }) => values[bar] ?? 0)))
}

/** The upper edge of each layer when it stands on those below it. */
export function stack(layers: readonly Part[]): number[][] {
  return layers.map((_, top) => totalsOf(layers.slice(0, top + 1)))
}

/** The share of the limit below which bars would be too low to read beside its line. */
const IN_SIGHT = 0.25

export function isLimitInSight({ layers, limit }: Pick<ChartFacts, 'layers' | 'limit'>): boolean {
  return limit !== null && limit > 0 && Math.max(0, ...totalsOf(layers)) >= limit * IN_SIGHT
}

/** The round number above everything that is drawn. */
export function ceilingOf(facts: Pick<ChartFacts, 'layers' | 'limit'>): number {
  const limit = isLimitInSight(facts) ? (facts.limit ?? 0) : 0
  const highest = Math.max(0, limit, ...totalsOf(facts.layers))
  if (highest === 0) return 1
  const power = 10 ** Math.floor(Math.log10(highest))
  const step = STEPS.find((each) => each * power >= highest * HEADROOM) ?? 10
  return step * power
}

const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10]
const HEADROOM = 1.02

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0)
}
