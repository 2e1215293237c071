// The fault of another result: a function gives a value of the same kind that is not the one it computed.
import { type Edit, replace } from '../edits/edit.ts'
import { lineOf } from '../localise/localise.ts'
import type { SourceFile } from '../project/load.ts'
import { above, isExpressionBody, type Node, nodesIn, part } from '../tree/node.ts'
import type { Lines, Planted } from './mutants.ts'

/** Numbers, texts and truths become others of their kind; of anything else there is nothing, or of nothing, null. */
const OTHER =
  "(function other(r) { return typeof r === 'number' || typeof r === 'bigint' ? ++r : typeof r === 'string' ? r + '?' : typeof r === 'boolean' ? !r : r !== null && typeof r === 'object' && typeof r.then === 'function' ? r.then(other) : r === undefined ? null : undefined })("

/** A test that asserts a type, or that there is a result at all, does not notice it. */
export function otherResults(files: readonly SourceFile[], lines: Lines): Planted[] {
  return files.flatMap((file) =>
    nodesIn(file.parsed.tree)
      .flatMap((node) => resultOf(node) ?? [])
      .map((result) => ({ edit: editOf(file, result), line: lineOf(file.text, result.start) }))
      .filter(({ line }) => lines.of.get(file.path)?.has(line) === true),
  )
}

/** What a function gives back. Those that are handed to another function often may give several values alike. */
function resultOf(node: Node): Node | null {
  const value = givenBack(node)
  if (value === null || value.kind === 'func') return null
  const func = above(value, 'func', 'method')
  return func === null || func.role === 'arg' ? null : value
}

function givenBack(node: Node): Node | null {
  if (node.kind === 'return') return part(node, 'value')
  return isExpressionBody(node) ? node : null
}

function editOf(file: SourceFile, site: Node): Edit {
  return {
    op: 'other-result',
    family: 'other-result',
    trust: 'other',
    file,
    site,
    changes: [replace(site, OTHER, site, ')')],
    score: 1,
    special: false,
    tests: [],
  }
}
