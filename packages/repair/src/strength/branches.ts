// Probes for branches: what throws where a branch would be taken, and is noticed by nobody, is taken by no test.
import { BRANCH_PROBE } from '@treadle/contracts/strength'
import { type Change, type Edit, insert, replace } from '../edits/edit.ts'
import { lineOf } from '../localise/localise.ts'
import type { SourceFile } from '../project/load.ts'
import { type Node, nodesIn, part, parts } from '../tree/node.ts'
import type { Lines, Planted } from './mutants.ts'

const THROWS = "throw new Error('a branch was taken')"
const STATEMENT = `{ ${THROWS} }`
const EXPRESSION = `(() => { ${THROWS} })()`
const PROBES_MAX = 20

/** A probe for each branch that begins on one of these lines. */
export function branchProbes(files: readonly SourceFile[], lines: Lines): Planted[] {
  const all = files.flatMap((file) =>
    nodesIn(file.parsed.tree)
      .flatMap((node) => branchesOf(node))
      .map(({ site, change }) => ({ edit: editOf(file, site, change), line: lineOf(file.text, site.start) }))
      .filter(({ line }) => lines.of.get(file.path)?.has(line) === true),
  )
  return all.slice(0, PROBES_MAX)
}

interface Branch {
  readonly site: Node
  readonly change: Change
}

function branchesOf(node: Node): Branch[] {
  switch (node.kind) {
    case 'if':
      return ifBranches(node)
    case 'conditional':
      return [part(node, 'then'), part(node, 'else')].flatMap(valueBranch)
    case 'logical':
      return [part(node, 'right')].flatMap(valueBranch)
    case 'case':
      return caseBranch(node)
    default:
      return []
  }
}

/** Without an else, the branch where the condition does not hold is what comes after. */
function ifBranches(node: Node): Branch[] {
  const [then, other] = [part(node, 'then'), part(node, 'else')]
  const arms = [then, other].flatMap((arm) =>
    arm === null || arm.kind === 'if' || isRefusal(arm)
      ? []
      : [{ site: arm, change: replace(arm, STATEMENT) }],
  )
  if (other !== null || then === null || isRefusal(then)) return arms
  return [...arms, { site: node, change: insert(node.end, `\nelse ${STATEMENT}`) }]
}

function valueBranch(arm: Node | null): Branch[] {
  return arm === null ? [] : [{ site: arm, change: replace(arm, EXPRESSION) }]
}

function caseBranch(node: Node): Branch[] {
  const [first] = parts(node, 'statement')
  return first === undefined || isRefusal(first)
    ? []
    : [{ site: first, change: insert(first.start, `${THROWS}; `) }]
}

/** Where the branch itself throws, a test that waits for an error would not notice another one. */
function isRefusal(arm: Node): boolean {
  return arm.kind === 'throw' || arm.children.at(-1)?.kind === 'throw'
}

function editOf(file: SourceFile, site: Node, change: Change): Edit {
  return {
    op: BRANCH_PROBE,
    family: BRANCH_PROBE,
    trust: 'other',
    file,
    site,
    changes: [change],
    score: 1,
    special: false,
    tests: [],
  }
}
