// The tree that node:test prints: a mark for each test, and for a group a line where it opens and one where it closes.
import { isTestFile, noTestsIn } from '../report.ts'

/** A test or group of the tree that failed. */
export interface FailedMark {
  readonly path: readonly string[]
  /** What was printed before its mark. */
  readonly said: string
  readonly failedInside: boolean
  /** As it was printed: it tells tests of one name apart. */
  readonly time: string
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
// What is to do or skipped has a word or its reason behind the time; a name could have them before it.
const markLine =
  /^((?: {2})*)([▶✔✖﹣⚠]) (.+?)(?: (\([\d.]+m?s\)))?((?<= \([\d.]+m?s\)) # (?!.*\([\d.]+m?s\)$).*)?$/

interface Reading {
  readonly tree: NodeTree
  readonly open: Group[]
  /** What was printed since the last mark. */
  said: string[]
  readonly cwd: string
}

/** A line of the tree: a group that opens, or a test or group that ended. */
interface MarkLine {
  readonly depth: number
  readonly mark: string
  readonly name: string
  readonly time: string
  readonly isSkipped: boolean
}

export function treeOf(lines: readonly string[], cwd: string): NodeTree {
  const tree: NodeTree = { passed: 0, failed: 0, skipped: 0, marks: 0, failures: new Map(), silent: [] }
  const reading: Reading = { tree, open: [], said: [], cwd }
  for (const line of lines) {
    const found = readLine(line)
    if (found !== null) addLine(reading, found)
    else if (reading.said.length < saidMax) reading.said.push(line)
  }
  return tree
}

const lineCharsMax = 2_000

function readLine(line: string): MarkLine | null {
  if (line.length > lineCharsMax) return null
  const [, indent, mark, name, time, directive] = markLine.exec(line) ?? []
  if (indent === undefined || mark === undefined || name === undefined) return null
  const isSkipped = mark === '﹣' || mark === '⚠' || directive !== undefined
  return { depth: indent.length / 2, mark, name, time: time ?? '', isSkipped }
}

/** Takes the failure of that name out of the tree: the one that took as long, else the first. */
export function takeFailure({ failures }: NodeTree, name: string, time: string): FailedMark | undefined {
  const all = failures.get(name) ?? []
  const at = all.findIndex((each) => each.time === time)
  return all.splice(Math.max(0, at), 1)[0]
}

function addLine(reading: Reading, line: MarkLine): void {
  const { open } = reading
  const { depth, mark, name } = line
  const group = open[depth]?.name === name ? open[depth] : undefined
  const path = open.slice(0, depth).map((each) => each.name)
  open.length = Math.min(open.length, depth)
  if (mark === '▶' && (group === undefined || line.time === '')) open.push({ name, failedInside: false })
  else addEnd(reading, line, { group, path })
}

function addEnd(
  reading: Reading,
  { depth, mark, name, isSkipped, time }: MarkLine,
  { group, path }: { group: Group | undefined; path: readonly string[] },
): void {
  const { tree, open, said, cwd } = reading
  const failedInside = group?.failedInside ?? false
  const isBad = mark === '✖' && !isSkipped
  tree.marks += 1
  // Before version 22 a group closes as it opened, and only the list of failures tells whether it failed.
  if (isBad || mark === '▶') {
    const all = tree.failures.get(name) ?? []
    all.push({ path, said: said.join('\n'), failedInside, time })
    tree.failures.set(name, all)
  }
  if (isBad || failedInside) for (const each of open) each.failedInside = true
  if (isBad && !failedInside) tree.failed += 1
  else if (group === undefined) addGood(tree, { name, depth, isSkipped, cwd })
  reading.said = []
}

function addGood(tree: NodeTree, at: { name: string; depth: number; isSkipped: boolean; cwd: string }): void {
  if (at.isSkipped) tree.skipped += 1
  else if (at.depth === 0 && isTestFile(at.name, at.cwd)) tree.silent.push(noTestsIn(at.name, at.cwd))
  else tree.passed += 1
}
