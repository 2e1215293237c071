// What a log puts before the lines of a runner, and how its bytes are written.
import { expect, test } from 'vitest'
import { readReport } from './read-report.ts'
import { readNow } from './report-order.ts'

const mocha = [
  '',
  '',
  '  cart',
  '    ✔ adds',
  '    1) total',
  '',
  '',
  '  1 passing (3ms)',
  '  1 failing',
  '',
  '  1) cart',
  '       total:',
  '     Error: expected 1 to be 2',
  '      at Context.<anonymous> (a.test.js:3:33)',
  '',
]
const other = ['', '', '  tax', '    ✔ rounds', '    - later', '', '', '  1 passing (2ms)', '  1 pending', '']
const read = (lines: readonly string[]) => readReport(lines.join('\n'), '/project')
const red = { passed: 1, failed: 1, skipped: 0 }

test.each([
  ['GitHub', '2026-11-17T16:05:44.7601234Z '],
  ['GitHub, with its job and step', 'test\tRun npm test\t2026-11-17T16:05:44.7601234Z '],
  ['GitLab', '2026-11-17T16:05:44.760123Z 01O '],
  ['a time in brackets', '[2026-11-17T16:05:44.760Z] '],
  ['the time of day', '16:05:44 '],
  ['turbo', '@shop/web:test: '],
  ['pnpm', 'packages/web test: '],
  ['concurrently', '[0] '],
  ['compose', 'web-1  | '],
])('%s writes it before each line', (_, label) => {
  expect(read(mocha.map((line) => label + line))).toMatchObject(red)
  // An editor, or the program itself, may take the space away where nothing follows.
  expect(read(mocha.map((line) => (label + line).trimEnd()))).toMatchObject(red)
})

test('programs that run side by side mix their lines, and each is read by itself', () => {
  const mixed = mocha.flatMap((line, at) => [
    `web:test: ${line}`,
    ...(at < other.length ? [`api:test: ${other[at]}`] : []),
  ])
  expect(read(['• Running test in 2 packages', ...mixed])).toMatchObject({ passed: 2, failed: 1, skipped: 1 })
})

test('a label of a few lines is no label: a run that can be read as it is stays as it is', () => {
  const printed = ['web: 9 passing (3ms)', 'web: ', 'web: ', 'web: ', 'web: ']
  expect(read([...printed, ...mocha])).toMatchObject(red)
  expect(read(printed).format).toBe('none')
})

test('PowerShell writes UTF-16, and others a mark before UTF-8', () => {
  const text = mocha.join('\r\n')
  const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  const big = Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()])
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])
  const junit = Buffer.from(
    '\uFEFF<?xml version="1.0"?><testsuite tests="1"><testcase name="a"/></testsuite>',
  )
  for (const data of [little, big, marked])
    expect(readNow({ data: [data], cwd: '/project' })).toMatchObject(red)
  expect(readNow({ data: [junit], cwd: '/project' })).toMatchObject({ format: 'junit', passed: 1 })
})

test('a whole report in one line below one label does not hide what is red below another', () => {
  const json = JSON.stringify({
    numTotalTests: 1,
    numPassedTests: 1,
    numFailedTests: 0,
    success: true,
    testResults: [
      {
        name: '/project/b.test.js',
        status: 'passed',
        assertionResults: [{ ancestorTitles: [], title: 'b', fullName: 'b', status: 'passed' }],
      },
    ],
  })
  const lines = [...mocha.map((line) => `web:test: ${line}`), `api:test: ${json}`, 'api:test: done']
  expect(read(lines).failed).toBeGreaterThan(0)
})
