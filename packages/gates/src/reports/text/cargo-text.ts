// What `cargo test` prints: for each test program the tests, what the failed ones said, and a result.
import type { TestFailure } from '@treadle/contracts/gate'
import { makeFailure, summarised, type TestCounts } from '../report.ts'
import { rustFailure, targetOf } from '../rust.ts'
import { blocksOf, type TextReader, wholeText } from './lines.ts'

const running = /^running (\d+) tests?$/
const result = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured; /

const read: TextReader = (lines, cwd) => {
  const counts: TestCounts = { passed: 0, failed: 0, skipped: 0 }
  const failures: TestFailure[] = []
  let target: string | null = null
  let start = -1
  let programs = 0
  const cutOff = (at: number): void => {
    const names = [target ?? 'test run']
    const said = lines.slice(start, at).join('\n')
    const died = lines
      .slice(start, at + 20)
      .find((line) => /process didn't exit successfully|signal: /.test(line))
    const message = `the test program ended before its result${died ? `: ${died.trim()}` : ''}`
    failures.push(makeFailure({ names, idFile: '', message, stack: said }))
  }
  lines.forEach((line, at) => {
    target = targetOf(line) ?? target
    const [whole, ...ended] = result.exec(line) ?? []
    const [passed, failed, ignored, measured] = ended.map(Number)
    if (running.test(line)) {
      if (start >= 0) cutOff(at)
      start = at
      programs += 1
    } else if (whole !== undefined && start >= 0 && isOf(lines[start] ?? '', ended)) {
      counts.passed += Number(passed) + Number(measured)
      counts.failed += Number(failed)
      counts.skipped += Number(ignored)
      failures.push(...failuresOf(lines.slice(start, at), target, cwd))
      start = -1
    }
  })
  if (start >= 0) cutOff(lines.length)
  return programs === 0 ? null : summarised('cargo-text', counts, failures)
}

/** A test may print a result, too; the program's own is of as many tests as it said. */
function isOf(start: string, ended: readonly string[]): boolean {
  return Number(running.exec(start)?.[1]) === ended.reduce((all, count) => all + Number(count), 0)
}

export const cargoText = wholeText(read, running, result)

function failuresOf(lines: readonly string[], target: string | null, cwd: string): TestFailure[] {
  const said = new Map<string, string>()
  const end = lines.lastIndexOf('failures:')
  // Quietly, or where tests print into their own lines, only the list at the end has the names.
  const listed = end < 0 ? [] : lines.slice(end).flatMap((line) => /^ {4}(\S.*)$/.exec(line)?.[1] ?? [])
  const marked = lines.flatMap(
    (line) => /^test (.+?)(?: - should panic)? \.\.\. FAILED$/.exec(line)?.[1] ?? [],
  )
  const failed = new Set(listed.length > 0 ? listed : marked)
  const blocks = blocksOf(
    lines.slice(0, end < 0 ? lines.length : end),
    (line) => /^---- (.+) stdout ----$/.exec(line)?.[1] ?? null,
  )
  for (const { heading, body } of blocks) said.set(heading, body.join('\n'))
  return [...failed].map((name) =>
    rustFailure({ name, target, said: said.get(name) ?? 'the test failed and said nothing', cwd }),
  )
}
