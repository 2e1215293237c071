// What mocha prints at the end, whichever of its plain reporters ran: the counts, then the failures by number.
import type { TestFailure } from '@treadle/contracts/gate'
import { fileInMessage, makeFailure, splitError, summarised } from '../report.ts'
import { countsIn, dedent, sum } from './lines.ts'
import { nextLine } from './runs.ts'
import type { Marks, TextRunner } from './text-runner.ts'

const passing = /^ {2}\d+ passing \(\d+m?[smhd]?\)$/

const read: TextRunner['read'] = (lines, cwd, at, isLast) => {
  const end = endOfCounts(lines, at)
  const isCut = isLast === true && hasFailed(lines.slice(0, at), Number(/\d+/.exec(lines[at] ?? '')?.[0]))
  const counts = countsIn(lines.slice(at, end).join('\n'))
  return summarised(
    'mocha-text',
    {
      passed: sum(counts, 'passing'),
      // Cut off between its counts, the run seems to have no failures.
      failed: Math.max(sum(counts, 'failing'), isCut ? 1 : 0),
      skipped: sum(counts, 'pending'),
    },
    // No more than are counted: behind them another run may list tests in the same way.
    failuresOf(lines.slice(end), { lines: lines.slice(0, at), failing: sum(counts, 'failing') }, cwd),
  )
}

/** The tree, or the line of signs, that stands right before the counts tells of a failure. */
function hasFailed(lines: readonly string[], passing: number): boolean {
  let left = passing
  for (const line of lines.toReversed()) {
    const isEmpty = line.trim() === ''
    if (isEmpty && left <= 0) return false
    if (/^ +\d{1,6}\) \S/.test(line) || /^ {2}[․.,!]*![․.,!]*$/.test(line)) return true
    left -= named.on(line)?.[0] ?? dots.on(line)?.[0] ?? 0
  }
  return false
}

const endOfCounts = (lines: readonly string[], at: number): number =>
  nextLine(lines, at + 1, (line) => !/^ {2}\d+ (?:pending|failing)$/.test(line))

const claimed = (lines: readonly string[], at: number): readonly number[] => {
  const counts = countsIn(lines.slice(at, endOfCounts(lines, at)).join('\n'))
  return ['passing', 'failing', 'pending'].map((word) => sum(counts, word))
}

// The marks of the reporters that name each test, and those of the one that prints a sign for each.
const named: Marks = {
  on: (line) => {
    const [, good, bad, none] = /^ *(?:([✓✔√]) |(\d{1,6}\)) |(-) )/.exec(line) ?? []
    if (good === undefined && bad === undefined && none === undefined) return null
    return [good, bad, none].map((mark) => (mark === undefined ? 0 : 1))
  },
  claimed,
}
const dots: Marks = {
  on: (line) => {
    const signs = /^ *([․.!,]+)/.exec(line)?.[1]
    if (signs === undefined) return null
    const bad = signs.split('!').length - 1
    const none = signs.split(',').length - 1
    return [signs.length - bad - none, bad, none]
  },
  claimed,
}

// A test that ends its output in the middle of a line shares it with its own mark.
const glued: Marks = {
  on: (line) => named.on(line) ?? (/\S {2,}[✓✔√] \S/.test(line) ? [1, 0, 0] : null),
  claimed,
}

export const mochaText: TextRunner = {
  ends: (lines, at) => passing.test(lines[at] ?? ''),
  closes: (lines, at) => endOfFailures(lines, endOfCounts(lines, at), claimed(lines, at)[1] ?? 0),
  // What the tree begins with is up to the tests.
  begins: /(?!)/,
  marks: [named, dots, glued],
  opens: (lines, begin) => {
    const from = Math.max(1, begin - aheadMax)
    const gap = lines
      .slice(from, begin)
      .findLastIndex((line, at) => line === '' && lines[from + at - 1] === '')
    // One reporter has a single empty line there, which any program could print, and a time behind each name.
    if (gap >= 0) return { from: from + gap, isSure: !/: \d+m?s$/.test(lines[begin] ?? '') }
    // Its own empty lines are apart where a test printed in between.
    return { from: from === 1 && lines[0] === '' ? 0 : begin, isSure: false }
  },
  read,
}

/** After the last failure that is counted; where the list does not go so far, right after the counts. */
function endOfFailures(lines: readonly string[], from: number, failing: number): number {
  let at = from
  for (let number = 1; number <= failing; number += 1) {
    const next = nextLine(lines, at, (line, here) => here > at + aheadMax || line.startsWith(`  ${number}) `))
    if (!(lines[next] ?? '').startsWith(`  ${number}) `)) return at
    at = next + 1
  }
  if (failing === 0) return at
  // What a message says may look like counts, too; then its stack is still to come.
  const stack = nextLine(lines, at, (line, here) => here > at + aheadMax || isStack(line) || isTold(line))
  if (isStack(lines[stack] ?? '')) at = nextLine(lines, stack, (line) => !isStack(line))
  return nextLine(
    lines,
    at,
    (line, here) => passing.test(line) || (line === '' && !isIndented(lines[here + 1])),
  )
}

const aheadMax = 2_000
const isStack = (line: string): boolean => /^ {6,}at \S/.test(line)
const isTold = (line: string): boolean => named.on(line) !== null
const isIndented = (line: string | undefined): boolean => /^ {2,}\S/.test(line ?? '')

/** The names of failing tests by their numbers, as the tree has them. */
function titlesIn(lines: readonly string[]): ReadonlyMap<number, string> {
  const titles = new Map<number, string>()
  for (const line of lines) {
    const [, number, title = ''] = /^ +(\d{1,6})\) (.+)$/.exec(line) ?? []
    if (Number(number) === titles.size + 1) titles.set(titles.size + 1, title)
  }
  return titles
}

const headingLinesMax = 30

/** Numbers in a row, with the name from the tree: an error's own list is not taken for the next failure. */
function isHeading(lines: readonly string[], at: number, wanted: Wanted): boolean {
  if (!(lines[at] ?? '').startsWith(`  ${wanted.number}) `)) return false
  const { title } = wanted
  if (title === undefined) return true
  const first = lines.slice(at, at + headingLinesMax)
  const last = first.findIndex((line) => line.trimEnd().endsWith(':'))
  return (
    last >= 0 &&
    title.endsWith(
      (first[last] ?? '')
        .replace(/^ {2}\d+\) /, '')
        .trim()
        .slice(0, -1),
    )
  )
}

interface Wanted {
  readonly number: number
  readonly title: string | undefined
}

function failuresOf(
  lines: readonly string[],
  tree: { readonly lines: readonly string[]; readonly failing: number },
  cwd: string,
): TestFailure[] {
  // Not every name in a tree is whole, and a test may print what looks like one.
  const named = numbered(lines, titlesIn(tree.lines))
  const blocks = named.length >= tree.failing ? named : numbered(lines, new Map())
  return blocks.slice(0, tree.failing).map((block) => failureOf(upToStack(block), cwd))
}

function numbered(lines: readonly string[], titles: ReadonlyMap<number, string>): string[][] {
  const blocks: string[][] = []
  for (const [at, line] of lines.entries()) {
    const number = blocks.length + 1
    if (isHeading(lines, at, { number, title: titles.get(number) }))
      blocks.push([line.replace(/^ {2}\d+\) /, '')])
    else blocks.at(-1)?.push(line)
  }
  return blocks
}

/** Nothing of a failure comes after its stack but an empty line. */
function upToStack(block: readonly string[]): readonly string[] {
  const stack = block.findLastIndex((line, at) => /^ +at /.test(line) && (block[at + 1] ?? '').trim() === '')
  return stack < 0 ? block : block.slice(0, stack + 1)
}

function failureOf(block: readonly string[], cwd: string): TestFailure {
  const last = block.findIndex((line) => line.endsWith(':'))
  const names = block.slice(0, last + 1).map((line) => line.trim())
  const text = dedent(block.slice(last + 1), 5)
    .join('\n')
    .trim()
  const { message, stack } = splitError(text)
  const diff = message.search(/^ *\+ expected - actual$/m)
  const said = diff < 0 ? message : message.slice(0, diff)
  return makeFailure({
    names: names.map((name, at) => (at === names.length - 1 ? name.slice(0, -1) : name)),
    file: fileInMessage(said, cwd),
    message: said,
    stack,
    cwd,
  })
}
