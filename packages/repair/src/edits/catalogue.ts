// All edits of the suspicious statements, best first.
import type { Suspect } from '../localise/localise.ts'
import type { SourceFile } from '../project/load.ts'
import { isExpressionBody, isStatement, type Kind, type Node, parts } from '../tree/node.ts'
import { calls } from './calls.ts'
import { checks } from './check-first.ts'
import { collections } from './collections.ts'
import { arithmetic, comparisons } from './compare.ts'
import { defaults } from './defaults.ts'
import { type Context, type Edit, keyOf, type Operator, written } from './edit.ts'
import { fills } from './fill.ts'
import { fromTests } from './from-tests.ts'
import { functions } from './functions.ts'
import { guards } from './guards.ts'
import { literals } from './literal.ts'
import { logic } from './logic.ts'
import { madeStatements } from './make-statements.ts'
import { more } from './more.ts'
import { names } from './names.ts'
import { statements } from './statements.ts'
import { surgery } from './surgery.ts'

export const operators: readonly Operator[] = [
  ...comparisons,
  ...arithmetic,
  ...literals,
  ...logic,
  ...names,
  ...calls,
  ...defaults,
  ...guards,
  ...checks,
  ...fromTests,
  ...statements,
  ...collections,
  ...surgery,
  ...fills,
  ...functions,
  ...madeStatements,
  ...more,
]

const byKind = new Map<Kind, Operator[]>()
for (const operator of operators) {
  for (const kind of operator.on) byKind.set(kind, [...(byKind.get(kind) ?? []), operator])
}

export interface Wanted {
  readonly suspects: readonly Suspect[]
  contextOf(file: SourceFile): Context
  /** No more edits than this are made. */
  readonly max: number
  /** The operators; all of them if it is left out. */
  readonly by?: ReadonlySet<string>
}

export function makeEdits({ max, ...wanted }: Wanted): Edit[] {
  return new EditMaker(wanted).next(max)
}

interface Course {
  /** Suspects, by their places. */
  readonly from: number
  readonly to: number
  /** The best so many of each operator for each suspect. */
  readonly each: number
}

const ALL = Number.POSITIVE_INFINITY
/**
 * Some operators have a handful of edits for a statement, others thousands: the few likeliest of each go over many
 * suspects before the many of one do.
 */
const COURSES: readonly Course[] = [
  { from: 0, to: 30, each: 6 },
  { from: 0, to: 12, each: 40 },
  { from: 30, to: 120, each: 6 },
  { from: 12, to: 40, each: 40 },
  { from: 0, to: 12, each: ALL },
  { from: 120, to: 400, each: 6 },
  { from: 12, to: ALL, each: ALL },
]

/** Makes edits as they are asked for: most searches end long before the last suspect has its turn. */
export class EditMaker {
  readonly #wanted: Omit<Wanted, 'max'>
  readonly #made = new Set<string>()
  #course = 0
  #at = 0

  constructor(wanted: Omit<Wanted, 'max'>) {
    this.#wanted = wanted
  }

  /** The edits of the next suspects, best first; of so many suspects that it is no less than this, if there are. */
  next(count: number): Edit[] {
    const edits = new Map<string, Edit>()
    while (edits.size < count) {
      const turn = this.#turn()
      if (turn === null) break
      for (const [key, edit] of this.#editsOf(turn.suspect, turn.each)) {
        const known = edits.get(key)
        if (!this.#made.has(key) && (known === undefined || known.score < edit.score)) edits.set(key, edit)
      }
    }
    for (const key of edits.keys()) this.#made.add(key)
    return [...edits.values()].sort((a, b) => b.score - a.score)
  }

  /** The next suspect, and how many of each operator; null: all had their turn. */
  #turn(): { suspect: Suspect; each: number } | null {
    for (; this.#course < COURSES.length; this.#course += 1) {
      const { from, to, each } = COURSES[this.#course] as Course
      const suspect = from + this.#at < to ? this.#wanted.suspects[from + this.#at] : undefined
      this.#at += 1
      if (suspect !== undefined) return { suspect, each }
      this.#at = 0
    }
    return null
  }

  #editsOf(suspect: Suspect, each: number): Map<string, Edit> {
    const { contextOf, by } = this.#wanted
    const context = contextOf(suspect.file)
    const edits = new Map<string, Edit>()
    for (const node of [...ownNodes(suspect.node), ...headOf(suspect.node)])
      addEdits(edits, suspect, node, { context, by })
    return each === ALL ? edits : bestOfEach(edits, each)
  }
}

/** So many of each operator, those with the best score. */
function bestOfEach(edits: ReadonlyMap<string, Edit>, each: number): Map<string, Edit> {
  const counts = new Map<string, number>()
  const best = [...edits].sort(([, a], [, b]) => b.score - a.score)
  return new Map(
    best.filter(([, { op }]) => {
      const count = counts.get(op) ?? 0
      counts.set(op, count + 1)
      return count < each
    }),
  )
}

interface Means {
  readonly context: Context
  readonly by: ReadonlySet<string> | undefined
}

function addEdits(edits: Map<string, Edit>, suspect: Suspect, node: Node, { context, by }: Means): void {
  for (const operator of byKind.get(node.kind) ?? []) {
    if (by?.has(operator.id) === false) continue
    for (const { changes, weight, special } of operator.make(node, context)) {
      const edit: Edit = {
        op: operator.id,
        family: operator.family,
        trust: operator.trust,
        file: suspect.file,
        site: node,
        changes,
        score: suspect.score * operator.prior * weight,
        special: special === true,
        tests: suspect.tests ?? [],
      }
      if (voidsAssertion(edit)) continue
      const key = keyOf(edit)
      const known = edits.get(key)
      if (known === undefined || known.score < edit.score) edits.set(key, edit)
    }
  }
}

const ASSERTION = /\b(assert|expect|invariant)\w*(\s*\.\s*\w+)*\s*\(|\.should\b/g

/** To take a check away is no repair, whatever turns green by it. */
function voidsAssertion({ file, changes }: Edit): boolean {
  return changes.some(({ start, end, pieces }) => {
    const before = file.text.slice(start, end).match(ASSERTION)?.length ?? 0
    return before > 0 && (written(file, pieces).match(ASSERTION)?.length ?? 0) < before
  })
}

/** The parameters of a function are looked at together with its first statement. */
function headOf(statement: Node): Node[] {
  const func = isExpressionBody(statement) ? statement.parent : statement.parent?.parent
  const isFirst = isExpressionBody(statement) || statement.parent?.children[0] === statement
  if (func?.kind !== 'func' || !isFirst) return []
  return [func, ...parts(func, 'param').flatMap((param) => [...ownNodes(param)])]
}

/** A statement's own nodes, without those of the statements in it. */
function* ownNodes(statement: Node): Generator<Node> {
  yield statement
  for (const child of statement.children) {
    if (!isStatement(child) && !isExpressionBody(child)) yield* ownNodes(child)
  }
}
