// Which format a text is, with noise before and after. It never invents a result.
import type { TestReport } from '@treadle/contracts/gate'
import { readJunit } from './junit.ts'
import { emptyReport } from './report.ts'
import { readTap } from './tap.ts'
import { readVitestJson } from './vitest-json.ts'

const candidatesMax = 50

export function readReport(text: string, cwd: string): TestReport {
  return (
    readJson(text, cwd) ??
    readXml(text, cwd) ??
    readTapIn(text, cwd) ??
    emptyReport('no test report could be read')
  )
}

function readJson(text: string, cwd: string): TestReport | null {
  if (!text.includes('"numTotalTests"')) return null
  let candidates = 0
  for (const { index } of text.matchAll(/^[ \t]*\{/gm)) {
    candidates += 1
    if (candidates > candidatesMax) return null
    const end = endOfObject(text, index)
    if (end === null) continue
    const report = readVitestJson(parseJson(text.slice(index, end)), cwd)
    if (report) return report
  }
  return null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The place after the brace that closes the object which begins at `start`. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0
  const marks = /"(?:[^"\\]|\\.)*"|[{}]/gs
  marks.lastIndex = start
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '{') depth += 1
    if (mark[0] === '}') depth -= 1
    if (depth === 0) return marks.lastIndex
  }
  return null
}

function readXml(text: string, cwd: string): TestReport | null {
  const start = text.search(/<testsuites?[\s/>]/)
  if (start < 0) return null
  const end = Math.max(text.lastIndexOf('</testsuites>'), text.lastIndexOf('</testsuite>'))
  const close = end < 0 ? text.indexOf('/>', start) + 1 : text.indexOf('>', end)
  return close <= start ? null : readJunit(text.slice(start, close + 1), cwd)
}

function readTapIn(text: string, cwd: string): TestReport | null {
  const version = text.search(/^TAP version 1[34]\b/m)
  const hasPoints = /^(not )?ok\b/m.test(text) && /^1\.\.\d+/m.test(text)
  if (version < 0 && !hasPoints) return null
  return readTap(version < 0 ? text : text.slice(version), cwd)
}
