// What playwright's line reporters print: numbered failures with their tries, then counts with lists of titles.
import type { TestFailure } from '@treadle/contracts/gate'
import { framesOf } from '../frames.ts'
import { expectedIn, makeFailure, summarised } from '../report.ts'
import { blocksOf, dedent, lastLine, until } from './lines.ts'
import type { TextRunner } from './text-runner.ts'

const countLine =
  /^ {2}(\d+) (failed|flaky|skipped|passed|interrupted|did not run|errors? (?=w))(?: \([\d.]+m?s?[hm]?\)|(?:was|were) not a part of any test.*)?$/
const running = /^Running \d+ tests? using \d+ workers?/
const titleLine = /^ {4}(?=\S)(.+:\d+:\d+ › .+?)(?: ─+)?\s*$/

const read: TextRunner['read'] = (lines, cwd, last) => {
  const start = lastLine(lines.slice(0, last), running)
  if (start < 0) return null
  const first = beginOfSummary(lines, last, start)
  const { counts, titles } = summaryOf(lines.slice(first, last + 1))
  const count = (word: string): number => counts.get(word) ?? 0
  const bad = new Set([...(titles.get('failed') ?? []), ...(titles.get('interrupted') ?? [])])
  const flaky = titles.get('flaky') ?? []
  const failures = failuresOf(lines.slice(start, first), bad, cwd)
  // A global hook, or whatever else is no test's.
  const early = lines
    .slice(start, first)
    .filter((line) => /^ *(?:Error: )?Testing stopped early after \d/.test(line))
  const errors = count('error ') + count('errors ') - (count('failed') > 0 ? early.length : 0)
  if (errors > 0) {
    const message = `${errors} errors were not a part of any test`
    failures.push(makeFailure({ names: ['test run'], idFile: '', message }))
  }
  return summarised(
    'playwright-text',
    {
      passed: count('passed') + count('flaky'),
      failed: count('failed') + count('interrupted') + (errors > 0 ? 1 : 0),
      skipped: count('skipped') + count('did not run'),
    },
    failures,
    flaky.length > 0 ? [`${flaky.length} flaky: ${flaky.slice(0, 10).join('; ')}`] : [],
  )
}

export const playwrightText: TextRunner = {
  ends: (lines, at) => countLine.test(lines[at] ?? '') && !isSummary(lines[at + 1] ?? ''),
  closes: (_, at) => at + 1,
  begins: running,
  announced: true,
  format: 'playwright-text',
  read,
}

/** A title of several lines stands between the counts; an empty line is before them all. */
function beginOfSummary(lines: readonly string[], last: number, start: number): number {
  let first = last
  for (let at = last - 1; at > start && (lines[at] ?? '').trim() !== ''; at -= 1) {
    if (countLine.test(lines[at] ?? '')) first = at
  }
  return first
}

const isSummary = (line: string): boolean => countLine.test(line) || titleLine.test(line)

function summaryOf(lines: readonly string[]) {
  const counts = new Map<string, number>()
  const titles = new Map<string, string[]>()
  let word = ''
  for (const line of lines) {
    const [, count, name] = countLine.exec(line) ?? []
    if (name !== undefined) {
      word = name
      counts.set(word, Number(count))
    } else {
      const all = titles.get(word) ?? []
      all.push(titleLine.exec(line)?.[1] ?? '')
      titles.set(word, all)
    }
  }
  return { counts, titles }
}

function failuresOf(lines: readonly string[], bad: ReadonlySet<string>, cwd: string): TestFailure[] {
  const heading = (line: string): string | null => /^ {2}\d+\) (.+?)(?: ─+)?\s*$/.exec(line)?.[1] ?? null
  const blocks = blocksOf(lines, heading).flatMap(({ heading: said, body }) => {
    // The step that failed stands behind its test.
    const title = [...bad].find((each) => said === each || said.startsWith(`${each} › `))
    return title === undefined ? [] : [{ heading: title, body }]
  })
  // Two reporters describe each failure twice.
  const once = new Map(blocks.map((block) => [block.heading, block]))
  return [...once.values()].map(({ heading: title, body }) =>
    failureOf(title, until(body, /^ {4}Retry #\d+ ─/), cwd),
  )
}

function failureOf(title: string, lines: readonly string[], cwd: string): TestFailure {
  const [, project, file = '', begin, rest = ''] =
    /^(?:(\[.+?\]) › )?(.+?):(\d+):\d+ › (.+)$/.exec(title) ?? []
  const body = dedent(lines, 4)
  const stack = body.filter((line) => /^\s+at /.test(line)).join('\n')
  const said = until(body, /^\s*>? *\d+ \||^\s+at |^Error Context: /)
  return makeFailure({
    names: [project ?? '', ...rest.split(' › ')],
    file,
    line: framesOf(stack, cwd).find((frame) => frame.file === file)?.line ?? Number(begin),
    message: said.join('\n'),
    stack: stack === '' ? null : `${said.join('\n').trim()}\n${stack}`,
    ...expectedIn(said.join('\n')),
    cwd,
  })
}
