// What uvu prints: for each suite signs with how many of its tests passed, a block for each failure, and the sums.
import type { TestFailure } from '@treadle/contracts/gate'
import { makeFailure, splitError, summarised } from '../report.ts'
import { blocksOf, dedent, until } from './lines.ts'
import type { Marks, TextRunner } from './text-runner.ts'

const words = ['Total', 'Passed', 'Skipped'] as const
const numberAt = (lines: readonly string[], at: number, word: (typeof words)[number]): number =>
  Number(/\d+$/.exec(lines[at + words.indexOf(word)] ?? '')?.[0] ?? 0)

const isEnd = (lines: readonly string[], at: number): boolean =>
  words.every((word, ahead) => new RegExp(`^ {2}${word}: +\\d{1,9}$`).test(lines[at + ahead] ?? ''))

const suites: Marks = {
  on: (line) => {
    const found = /\((\d{1,6}) \/ (\d{1,6})\)$/.exec(line)
    // Names and signs have a space behind them.
    if (found === null || (line[found.index - 1] ?? ' ') !== ' ') return null
    return [Number(found[1]), Number(found[2])]
  },
  claimed: (lines, at) => [numberAt(lines, at, 'Passed'), numberAt(lines, at, 'Total')],
}

export const uvuText: TextRunner = {
  ends: isEnd,
  closes: (_, at) => at + words.length + 1,
  begins: /(?!)/,
  marks: [suites],
  read: (lines, cwd, at) => {
    const passed = numberAt(lines, at, 'Passed')
    // What was skipped is not among all; a hook that failed keeps the tests of its suite from running.
    const failed = Math.max(0, numberAt(lines, at, 'Total') - passed)
    const failures = failuresOf(lines.slice(0, at), cwd)
    return summarised('uvu-text', { passed, failed, skipped: numberAt(lines, at, 'Skipped') }, failures)
  },
}

/** The suite, if it has a name, and the test between quotation marks, of which it may have some of its own. */
function namesIn(line: string): string[] | null {
  if (!line.startsWith('   FAIL ') || !line.endsWith('"')) return null
  const rest = line.slice('   FAIL '.length).trimStart()
  const mark = rest.startsWith('"') ? 0 : rest.indexOf(' "') + 1
  const isQuoted = rest[mark] === '"' && mark < rest.length - 1
  return isQuoted ? [rest.slice(0, mark).trimEnd(), rest.slice(mark + 1, -1)].filter(Boolean) : null
}

function failuresOf(lines: readonly string[], cwd: string): TestFailure[] {
  return blocksOf(lines, namesIn).map(({ heading: names, body }) => {
    const said = dedent(until(body, /^(?:[•✘] )* *\(\d+ \/ \d+\)$/), 4).join('\n')
    const { message, stack } = splitError(said.replaceAll(/^at /gm, '    at '))
    return makeFailure({ names, message, stack, cwd })
  })
}
