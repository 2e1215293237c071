// A machine as a picture, with the state that it is in lit; the same in words for whoever does not see it.
import type { Machine } from '@treadle/contracts/machine'
import { useMemo } from 'react'
import { draw, labelOf, STATE_HEIGHT, STATE_WIDTH } from './state-graph.model.ts'

interface GraphProps {
  readonly machine: Machine
  readonly title: string
  /** The current state; null if nothing of this kind is under way. */
  readonly at: string | null
  readonly all: boolean
  readonly narrow: boolean
}

export function MachineGraph({ machine, title, at, all, narrow }: GraphProps) {
  const drawing = useMemo(() => draw(machine, { all, narrow }), [machine, all, narrow])
  const id = `arrow-${machine.name}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div className="graph card" tabIndex={0}>
      <svg
        role="img"
        aria-label={`${title}: ${at === null ? 'nothing is under way' : `now ${at}`}`}
        viewBox={`0 0 ${drawing.width} ${drawing.height}`}
        width={drawing.width}
        height={drawing.height}
        // A graph that would be too small to read scrolls instead.
        style={{ minWidth: Math.round(drawing.width * 0.7) }}
      >
        <defs>
          <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0,0 L8,4 L0,8 z" className="arrow-head" />
          </marker>
        </defs>
        {drawing.arrows.map((arrow) => (
          <g key={`${arrow.from} ${arrow.to}`} className="arrow" data-next={arrow.from === at}>
            <title>{`${arrow.from} to ${arrow.to}: ${arrow.on.join(', ')}`}</title>
            <path d={arrow.path} markerEnd={`url(#${id})`} />
            <text x={arrow.at.x} y={arrow.at.y + 4}>
              {labelOf(arrow)}
            </text>
          </g>
        ))}
        {drawing.states.map(({ name, x, y }) => (
          <g key={name} className="state" data-now={name === at}>
            <rect
              x={x - STATE_WIDTH / 2}
              y={y - STATE_HEIGHT / 2}
              width={STATE_WIDTH}
              height={STATE_HEIGHT}
              rx={8}
            />
            <text x={x} y={y + 4}>
              {name}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}
