// What pytest prints: blocks under FAILURES and ERRORS, short lines with the ids, and the counts.
import type { TestFailure } from '@treadle/contracts/gate'
import { framesOf } from '../frames.ts'
import { makeFailure, summarised } from '../report.ts'
import { blocksOf, countsIn, lastLine, sum } from './lines.ts'
import { signsBefore } from './pytest-quiet.ts'
import type { TextRunner } from './text-runner.ts'

const outcome =
  '\\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests passed)'
const summary = new RegExp(
  `^(?:=+ )?(?:${outcome}(?:, ${outcome})*|no tests ran) in [\\d.]+s(?: \\([\\d:]+\\))?(?: =+)?$`,
)

const read: TextRunner['read'] = (lines, cwd, at) => {
  const counts = countsAt(lines, at)
  const failed = sum(counts, 'failed', 'error', 'errors')
  const failures = failuresOf(lines.slice(0, at), failed, cwd)
  const why =
    failed + failures.length > 0 ? null : interruptionIn(lines.slice(Math.max(0, at - aheadMax), at + 2))
  if (why !== null) {
    const message = `the run was interrupted: ${why}`
    failures.push(makeFailure({ names: ['test run'], idFile: '', message }))
  }
  return summarised(
    'pytest-text',
    {
      passed: sum(counts, 'passed', 'xpassed'),
      failed,
      skipped: sum(counts, 'skipped', 'xfailed'),
    },
    failures,
  )
}

function countsAt(lines: readonly string[], at: number): Map<string, number> {
  const line = lines[at] ?? ''
  return summary.test(line) ? countsIn(line) : (signsBefore(lines, at) ?? new Map())
}

const aheadMax = 50

/** Why the run ended before its last test, if it did: between exclamation marks. */
function interruptionIn(lines: readonly string[]): string | null {
  const why = /^(?:!{3,} (.+) !{3,}|INTERNALERROR> (.+))$/
  return lines.flatMap((line) => why.exec(line)?.slice(1).find(Boolean) ?? []).at(-1) ?? null
}

/** A test that gives up the whole run says so after the counts. */
const isStopped = (line: string | undefined): boolean => /^!{3,} .+ !{3,}$/.test(line ?? '')

const lengthOf = (signs: string | undefined): readonly number[] | null =>
  signs === undefined ? null : [signs.length]
const claimed = (lines: readonly string[], at: number): readonly number[] => {
  const counts = countsAt(lines, at)
  return [sum(counts, 'passed', 'failed', 'error', 'errors', 'skipped', 'xfailed', 'xpassed')]
}

export const pytestText: TextRunner = {
  ends: (lines, at) => summary.test(lines[at] ?? '') || signsBefore(lines, at) !== null,
  closes: (lines, at) => (isStopped(lines[at + 1]) ? at + 2 : at + 1),
  // Quietly it says nothing before the last line of its signs.
  begins: /^=+ test session starts =+$|^[.FEsxXR]+ +\[100%\]$/,
  announced: true,
  format: 'pytest-text',
  genuine: (lines, at) => /^={2,} .* ={2,}$/.test(lines[at] ?? ''),
  marks: [
    { on: (line) => lengthOf(/^(?:\S+\.py )?([.FEsxX]+)(?: +\[ *\d+%\])?$/.exec(line)?.[1]), claimed },
    {
      on: (line) =>
        / (?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: .*)? \[ *\d+%\]$/.test(line) ? [1] : null,
      claimed,
    },
  ],
  read,
}

interface Named {
  readonly file: string
  readonly names: readonly string[]
}

function failuresOf(lines: readonly string[], failed: number, cwd: string): TestFailure[] {
  const start = lines.findIndex((line) => /^=+ (?:FAILURES|ERRORS) =+$/.test(line))
  const info = lastLine(lines, /^=+ short test summary info =+$/)
  const named = namesOf(info < 0 ? [] : lines.slice(info))
  const body = start < 0 ? [] : lines.slice(start, info < 0 ? lines.length : info)
  const blocks = blocksOf(body, (line) => /^_{2,} (.+?) _{2,}$/.exec(line)?.[1] ?? null)
  const found = blocks.map(({ heading, body: said }) => failureOf(heading, { said, named, cwd }))
  // Without tracebacks, or with those of a line, there are only the short lines.
  const short = [...named.values()]
    .flat()
    .map(({ file, names, message }) => makeFailure({ names, file, message }))
  return blocks.length === 0 ? short : [...found, ...short.slice(0, Math.max(0, failed - found.length))]
}

/** By the last part of the id: the heading of a block says no more. */
function namesOf(lines: readonly string[]): Map<string, (Named & { message: string })[]> {
  const named = new Map<string, (Named & { message: string })[]>()
  for (const line of lines) {
    const [, id, message = ''] = /^(?:FAILED|ERROR) (.+?)(?: - (.*))?$/.exec(line) ?? []
    if (id === undefined) continue
    const [file = '', ...rest] = id.split('::')
    const key = rest.length === 0 ? file : rest.join('.')
    const module = file.replace(/\.py$/, '').replaceAll('/', '.')
    const names = rest.length === 0 ? [] : [[module, ...rest.slice(0, -1)].join('.'), rest.at(-1) ?? '']
    const all = named.get(key) ?? []
    all.push({ file, names, message })
    named.set(key, all)
  }
  return named
}

interface At {
  readonly said: readonly string[]
  readonly named: Map<string, Named[]>
  readonly cwd: string
}

function failureOf(heading: string, { said, named, cwd }: At): TestFailure {
  const title = heading.replace(/^ERROR (?:collecting|at (?:setup|teardown) of) /, '')
  const known = named.get(title)?.shift()
  const captured = said.findIndex((line) => /^-{3,} Captured .* -{3,}$/.test(line))
  const text = (captured < 0 ? said : said.slice(0, captured)).filter((line) => !/^=+ \w+ =+$/.test(line))
  const errors = text.flatMap((line) => /^E {3,}(.*)$/.exec(line)?.[1] ?? [])
  const stack = text.join('\n').trim()
  const frames = framesOf(stack, cwd)
  const place = frames.find((frame) => frame.file === known?.file) ?? frames.find((frame) => frame.own)
  return makeFailure({
    names: known?.names ?? [title],
    file: known?.file ?? place?.file,
    line: place?.line ?? null,
    message: errors.map((line) => line.trimEnd()).join('\n') || title,
    stack,
    output:
      captured < 0
        ? null
        : said
            .slice(captured)
            .filter((line) => !/^-{3,} Captured .* -{3,}$|^=+ \w+ =+$/.test(line))
            .join('\n'),
    cwd,
  })
}
