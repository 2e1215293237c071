import { expect, test } from 'vitest'
import { judgeCoverage } from './coverage.ts'
import { readLineCoverage } from './lines.ts'

const at = (line: number) => ({ start: { line, column: 0 }, end: { line, column: 9 } })
const istanbul = JSON.stringify({
  '/p/a.js': {
    path: '/p/a.js',
    statementMap: { 0: at(1), 1: at(2), 2: at(2), 3: at(3) },
    fnMap: {},
    branchMap: {},
    s: { 0: 4, 1: 0, 2: 1, 3: 0 },
    f: {},
    b: {},
  },
})
const lcov =
  'TN:\nSF:a.js\nDA:1,4\nDA:2,0\nDA:3,1\nLF:3\nLH:2\nend_of_record\nSF:a.js\nDA:2,1\nend_of_record\nSF:b.js\nDA:1,0\nend_of_record\n'
const cobertura = (attributes: string) => `<?xml version="1.0" ?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage ${attributes}><packages><package name="p"><classes>
<class name="a" filename="a.py"><methods><method name="m"><lines><line number="1" hits="2"/></lines></method></methods>
<lines><line number="1" hits="2"/><line number="2" hits="0"/></lines></class>
</classes></package></packages></coverage>`

test.each([
  [
    'an Istanbul summary',
    '{"total":{"lines":{"total":9,"covered":8,"pct":88.88}}}',
    { format: 'istanbul-summary', covered: 8, total: 9 },
  ],
  ['an Istanbul map', istanbul, { format: 'istanbul', covered: 2, total: 3 }],
  ['LCOV, with a file in two parts', lcov, { format: 'lcov', covered: 3, total: 4 }],
  ['LCOV with sums alone', 'SF:a.c\nLF:5\nLH:4\nend_of_record\n', { format: 'lcov', covered: 4, total: 5 }],
  [
    'Cobertura',
    cobertura('line-rate="0.9" lines-valid="20" lines-covered="18"'),
    { format: 'cobertura', covered: 18, total: 20 },
  ],
  ['Cobertura without sums', cobertura('line-rate="0.5"'), { format: 'cobertura', covered: 1, total: 2 }],
  [
    'Cobertura with a rate alone',
    '<coverage line-rate="0.75"/>',
    { format: 'cobertura', covered: 0.75, total: 1 },
  ],
  ['other JSON', '{"total":1}', null],
  ['broken JSON', '{', null],
  ['other XML', '<testsuites/>', null],
  ['XML with entities', '<!DOCTYPE a [<!ENTITY x "y">]><coverage line-rate="1"/>', null],
  ['text', 'all is well', null],
])('%s', (_what, text, expected) => {
  expect(readLineCoverage(text)).toEqual(expected)
})

test.each([
  [79, 100, 80, false, '79'],
  [80, 100, 80, true, '80'],
  [81, 100, 80, true, '81'],
  [2, 3, 66.66, true, '66.66'],
  [2, 3, 66.67, false, '66.66'],
  [281, 1_000, 28.1, true, '28.1'],
  [79_999, 100_000, 80, false, '79.99'],
  [0, 5, 0, true, '0'],
  [5, 5, 100, true, '100'],
  [99_999, 100_000, 100, false, '99.99'],
])('%i of %i lines against %d %%', (...[covered, total, threshold, enough, percent]) => {
  expect(judgeCoverage({ covered, total }, threshold)).toEqual({ enough, percent })
})
