// What mocha prints at the end, whichever of its plain reporters ran: the counts, then the failures by number.
import type { TestFailure } from '@treadle/contracts/gate'
import { fileInMessage, makeFailure, splitError, summarised } from '../report.ts'
import { countsIn, dedent, lastLine, sum, type TextReader } from './lines.ts'

export const readMochaText: TextReader = (lines, cwd) => {
  const at = lastLine(lines, /^ {2}\d+ passing \(\d+m?[smhd]?\)$/)
  if (at < 0) return null
  const end = lines.findIndex((line, here) => here > at && !/^ {2}\d+ (?:pending|failing)$/.test(line))
  const counts = countsIn(lines.slice(at, end < 0 ? lines.length : end).join('\n'))
  return summarised(
    'mocha-text',
    {
      passed: sum(counts, 'passing'),
      failed: sum(counts, 'failing'),
      skipped: sum(counts, 'pending'),
    },
    failuresOf(end < 0 ? [] : lines.slice(end), cwd),
  )
}

function failuresOf(lines: readonly string[], cwd: string): TestFailure[] {
  const blocks: string[][] = []
  for (const line of lines) {
    // Numbers in a row: an error's own list is not taken for the next failure.
    if (line.startsWith(`  ${blocks.length + 1}) `)) blocks.push([line.replace(/^ {2}\d+\) /, '')])
    else blocks.at(-1)?.push(line)
  }
  return blocks.map((block) => failureOf(block, cwd))
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
