// What mocha prints at the end, whichever of its plain reporters ran: the counts, then the failures by number.
import type { TestFailure } from '@treadle/contracts/gate'
import { fileInMessage, makeFailure, splitError, summarised } from '../report.ts'
import { countsIn, dedent, lastLine, sum, type TextReader } from './lines.ts'
import { nextLine, type TextRunner } from './runs.ts'

const passing = /^ {2}\d+ passing \(\d+m?[smhd]?\)$/

const read: TextReader = (lines, cwd) => {
  const at = lastLine(lines, passing)
  if (at < 0) return null
  const end = endOfCounts(lines, at)
  const counts = countsIn(lines.slice(at, end).join('\n'))
  return summarised(
    'mocha-text',
    {
      passed: sum(counts, 'passing'),
      failed: sum(counts, 'failing'),
      skipped: sum(counts, 'pending'),
    },
    // No more than are counted: behind them another run may list tests in the same way.
    failuresOf(lines.slice(end), cwd).slice(0, sum(counts, 'failing')),
  )
}

const endOfCounts = (lines: readonly string[], at: number): number =>
  nextLine(lines, at + 1, (line) => !/^ {2}\d+ (?:pending|failing)$/.test(line))

export const mochaText: TextRunner = {
  ends: (lines, at) => passing.test(lines[at] ?? ''),
  closes: endOfCounts,
  // What the tree begins with is up to the tests.
  begins: /(?!)/,
  goesOn: true,
  read,
}

function failuresOf(lines: readonly string[], cwd: string): TestFailure[] {
  const blocks: string[][] = []
  for (const line of lines) {
    // Numbers in a row: an error's own list is not taken for the next failure.
    if (line.startsWith(`  ${blocks.length + 1}) `)) blocks.push([line.replace(/^ {2}\d+\) /, '')])
    else blocks.at(-1)?.push(line)
  }
  return blocks.map((block) => failureOf(upToStack(block), cwd))
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
