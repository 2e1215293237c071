// What node:test prints by default: a tree, counts, and the failures again with their place, without their suites.
import type { TestFailure } from '@treadle/contracts/gate'
import { fileName, framesOf } from '../frames.ts'
import { makeFailure, splitError, summarised } from '../report.ts'
import { blocksOf, dedent, type TextReader } from './lines.ts'
import { nextLine, type TextRunner } from './runs.ts'

const keys = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const

const isEnd = (lines: readonly string[], at: number): boolean =>
  /^ℹ tests \d+$/.test(lines[at] ?? '') &&
  keys.every((key, ahead) => new RegExp(`^ℹ ${key} \\d+$`).test(lines[at + ahead] ?? ''))

const read: TextReader = (lines, cwd) => {
  const at = lines.findLastIndex((_, here) => isEnd(lines, here))
  if (at < 0) return null
  const count = (key: (typeof keys)[number]): number =>
    Number(/\d+$/.exec(lines[at + keys.indexOf(key)] ?? '')?.[0])
  const counts = {
    passed: count('pass'),
    failed: count('fail') + count('cancelled'),
    skipped: count('skipped') + count('todo'),
  }
  return summarised('node-text', counts, failuresOf(lines, at, cwd))
}

const aheadMax = 20

/** After the counts come the failures, each with a place, a mark and more behind a margin. */
export const nodeText: TextRunner = {
  ends: isEnd,
  closes: (lines, at) => {
    const counts = nextLine(lines, at, (line, here) => here > at + aheadMax || !/^(?:ℹ .*|\s*)$/.test(line))
    if (lines[counts] !== '✖ failing tests:') return at + keys.length
    return nextLine(lines, counts + 1, (line, here) => {
      const isMark = line.startsWith('✖ ') && (lines[here - 1] ?? '').startsWith('test at ')
      return !isMark && !/^(?:test at .+:\d+:\d+| {2}.*|\s*)$/.test(line)
    })
  },
  begins: /^[▶✔✖﹣⚠] /,
  read,
}

interface TreeFailure {
  readonly path: readonly string[]
  readonly said: string
}

/** Each failure of the tree by its name: the suites it stands in, and what was printed before it. */
function treeOf(lines: readonly string[]): Map<string, TreeFailure[]> {
  const seen = new Map<string, TreeFailure[]>()
  const open: string[] = []
  let said: string[] = []
  for (const line of lines) {
    const [, indent, mark, name] =
      /^((?: {2})*)([▶✔✖﹣⚠]) (.+?)(?: \([\d.]+m?s\))?(?: # .*)?$/.exec(line) ?? []
    if (indent === undefined || mark === undefined || name === undefined) {
      if (said.length < 200) said.push(line)
      continue
    }
    const depth = indent.length / 2
    open.length = Math.min(open.length, mark === '▶' ? depth : Math.max(depth, 0))
    if (mark === '▶') open.push(name)
    if (mark === '✖') {
      const all = seen.get(name) ?? []
      all.push({ path: open.slice(0, depth), said: said.join('\n') })
      seen.set(name, all)
    }
    said = []
  }
  return seen
}

function failuresOf(lines: readonly string[], at: number, cwd: string): TestFailure[] {
  const heading = lines.findIndex((line, here) => here > at && line === '✖ failing tests:')
  if (heading < 0) return []
  const tree = treeOf(lines.slice(0, at))
  const blocks = blocksOf(lines.slice(heading), (line) => /^test at (.+:\d+):\d+$/.exec(line)?.[1] ?? null)
  return blocks.flatMap(({ heading: place, body }) => {
    const name = /^✖ (.+?)(?: \([\d.]+m?s\))?$/.exec(body[0] ?? '')?.[1]
    return name === undefined ? [] : [failureOf(name, { place, body, cwd, seen: tree.get(name)?.shift() })]
  })
}

interface At {
  readonly place: string
  readonly body: readonly string[]
  readonly cwd: string
  readonly seen: TreeFailure | undefined
}

function failureOf(name: string, { place, body, cwd, seen }: At): TestFailure {
  const [, path = '', begin] = /^(.+):(\d+)$/.exec(place) ?? []
  const file = fileName(path, cwd)
  const text = dedent(body.slice(1), 2).join('\n').trim()
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
