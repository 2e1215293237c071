// All edits of the suspicious statements, best first.
import type { Suspect } from '../localise/localise.ts'
import type { SourceFile } from '../project/load.ts'
import { isExpressionBody, isStatement, type Kind, type Node, parts } from '../tree/node.ts'
import { calls } from './calls.ts'
import { collections } from './collections.ts'
import { arithmetic, comparisons } from './compare.ts'
import { defaults } from './defaults.ts'
import { type Context, type Edit, keyOf, type Operator, written } from './edit.ts'
import { fills } from './fill.ts'
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

/** Makes edits as they are asked for: most searches end long before the last suspect has its turn. */
export class EditMaker {
  readonly #wanted: Omit<Wanted, 'max'>
  readonly #made = new Set<string>()
  #at = 0

  constructor(wanted: Omit<Wanted, 'max'>) {
    this.#wanted = wanted
  }

  /** The edits of the next suspects, best first; of so many suspects that it is no less than this, if there are. */
  next(count: number): Edit[] {
    const { suspects, contextOf, by } = this.#wanted
    const edits = new Map<string, Edit>()
    for (; this.#at < suspects.length && edits.size < count; this.#at += 1) {
      const suspect = suspects[this.#at]
      if (suspect === undefined) break
      const context = contextOf(suspect.file)
      for (const node of [...ownNodes(suspect.node), ...headOf(suspect.node)])
        addEdits(edits, suspect, node, { context, by })
    }
    const fresh = [...edits].filter(([key]) => !this.#made.has(key))
    for (const [key] of fresh) this.#made.add(key)
    return fresh.map(([, edit]) => edit).sort((a, b) => b.score - a.score)
  }
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
