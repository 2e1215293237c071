// What ava prints: a mark for each test, then between two rules the failures, then the counts.
import type { TestFailure } from '@treadle/contracts/gate'
import { fileName, framesOf } from '../frames.ts'
import { makeFailure, summarised } from '../report.ts'
import { blocksOf, countsIn, dedent, sum, until } from './lines.ts'
import { nextLine, toEmptyLine } from './runs.ts'
import type { TextRunner } from './text-runner.ts'

const countLine =
  /^ {2}(?:\d+ (?:tests? (?:failed|passed|skipped|todo)|known failures?|uncaught exceptions?|unhandled rejections?)|\d+ .*)$/
const counted = /^ {2}\d+ (?:tests? \w+|hooks? failed|known failures?|uncaught|unhandled)/
const rule = '  ─'

const isEnd = (lines: readonly string[], at: number): boolean =>
  lines[at] === rule && counted.test(lines[endOfBlank(lines, at)] ?? '')

const endOfBlank = (lines: readonly string[], at: number): number =>
  nextLine(lines, at + 1, (line) => line.trim() !== '')

const read: TextRunner['read'] = (lines, cwd, at) => {
  const summary = lines.slice(at + 1).filter((line) => countLine.test(line))
  const counts = countsIn(summary.join('\n').replaceAll(/ (?:tests?|hooks?) /g, ' '))
  if (!summary.some((line) => counted.test(line))) return null
  const marks = lines.slice(0, at)
  const described = [...crashesOf(marks, cwd), ...failuresOf(marks, cwd)]
  const ended = endedOf(marks, { described, cwd })
  const failures = [...described, ...ended]
  // Behind the first rule a title may begin with any mark.
  const good = until(marks, /^ {2}─$/).filter((line) => /^ {2}✔ (?!\[expected fail\])/.test(line)).length
  // Up to version 4 what is expected to fail has the mark of what passed.
  const isMarked = marks.some((line) => /^ {2}✔ \[expected fail\]/.test(line))
  const passed = Math.max(0, good - (isMarked ? 0 : sum(counts, 'known')))
  const uncaught = sum(counts, 'uncaught', 'unhandled')
  return summarised(
    'ava-text',
    {
      // With failures ava does not say how many passed.
      passed: counts.get('passed') ?? passed,
      failed: sum(counts, 'failed') + uncaught + ended.length,
      skipped: sum(counts, 'skipped', 'todo', 'known'),
    },
    failures,
  )
}

export const avaText: TextRunner = {
  ends: isEnd,
  closes: (lines, at) => toEmptyLine(lines, endOfBlank(lines, at)),
  begins: /^ {2}(?:✔|[✘✖] |─$|Uncaught exception in |Unhandled rejection in )/,
  read,
}

function crashesOf(lines: readonly string[], cwd: string): TestFailure[] {
  const heading = (line: string): string | null =>
    /^ {2}(?:Uncaught exception|Unhandled rejection) in (.+)$/.exec(line)?.[1] ?? null
  return blocksOf(lines, heading).map(({ heading: file, body }) => {
    const text = dedent(until(body, /^ {2}(?:[✘✖] |─$)/), 2)
      .join('\n')
      .trim()
    const line = framesOf(text, cwd).find((frame) => frame.file === fileName(file, cwd))?.line
    return makeFailure({
      names: [],
      file: fileName(file, cwd),
      line: line ?? null,
      message: text.split('\n')[0] ?? '',
      stack: text,
      cwd,
    })
  })
}

/** Files that ended before their tests did, or have none: each once, if nothing else is told of it. */
function endedOf(
  lines: readonly string[],
  { described, cwd }: { described: readonly TestFailure[]; cwd: string },
): TestFailure[] {
  const known = new Set(described.map(({ file }) => file))
  const ended: TestFailure[] = []
  for (const line of lines) {
    const said = /^ {2}[✘✖] (?!\[)(.+)$/.exec(line)?.[1]
    const [, ...files] = endWords.exec(said ?? '') ?? []
    const name = files.find((each) => each !== undefined)
    const file = name === undefined ? null : fileName(name, cwd)
    if (said === undefined || file === null || known.has(file)) continue
    known.add(file)
    ended.push(makeFailure({ names: [], file, message: said }))
  }
  return ended
}

const endWords =
  /^(?:(\S+) exited (?:with|due to) .+|Exiting due to process\.exit\(\) when running (\S+)|No tests found in (\S+?)(?:,.*)?|(?:Couldn['’]t|Could not) .* (\S+))$/

function failuresOf(lines: readonly string[], cwd: string): TestFailure[] {
  const marked = lines.flatMap((line) => /^ {2}(?:✘ \[fail\]:|✖) (.+)$/.exec(line)?.[1] ?? [])
  const start = lines.indexOf(rule)
  if (start < 0) return marked.map((title) => makeFailure({ names: [title], message: title }))
  const section = lines.slice(start + 1)
  // A block begins with the title of a failed test, in the order of the marks; those have the reason behind the title.
  let next = 0
  const heading = (line: string, at: number): string | null => {
    const title = line.slice(2)
    const begins = line.startsWith('  ') && title !== '' && (section[at - 1] ?? '').trim() === ''
    if (!begins || !`${marked[next] ?? ''} `.startsWith(`${title} `)) return null
    next += 1
    return title
  }
  return blocksOf(section, heading).map(({ heading: title, body }) => failureOf(title, dedent(body, 2), cwd))
}

function failureOf(title: string, body: readonly string[], cwd: string): TestFailure {
  const [, file, line] = body.map((each) => /^(\S+\.\w+):(\d+)$/.exec(each)).find(Boolean) ?? []
  const text = body
    .filter((each) => !/^\S+\.\w+:\d+$/.test(each) && !/^ *\d+: /.test(each))
    .join('\n')
    .trim()
  const stackAt = text.search(/^(?:› | +at )/m)
  const said = (stackAt < 0 ? text : text.slice(0, stackAt)).trim()
  // The thrown error stands last, after how it looks taken apart.
  const error = /^\w*(?:Error|Exception)\b.*: [\s\S]*$/m.exec(said)?.[0]
  const [, actual, expected] = /^- (.*)\n\+ (.*)$/m.exec(said) ?? []
  return makeFailure({
    names: [title],
    file: file ?? null,
    line: line === undefined ? null : Number(line),
    message: error?.split('\n\n')[0] ?? said,
    stack: stackAt < 0 ? null : text,
    expected: expected ?? null,
    actual: actual ?? null,
    cwd,
  })
}
