// The tree that node:test prints: a mark for each test, and for a group a line where it opens and one where it closes.
import { isTestFile, noTestsIn } from '../report.ts'

/** A test or group of the tree that failed. */
export interface FailedMark {
  readonly path: readonly string[]
  /** What was printed before its mark. */
  readonly said: string
  readonly failedInside: boolean
}

/** The tests of a tree. A group counts only if it failed and nothing in it did. */
export interface NodeTree {
  passed: number
  failed: number
  skipped: number
  /** How many marks there are, with those of groups. */
  marks: number
  /** What failed, by its name. */
  readonly failures: Map<string, FailedMark[]>
  /** Words about files that ran no tests. */
  readonly silent: string[]
}

interface Group {
  readonly name: string
  failedInside: boolean
}

const saidMax = 200
const markLine =
  /^((?: {2})*)([▶✔✖﹣⚠]) (.+?)(?: (\([\d.]+m?s\)))?((?<= \([\d.]+m?s\)) # (?:SKIP|TODO)\b.*)?$/

export function treeOf(lines: readonly string[], cwd: string): NodeTree {
  const tree: NodeTree = { passed: 0, failed: 0, skipped: 0, marks: 0, failures: new Map(), silent: [] }
  const open: Group[] = []
  let said: string[] = []
  for (const line of lines) {
    const [, indent, mark, name, time, directive] =
      line.length <= lineCharsMax ? (markLine.exec(line) ?? []) : []
    if (indent === undefined || mark === undefined || name === undefined) {
      if (said.length < saidMax) said.push(line)
      continue
    }
    const depth = indent.length / 2
    const group = open[depth]?.name === name ? open[depth] : undefined
    const path = open.slice(0, depth).map((each) => each.name)
    open.length = Math.min(open.length, depth)
    if (mark === '▶' && (group === undefined || time === undefined)) {
      open.push({ name, failedInside: false })
      continue
    }
    tree.marks += 1
    const isSkipped = mark === '﹣' || mark === '⚠' || directive !== undefined
    const isBad = mark === '✖' && !isSkipped
    // Before version 22 a group closes as it opened, and only the list of failures tells whether it failed.
    if (isBad || mark === '▶') {
      const all = tree.failures.get(name) ?? []
      all.push({ path, said: said.join('\n'), failedInside: group?.failedInside ?? false })
      tree.failures.set(name, all)
    }
    if (isBad || group?.failedInside) for (const each of open) each.failedInside = true
    if (isBad && !group?.failedInside) tree.failed += 1
    else if (group === undefined) addGood(tree, { name, depth, isSkipped, cwd })
    said = []
  }
  return tree
}

const lineCharsMax = 2_000

function addGood(tree: NodeTree, at: { name: string; depth: number; isSkipped: boolean; cwd: string }): void {
  if (at.isSkipped) tree.skipped += 1
  else if (at.depth === 0 && isTestFile(at.name, at.cwd)) tree.silent.push(noTestsIn(at.name, at.cwd))
  else tree.passed += 1
}
