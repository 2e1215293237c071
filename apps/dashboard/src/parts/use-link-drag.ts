// A node of a drawing dragged onto another: a line follows the pointer, and a click that was a drag leads nowhere.
import { type DragEvent, type MouseEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'

/** So far is a press that trembles no drag. */
const STILL_PX = 6

interface Line {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

interface Drag {
  readonly key: string
  readonly x: number
  readonly y: number
}

interface LinkDrag {
  readonly svg: RefObject<SVGSVGElement | null>
  readonly line: Line | null
  /** The node that the pointer is over. */
  readonly over: string | null
  readonly handlers: object
}

export function useLinkDrag(onLink: ((fromKey: string, toKey: string) => void) | undefined): LinkDrag {
  const svg = useRef<SVGSVGElement>(null)
  const drag = useRef<Drag | null>(null)
  const wasDragged = useRef(false)
  const [line, setLine] = useState<Line | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const end = () => {
    drag.current = null
    setLine(null)
    setOver(null)
  }
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      const key = nodeAt(event)
      wasDragged.current = false
      // A finger scrolls the drawing; it has the dialog.
      if (key === null || event.button !== 0 || event.pointerType === 'touch') return
      drag.current = { key, x: event.clientX, y: event.clientY }
    },
    onPointerMove: (event: PointerEvent) => {
      const { current: from } = drag
      if (from === null) return
      if (event.buttons === 0) return end()
      if (line === null && Math.hypot(event.clientX - from.x, event.clientY - from.y) < STILL_PX) return
      if (line === null) event.currentTarget.setPointerCapture(event.pointerId)
      wasDragged.current = true
      const [start, here] = [
        pointIn(svg.current, from.x, from.y),
        pointIn(svg.current, event.clientX, event.clientY),
      ]
      if (start !== null && here !== null) setLine({ x1: start.x, y1: start.y, x2: here.x, y2: here.y })
      const key = nodeAt(event)
      setOver(key === from.key ? null : key)
    },
    onPointerUp: (event: PointerEvent) => {
      const { current: from } = drag
      const key = nodeAt(event)
      const isDrag = line !== null
      end()
      if (isDrag && from !== null && key !== null && key !== from.key) onLink?.(from.key, key)
    },
    onPointerCancel: end,
    onClickCapture: (event: MouseEvent) => {
      if (wasDragged.current) event.preventDefault()
      wasDragged.current = false
    },
    // The browser would drag the address of the node.
    onDragStart: (event: DragEvent) => event.preventDefault(),
  }
  return { svg, line, over, handlers: onLink === undefined ? {} : handlers }
}

/** The node below the pointer; what is captured does not tell. */
function nodeAt({ clientX, clientY }: PointerEvent): string | null {
  const found = document.elementFromPoint(clientX, clientY)?.closest('[data-node]')
  return found?.getAttribute('data-node') ?? null
}

function pointIn(svg: SVGSVGElement | null, x: number, y: number): { x: number; y: number } | null {
  const matrix = svg?.getScreenCTM()?.inverse()
  return matrix === undefined ? null : new DOMPoint(x, y).matrixTransform(matrix)
}
