// Captures of runs that are easily misread, each with what the run was: `passed failed skipped`, or that it was red.
// Names of tests that failed may follow, each after ` | `.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { TestReport } from '@treadle/contracts/gate'
import { expect, test } from 'vitest'
import { readReport } from './read-report.ts'

const folder = fileURLToPath(new URL('fixtures/traps', import.meta.url))

interface Capture {
  readonly name: string
  readonly truth: string
  readonly text: string
}

function capturesIn(file: string): Capture[] {
  const [, ...parts] = readFileSync(`${folder}/${file}`, 'utf8').split(/^-- (\S+): (.+) --\n/m)
  const captures: Capture[] = []
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [name = '', truth = '', text = ''] = parts.slice(at, at + 3)
    captures.push({ name, truth, text })
  }
  return captures
}

/** As the truth is written. A run that ended before it could report is red, and so is one of which nothing is read. */
function told(text: string, truth: string): string {
  const { format, passed, failed, skipped, failures } = TestReport.parse(readReport(text, '/project'))
  const [counts, ...names] = truth.split(' | ')
  const left = failures.map(({ id }) => onOneLine(id))
  const missing = names.filter((name) => {
    const at = left.findIndex((id) => id.endsWith(onOneLine(name)))
    return at < 0 || left.splice(at, 1).length === 0
  })
  if (missing.length > 0) return `without ${missing.join(', ')} in ${left.join(', ')}`
  const isRed = failed > 0 || format === 'none'
  if (counts === 'red') return isRed ? truth : `green: ${passed} ${failed} ${skipped}`
  return [format === 'none' ? 'none' : `${passed} ${failed} ${skipped}`, ...names].join(' | ')
}

/** Formats differ in the sign between a group and its test, and in how they write a name of several lines. */
function onOneLine(name: string): string {
  return name.replaceAll('›', '>').replaceAll('\\', '').replace(/\s+/g, ' ').trim()
}

const files = readdirSync(folder).filter((file) => file.endsWith('.captures'))

test.each(files)('%s: no test is counted twice or lost, and what a test prints is no report', (file) => {
  const captures = capturesIn(file)
  expect(captures.length).toBeGreaterThan(0)
  const truths = captures.map(({ name, truth }) => `${name}: ${truth}`)
  expect(captures.map(({ name, truth, text }) => `${name}: ${told(text, truth)}`)).toEqual(truths)
})

test('the failures are those of the suite, whatever colours and marks are in their names', () => {
  const expected = ['größer 🚀 名前', 'red name', '✓ looks passed']
  for (const file of ['mocha-10.captures', 'jest-30.captures', 'vitest-5.captures']) {
    for (const { name, text } of capturesIn(file).filter((each) => each.name.startsWith('colour.'))) {
      const ids = readReport(text, '/project').failures.map(({ id }) => id)
      expect(
        expected.every((each) => ids.some((id) => id.endsWith(each))),
        `${file} ${name}: ${ids}`,
      ).toBe(true)
    }
  }
})
