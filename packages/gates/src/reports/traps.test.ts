// Captures of runs that are easily misread, each with what the run was: `passed failed skipped`, or that it was red.
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
  const { format, passed, failed, skipped } = TestReport.parse(readReport(text, '/project'))
  const isRed = failed > 0 || format === 'none'
  if (truth === 'red') return isRed ? 'red' : `green: ${passed} ${failed} ${skipped}`
  return format === 'none' ? 'none' : `${passed} ${failed} ${skipped}`
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
