// What node:test prints by default: a tree, counts, and the failures again with their place, without their suites.
import type { TestFailure } from '@treadle/contracts/gate'
import { fileName, framesOf } from '../frames.ts'
import { lateError, makeFailure, splitError, summarised } from '../report.ts'
import { blocksOf, dedent } from './lines.ts'
import { type FailedMark, type NodeTree, takeFailure, treeOf } from './node-tree.ts'
import { nextLine } from './runs.ts'
import type { TextRunner } from './text-runner.ts'

const keys = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const
type Key = (typeof keys)[number]

const countAt = (lines: readonly string[], at: number, key: Key): number =>
  Number(/\d+$/.exec(lines[at + keys.indexOf(key)] ?? '')?.[0])

const isEnd = (lines: readonly string[], at: number): boolean =>
  /^ℹ tests \d+$/.test(lines[at] ?? '') &&
  keys.every((key, ahead) => new RegExp(`^ℹ ${key} \\d+$`).test(lines[at + ahead] ?? ''))

const read: TextRunner['read'] = (lines, cwd, at) => {
  const count = (key: Key): number => countAt(lines, at, key)
  const tree = treeOf(lines.slice(0, at), cwd)
  const failures = failuresOf(lines, at, { tree, cwd })
  const told = count('fail') + count('cancelled')
  const tooLate = told === 0 ? lateError(lines.slice(0, at)) : null
  if (tooLate !== null) failures.push(tooLate)
  const counts = {
    passed: count('pass'),
    failed: told + (tooLate === null ? 0 : 1),
    skipped: count('skipped') + count('todo'),
  }
  // Node counts a test with subtests as one more; the tree tells them apart, if it is all there.
  if (tree.marks !== count('tests') + count('suites')) {
    return summarised('node-text', { ...counts, passed: counts.passed - tree.silent.length }, failures)
  }
  const { passed, failed, skipped } = tree
  const leaves = {
    passed: Math.min(passed, counts.passed),
    failed: Math.max(failed, counts.failed > 0 ? 1 : 0),
    skipped,
  }
  return summarised('node-text', leaves, failures, tree.silent)
}

const aheadMax = 20

/** After the counts come the failures, each with a place, a mark and more behind a margin. */
export const nodeText: TextRunner = {
  ends: isEnd,
  closes: (lines, at) => {
    const counts = nextLine(lines, at, (line, here) => here > at + aheadMax || !/^(?:ℹ .*|\s*)$/.test(line))
    if (lines[counts] !== '✖ failing tests:') return at + keys.length
    return nextLine(lines, counts + 1, (line, here) => {
      return !isTitle(lines, here) && !/^(?:test at .+:\d+:\d+| {2}.*|\s*)$/.test(line)
    })
  },
  begins: /^[▶✔✖﹣⚠] /,
  marks: [
    {
      // A group closes with its time.
      on: (line) => (/^ *(?:[✔✖﹣⚠] |▶ .* \([\d.]+m?s\))/.test(line) ? [1] : null),
      claimed: (lines, at) => [countAt(lines, at, 'tests') + countAt(lines, at, 'suites')],
    },
  ],
  read,
}

function failuresOf(
  lines: readonly string[],
  at: number,
  { tree, cwd }: { tree: NodeTree; cwd: string },
): TestFailure[] {
  const heading = lines.findIndex((line, here) => here > at && line === '✖ failing tests:')
  if (heading < 0) return []
  const blocks = blocksOf(lines.slice(heading), (line) => /^test at (.+:\d+):\d+$/.exec(line)?.[1] ?? null)
  return blocks.flatMap(({ heading: place, body }) => {
    const title = titleOf(body)
    const [, name, time = '', isToDo] =
      /^✖ (.+?)(?: (\([\d.]+m?s\)))?((?<= \([\d.]+m?s\)) # (?!.*\([\d.]+m?s\)$).*)?$/s.exec(
        title.join('\n'),
      ) ?? []
    if (name === undefined || isToDo !== undefined) return []
    const seen = takeFailure(tree, name.split('\n')[0] ?? '', title.length > 1 ? '' : time)
    // A group fails with what is in it; that is told by itself.
    return seen?.failedInside ? [] : [failureOf(name, { place, body: body.slice(title.length), cwd, seen })]
  })
}

const titleLinesMax = 10
const timeAtEnd = / \([\d.]+m?s\)(?: # .*)?$/

/** The mark below a place, or a further line of its name. */
function isTitle(lines: readonly string[], at: number): boolean {
  for (let from = at; from > at - titleLinesMax; from -= 1) {
    const [above = '', line = ''] = [lines[from - 1], lines[from]]
    if (from < at && timeAtEnd.test(line)) return false
    if (line.startsWith('✖ ') && above.startsWith('test at ')) return true
  }
  return false
}

/** A name may have several lines; its time ends it. */
function titleOf(body: readonly string[]): readonly string[] {
  const first = body.slice(0, titleLinesMax)
  const last = first.findIndex((line) => timeAtEnd.test(line))
  return first.slice(0, Math.max(1, last + 1))
}

interface At {
  readonly place: string
  readonly body: readonly string[]
  readonly cwd: string
  readonly seen: FailedMark | undefined
}

function failureOf(name: string, { place, body, cwd, seen }: At): TestFailure {
  const [, path = '', begin] = /^(.+):(\d+)$/.exec(place) ?? []
  const file = fileName(path.replace(/^file:\/(?!\/)/, '/'), cwd)
  const text = dedent(body, 2).join('\n').trim()
  // What a file that cannot be loaded said, it said before.
  const crashed = text === "'test failed'" ? /^\w*Error\b.*$/m.exec(seen?.said ?? '')?.[0] : undefined
  const { message, stack } =
    crashed === undefined ? splitError(text) : { message: crashed, stack: seen?.said }
  const line = stack ? framesOf(stack, cwd).find((frame) => frame.file === file)?.line : undefined
  return makeFailure({
    names: [...(seen?.path ?? []), name],
    file,
    line: line ?? Number(begin),
    message: message.replace(/^'([\s\S]*)'$/, '$1'),
    stack: stack ?? null,
    cwd,
  })
}
