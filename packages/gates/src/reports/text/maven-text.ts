// What Maven's surefire and failsafe print: a block for each failure under its class, and the counts of each module.
import type { TestFailure } from '@treadle/contracts/gate'
import { javaFailure } from '../java.ts'
import { summarised, type TestCounts } from '../report.ts'
import { type TextReader, until, wholeText } from './lines.ts'

const lineCharsMax = 2_000
const level = /^\[(?:INFO|WARNING|WARN|ERROR)\]/
const total =
  /^(\[\w+\] +)?Tests run: (\d{1,9}), Failures: (\d{1,9}), Errors: (\d{1,9}), Skipped: (\d{1,9})(?:, Flakes: (\d{1,9}))?$/
const none = /^\[\w+\] +(?:No tests to run\.|Tests are skipped\.)$/

const read: TextReader = (all, cwd) => {
  const lines = all.filter((line) => line.length <= lineCharsMax)
  const isSurefire = lines.some((line) => /^(?:\[\w+\] )? ?T E S T S$/.test(line))
  const counts: TestCounts & { flaky: number } = { passed: 0, failed: 0, skipped: 0, flaky: 0 }
  let modules = 0
  for (const line of lines) {
    const [, said, ran, failures, errors, skipped, flakes] = total.exec(line.trimEnd()) ?? []
    if (ran === undefined || (said === undefined && !isSurefire)) continue
    const failed = Number(failures) + Number(errors)
    modules += 1
    counts.failed += failed
    counts.skipped += Number(skipped)
    counts.passed += Math.max(0, Number(ran) - failed - Number(skipped))
    counts.flaky += Number(flakes ?? 0)
  }
  if (modules === 0 && !lines.some((line) => none.test(line.trimEnd()))) return null
  const described = blocksIn(lines, cwd)
  const failures = described.length > 0 ? described : listIn(lines, cwd)
  const flaky = counts.flaky > 0 ? [`${counts.flaky} flaky: they passed only when they were run again`] : []
  return summarised('maven-text', counts, failures, flaky)
}

export const mavenText = wholeText(read, level, /^\[INFO\] Finished at: /)

const perClass = /^(?:\[\w+\] )?Tests run: .* <<< (?:FAILURE|ERROR)!(?: --?)? in (\S+)$/
const heading =
  /^(?:\[ERROR\] +)?(.+?)(?: --| {1,2}) ?Time elapsed: ([\d.,]+) s(?:ec)? +<<< (?:FAILURE|ERROR)!$/

function blocksIn(lines: readonly string[], cwd: string): TestFailure[] {
  const failures: TestFailure[] = []
  let inClass = ''
  lines.forEach((line, at) => {
    inClass = perClass.exec(line)?.[1] ?? inClass
    const [, title, seconds] = heading.exec(line) ?? []
    if (title === undefined || perClass.test(line)) return
    const { className, name } = namesIn(title, inClass)
    const body = until(lines.slice(at + 1, at + 1 + bodyLinesMax), level)
    const end = body.findIndex((each) => heading.test(each))
    const said = (end < 0 ? body : body.slice(0, end)).join('\n').trim()
    const durationMs = Number((seconds ?? '').replace(',', '')) * 1_000
    failures.push(javaFailure({ className, name, said, durationMs, cwd }))
  })
  return failures
}

const bodyLinesMax = 500

/** `words(shop.PriceTest)`, since surefire 3 `shop.PriceTest.words`; a class that cannot be set up has no more. */
function namesIn(title: string, inClass: string): { className: string; name: string } {
  if (title === inClass) return { className: inClass, name: '' }
  if (title.startsWith(`${inClass}.`)) return { className: inClass, name: title.slice(inClass.length + 1) }
  const [, name, className] = /^(.*)\(([\w.$]+)\)$/.exec(title) ?? []
  if (name !== undefined && className !== undefined) return { className, name }
  const [, before = inClass, after = title] = /^([\w$]+(?:\.[\w$]+)*)\.(.+)$/.exec(title) ?? []
  return { className: before, name: after }
}

/** The list at the end, which has only the last part of the class: for output without blocks. */
function listIn(lines: readonly string[], cwd: string): TestFailure[] {
  return lines.flatMap((line) => {
    const [, className, name, said] =
      /^\[ERROR\] {3}([\w$]+)\.([^\s:>»]+)(?::\d+)?(?:->\S+)? (?:» )?(.+)$/.exec(line) ?? []
    return className === undefined || name === undefined
      ? []
      : [javaFailure({ className, name, said: said ?? '', cwd })]
  })
}
