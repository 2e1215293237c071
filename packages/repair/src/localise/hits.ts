// Which statements each test ran, from the ranges that V8 reports.
import type { SourceFile } from '../project/load.ts'
import type { Ranges } from '../run/protocol.ts'
import { above, isExpressionBody, isStatement, type Node, walk } from '../tree/node.ts'

export interface EditSite {
  readonly file: SourceFile
  readonly node: Node
}

/** Every statement of a file that can be edited on its own. */
export function statementsOf(file: SourceFile): EditSite[] {
  const places: EditSite[] = []
  walk(file.parsed.tree, (node) => {
    const isEmptyBody = node.kind === 'block' && node.role === 'body' && node.children.length === 0
    if (isStatement(node) || isExpressionBody(node) || isEmptyBody || node.kind === 'field')
      places.push({ file, node })
  })
  return places
}

interface Block {
  readonly start: number
  readonly end: number
  readonly count: number
}

export class Hits {
  readonly #file: SourceFile
  readonly #blocks: readonly Block[]
  readonly #ends: ReadonlySet<number>

  constructor(file: SourceFile, ranges: Ranges) {
    this.#file = file
    const blocks: Block[] = []
    const ends = new Set<number>()
    for (const ran of ranges) {
      ends.add(ran[1] ?? -1)
      for (let at = 0; at + 2 < ran.length; at += 3) {
        blocks.push({ start: ran[at] ?? 0, end: ran[at + 1] ?? 0, count: ran[at + 2] ?? 0 })
      }
    }
    // The innermost block says whether a place ran; among equals, one that ran in another call counts.
    this.#blocks = blocks.sort((a, b) => a.end - a.start - (b.end - b.start) || b.count - a.count)
    this.#ends = ends
  }

  has(node: Node): boolean {
    const { code } = this.#file.rendered
    const func = above(node, 'func')
    if (func !== null && !this.#ends.has(code.map(func.end, false))) return false
    const at = code.map(node.start, true)
    const block = this.#blocks.find((found) => found.start <= at && at < found.end)
    return block === undefined ? false : block.count > 0
  }
}
