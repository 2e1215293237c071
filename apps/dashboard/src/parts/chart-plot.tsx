// The drawing of a chart, loaded only where there is one.
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { type ChartFacts, ceilingOf, isLimitInSight, stack } from './chart.model.ts'

interface PlotProps {
  readonly facts: ChartFacts
  readonly words: (value: number) => string
  /** The bar under the pointer, or none. */
  readonly onAt: (bar: number | null) => void
}

const HEIGHT = 220
const AXIS_WIDTH = 62
/** Bars may be named one by one, or every so many of them where there is no room. */
const NAMED_EVERY = [1, 2, 3, 7, 14, 30]
const REST_COLOUR = '--muted'
const LAYER_COLOURS = ['--blue', '--yellow', '--purple', '--ok']

export function ChartPlot({ facts, words, onAt }: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  // The facts are read at each drawing, so that new figures do not take the drawing away.
  const latest = useRef({ facts, words, onAt })
  latest.current = { facts, words, onAt }
  const layers = facts.layers.length
  useEffect(() => {
    const element = host.current
    if (element === null) return
    const drawn = new uPlot(optionsOf(element, layers, latest), dataOf(latest.current.facts), element)
    plot.current = drawn
    const sized = new ResizeObserver(() => {
      fitLines(drawn, latest.current.facts, element)
      drawn.setSize({ width: element.clientWidth, height: HEIGHT })
    })
    sized.observe(element)
    const forget = onTheme(() => drawn.redraw())
    return () => {
      plot.current = null
      sized.disconnect()
      forget()
      drawn.destroy()
    }
  }, [layers])
  useEffect(() => {
    if (plot.current === null || host.current === null) return
    fitLines(plot.current, facts, host.current)
    plot.current.setData(dataOf(facts))
  }, [facts])
  return <div className="chart-host" ref={host} />
}

type Latest = { readonly current: PlotProps }

function optionsOf(element: HTMLElement, layers: number, latest: Latest): uPlot.Options {
  const colour = (name: string) => () => colourOf(element, name)
  const axis: uPlot.Axis = {
    stroke: colour('--muted'),
    font: `12px ${getComputedStyle(element).fontFamily}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  }
  // The highest layer is drawn first, and those below over it.
  const series = Array.from({ length: layers }, (_, from): uPlot.Series => {
    const layer = layers - 1 - from
    const fill = () => colourOf(element, layerColour(latest.current.facts.layers[layer]))
    // The thin line in the colour of the ground keeps layers apart also for who does not tell their colours.
    return { fill, stroke: colour('--card'), width: 1, points: { show: false }, ...(bars && { paths: bars }) }
  })
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    padding: [10, 16, 0, 0],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: () => [-0.5, latest.current.facts.bars.length - 0.5] },
      y: { range: () => [0, ceilingOf(latest.current.facts)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        incrs: NAMED_EVERY,
        space: 54,
        size: 30,
        values: (_, splits) => splits.map((at) => latest.current.facts.bars[at]?.short ?? ''),
      },
      { ...axis, size: AXIS_WIDTH, values: (_, splits) => splits.map((at) => latest.current.words(at)) },
    ],
    series: [{}, ...series],
    hooks: {
      draw: [(drawn) => drawLimit(drawn, latest.current.facts, colourOf(element, '--danger'))],
      setCursor: [({ cursor }) => latest.current.onAt(cursor.idx ?? null)],
    },
  }
}

function layerColour(layer: ChartFacts['layers'][number] | undefined): string {
  return typeof layer?.colour === 'number' ? (LAYER_COLOURS[layer.colour] ?? REST_COLOUR) : REST_COLOUR
}

const bars = uPlot.paths.bars?.({ size: [0.74, 56] })

function dataOf({ bars: names, layers }: ChartFacts): uPlot.AlignedData {
  return [names.map((_, at) => at), ...stack(layers).toReversed()]
}

/** The width below which a bar has no lines between its layers: it would be nothing else. */
const LINED_MIN = 6

function fitLines(drawn: uPlot, { bars: names }: ChartFacts, { clientWidth }: HTMLElement): void {
  const wide = (clientWidth - AXIS_WIDTH) / Math.max(1, names.length)
  for (const series of drawn.series.slice(1)) series.width = wide < LINED_MIN ? 0 : 1
}

function drawLimit(drawn: uPlot, facts: ChartFacts, colour: string): void {
  if (facts.limit === null || !isLimitInSight(facts)) return
  const { ctx, bbox } = drawn
  const y = drawn.valToPos(facts.limit, 'y', true)
  ctx.save()
  ctx.strokeStyle = colour
  ctx.lineWidth = 2 * uPlot.pxRatio
  ctx.setLineDash([6 * uPlot.pxRatio, 4 * uPlot.pxRatio])
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.restore()
}

/** A canvas knows neither variables nor light-dark(), so the browser is asked what they come to here. */
function colourOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`
  return getComputedStyle(element).color
}

/** Light or dark may change while the page is open, by the system or by the editor around it. */
function onTheme(redraw: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', redraw)
  const editor = new MutationObserver(redraw)
  for (const element of [document.documentElement, document.body])
    editor.observe(element, { attributes: true, attributeFilter: ['class', 'style'] })
  return () => {
    system.removeEventListener('change', redraw)
    editor.disconnect()
  }
}
