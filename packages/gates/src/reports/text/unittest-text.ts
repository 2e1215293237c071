// What Python's unittest prints: a block for each failure between rules, then how many ran and how they ended.
import type { TestFailure } from '@treadle/contracts/gate'
import { makeFailure, summarised } from '../report.ts'
import { blocksOf } from './lines.ts'
import { nextLine } from './runs.ts'
import type { TextRunner } from './text-runner.ts'

const ran = /^Ran (\d+) tests? in [\d.]+s$/

const verdict = /^(?:OK|FAILED|NO TESTS RAN)\b/

const isEnd = (lines: readonly string[], at: number): boolean =>
  ran.test(lines[at] ?? '') && /^-{20,}$/.test(lines[at - 1] ?? '')

const read: TextRunner['read'] = (lines, cwd, at) => {
  const end = lines.slice(at + 1, at + 4).find((line) => verdict.test(line)) ?? ''
  const count = (what: string): number => Number(new RegExp(`\\b${what}=(\\d+)`).exec(end)?.[1] ?? 0)
  const failed = count('(?<!expected )failures') + count('errors') + count('unexpected successes')
  const skipped = count('skipped') + count('expected failures')
  const blocks = failuresOf(lines.slice(0, at - 1), cwd)
  // Subtests fail one by one but ran as one; the setting up of a class fails but did not run as a test.
  const tests = new Set(blocks.flatMap(({ test, isHook }) => (isHook ? [] : [test])))
  const hooks = blocks.filter(({ isHook }) => isHook).length
  const gone = blocks.length < failed ? failed - hooks : tests.size
  // Since 3.12.1 Python does not count the tests of a skipped class among those that ran.
  const signs = lines.flatMap((line) => /^[.FEsxu]+$/.exec(line)?.[0] ?? '').join('')
  const good = signs.split('.').length - 1 + lines.filter((line) => line.endsWith(' ... ok')).length
  const dots = Math.min(good, Number(ran.exec(lines[at] ?? '')?.[1]) - gone)
  const passed = Math.max(0, dots, Number(ran.exec(lines[at] ?? '')?.[1]) - gone - skipped)
  const cut = end === '' ? ['the summary is cut off'] : []
  const failures = onceEach(blocks)
  const twice = blocks.length - failures.length
  return summarised('unittest-text', { passed, failed: failed - twice, skipped }, failures, cut)
}

/** A test that fails, and then once more when it is torn down, is one. */
function onceEach(blocks: readonly Block[]): TestFailure[] {
  const once = new Map<string, TestFailure>()
  for (const [at, { failure, isNameless }] of blocks.entries()) {
    const key = isNameless ? `${at}` : failure.id
    const first = once.get(key)
    const message = first === undefined ? '' : `${first.message}\n${failure.message}`
    once.set(key, first === undefined ? failure : { ...first, message })
  }
  return [...once.values()]
}

export const unittestText: TextRunner = {
  ends: isEnd,
  closes: (lines, at) => {
    const end = nextLine(lines, at + 1, (line, here) => verdict.test(line) || here > at + 3)
    return end > at + 3 ? at + 1 : end + 1
  },
  begins: /^={20,}$/,
  marks: [
    {
      on: (line) => (/^[.FEsxu]+$/.test(line) ? [line.length] : null),
      claimed: (lines, at) => [Number(ran.exec(lines[at] ?? '')?.[1])],
    },
    {
      on: (line) =>
        /\.\.\. (?:ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$/.test(line) ? [1] : null,
      claimed: (lines, at) => [Number(ran.exec(lines[at] ?? '')?.[1])],
    },
    {
      // A test that prints parts its name from its result.
      on: (line) =>
        /^\w+ \([\w.]+\) \.\.\. |\.\.\. (?:ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$/.test(
          line,
        )
          ? [1]
          : null,
      claimed: (lines, at) => [Number(ran.exec(lines[at] ?? '')?.[1])],
    },
  ],
  read,
}

interface Block {
  readonly failure: TestFailure
  readonly test: string
  readonly isHook: boolean
  /** Nose2 does not say whose hook failed. */
  readonly isNameless: boolean
}

function failuresOf(lines: readonly string[], cwd: string): Block[] {
  const heading = (line: string, at: number): string | null =>
    /^={20,}$/.test(lines[at - 1] ?? '')
      ? (/^(?:ERROR|FAIL|UNEXPECTED SUCCESS): (.+)$/.exec(line)?.[0] ?? null)
      : null
  return blocksOf(lines, heading).map(({ heading: title, body }) => {
    const [, kind = '', name = '', where = '', part = ''] =
      /^([A-Z ]+): (\S+) \(([^()]*)\)(.*)$/.exec(title) ?? []
    const rule = body.findIndex((line) => /^-{20,}$/.test(line))
    const text = body
      .slice(rule + 1)
      .filter((line) => !/^={20,}$/.test(line))
      .join('\n')
      .trim()
    // Since Python 3.11 the test's own name is repeated behind its class.
    const place = where.endsWith(`.${name}`) ? where.slice(0, -name.length - 1) : where
    const test = `${place}.${name}`
    const isNameless = /: _ErrorHolder$/.test(title)
    const isHook = isNameless || /^(?:setUp|tearDown)(?:Class|Module)$/.test(name)
    const message =
      kind === 'UNEXPECTED SUCCESS' ? 'the test was expected to fail, and passed' : errorOf(text)
    const names = [place, `${name || title}${part}`]
    const failure = makeFailure({ names, idFile: '', message, stack: text || null, cwd })
    return { test, isHook, isNameless, failure }
  })
}

/** The error stands after the calls, at the margin, and goes on to the end. */
function errorOf(text: string): string {
  const lines = text.split('\n')
  const last = lines.findLastIndex((line) => /^ {2,}(?:File "|\S)/.test(line) && !/^[-+?] /.test(line))
  const at = lines.findIndex((line, here) => here > last && /^[\w.]+(?:: |$)/.test(line))
  return at < 0 ? (lines[0] ?? '') : lines.slice(at).join('\n')
}
