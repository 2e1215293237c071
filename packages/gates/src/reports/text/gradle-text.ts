// What Gradle prints of tests: each that failed, and for a task with failures how many it ran. A green task says nothing.
import type { TestFailure } from '@treadle/contracts/gate'
import { javaFailure } from '../java.ts'
import { fileOfClass } from '../java-sources.ts'
import { makeFailure, summarised, type TestCounts } from '../report.ts'
import { blocksOf, countsIn, sum, type TextReader, until, wholeText } from './lines.ts'

const completed = /^\d{1,9} tests? completed(?:, \d{1,9} (?:failed|skipped))+$/
const isGradle = /^(?:> Task )?:[\w:-]+(?: [A-Z-]+)?$|^BUILD (?:FAILED|SUCCESSFUL) in /
const mark = /^(\S.*?) > (.+) (PASSED|FAILED|SKIPPED)$/

/** The end is looked at first, so that a line of many arrows is not gone through for each of them. */
const marksOf = (line: string): RegExpExecArray | null =>
  / [A-Z]+ED$/.test(line.slice(-8)) ? mark.exec(line) : null

const lineCharsMax = 2_000

const read: TextReader = (all, cwd) => {
  const lines = all.filter((line) => line.length <= lineCharsMax)
  if (!lines.some((line) => isGradle.test(line))) return null
  const summaries = lines.filter((line) => completed.test(line))
  const marks = lines.flatMap((line) => marksOf(line)?.[3] ?? [])
  if (summaries.length === 0 && marks.length === 0) return null
  const marked = (word: string): number => marks.filter((each) => each === word).length
  const counts: TestCounts = { passed: 0, failed: marked('FAILED'), skipped: 0 }
  for (const line of summaries) {
    const told = countsIn(line.replace(/ tests? /, ' '))
    counts.passed += Math.max(0, sum(told, 'completed') - sum(told, 'failed') - sum(told, 'skipped'))
    counts.skipped += sum(told, 'skipped')
  }
  const failed = summaries.reduce((all, line) => all + sum(countsIn(line), 'failed'), 0)
  return summarised(
    'gradle-text',
    {
      // A project may have each test named; tasks without failures are told only so.
      passed: Math.max(counts.passed, marked('PASSED')),
      failed: Math.max(counts.failed, failed),
      skipped: Math.max(counts.skipped, marked('SKIPPED')),
    },
    failuresIn(lines, cwd),
  )
}

export const gradleText = wholeText(read, isGradle, /^BUILD (?:FAILED|SUCCESSFUL) in /)

function failuresIn(lines: readonly string[], cwd: string): TestFailure[] {
  const title = (line: string): [string, string] | null => {
    const [, className, name, outcome] = marksOf(line) ?? []
    return className === undefined || name === undefined || outcome !== 'FAILED' ? null : [className, name]
  }
  return blocksOf(lines, title).map(({ heading: [className, name], body }) => {
    const said = until(body, /^\S/)
      .map((line) => line.replace(/^ {4}/, ''))
      .join('\n')
      .trim()
    return shortFailure({ className, name, said, cwd }) ?? javaFailure({ className, name, said, cwd })
  })
}

/** The short form, which is the default, has no message and no stack: only where in the test it happened. */
function shortFailure(at: {
  className: string
  name: string
  said: string
  cwd: string
}): TestFailure | null {
  const [, place, line] =
    /^[\w.$]+ at ([\w$-]+\.(?:java|kts?|groovy|scala)):(\d{1,7})(?:\n|$)/.exec(at.said) ?? []
  if (place === undefined) return null
  const file = fileOfClass(at.className, at.cwd)
  return makeFailure({
    names: [at.className, at.name],
    idFile: '',
    file: file?.endsWith(`/${place}`) ? file : place,
    line: Number(line),
    message: at.said,
  })
}
