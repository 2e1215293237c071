// The order in which edits are tried where some of them are remembered.
import assert from 'node:assert/strict'
import type { Edit } from './edits/edit.ts'
import { outlineOf, placeOf, shapeOf } from './shape.ts'

/** An edit that helped before. */
export interface Remembered {
  readonly op: string
  /** The shape; null in lessons that say no more than the operator. */
  readonly shape: string | null
  /** Where it was made. */
  readonly places: ReadonlySet<string>
  /** How much it is to be trusted here; above zero. */
  readonly weight: number
}

/** How often an edit has its turn, by how much it is like the remembered one. */
const LIKE = { placed: 1, shaped: 0.5, outlined: 0.1, operator: 0.02 }

interface Queue {
  readonly edits: readonly Edit[]
  readonly share: number
  next: number
}

/** Remembered edits one by one between the others: a wrong memory costs at most twice the candidates. */
export function interleave(edits: readonly Edit[], remembered: readonly Remembered[]): Edit[] {
  if (remembered.length === 0) return [...edits]
  const turns = takeTurns(queuesOf(edits, remembered))
  const taken = new Set<Edit>()
  const order: Edit[] = []
  const take = (edit: Edit) => {
    if (taken.has(edit)) return false
    taken.add(edit)
    order.push(edit)
    return true
  }
  for (const edit of edits) {
    let own = turns.next()
    while (own.done !== true && !take(own.value)) own = turns.next()
    take(edit)
  }
  return order
}

/** Every queue has turns as its share says; the first in the list goes first. */
function* takeTurns(queues: readonly Queue[]): Generator<Edit, undefined> {
  const open = new Set(queues)
  while (open.size > 0) {
    const queue = firstDue(open)
    const edit = queue.edits[queue.next]
    queue.next += 1
    if (edit === undefined) open.delete(queue)
    else yield edit
  }
}

function firstDue(queues: Iterable<Queue>): Queue {
  let first: Queue | null = null
  for (const queue of queues) if (first === null || dueOf(queue) < dueOf(first)) first = queue
  assert(first !== null, 'no queue is open')
  return first
}

function dueOf({ next, share }: Queue): number {
  return (next + 1) / share
}

function queuesOf(edits: readonly Edit[], remembered: readonly Remembered[]): Queue[] {
  const byOperator = Map.groupBy(edits, (edit) => edit.op)
  const isShaped = remembered.some(({ shape }) => shape !== null)
  const byShape = isShaped ? Map.groupBy(edits, shapeOf) : new Map<string, Edit[]>()
  const byOutline = Map.groupBy(byShape, ([shape]) => outlineOf(shape))
  return remembered.flatMap(({ op, shape, places, weight }) => {
    const queue = (like: number, own: readonly Edit[]): Queue => {
      return { edits: own, share: like * weight, next: 0 }
    }
    const sameOperator = queue(LIKE.operator, byOperator.get(op) ?? [])
    if (shape === null) return [sameOperator]
    const same = byShape.get(shape) ?? []
    const alike = byOutline.get(outlineOf(shape)) ?? []
    return [
      queue(
        LIKE.placed,
        same.filter((edit) => places.has(placeOf(edit))),
      ),
      queue(LIKE.shaped, same),
      queue(
        LIKE.outlined,
        alike.flatMap(([, own]) => own).sort((a, b) => b.score - a.score),
      ),
      sameOperator,
    ]
  })
}
