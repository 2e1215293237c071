import type { Better } from '@treadle/contracts/measure'
import { measuredWords } from '@treadle/contracts/words/measure'
import { expect, test } from 'vitest'
import { judgeMeasure, lastNumber, type MeasureRun } from './decide-measure.ts'

test.each<[string, number | null]>([
  ['412\n', 412],
  ['412 kB in 3 files\n', 3],
  ['took 412ms', 412],
  ['took 0.5 s', 0.5],
  ['took .5', 0.5],
  ['-3.25', -3.25],
  ['1,234,567 bytes', 1_234_567],
  ['1.5e3', 1_500],
  ['kB,files\n412,3\n', 3],
  ['range 10-20', 20],
  ['utf8', null],
  ['size: 7 utf8', 7],
  ['', null],
])('the last number of %j is %j', (text, value) => {
  expect(lastNumber(text)).toBe(value)
})

const ran = (...values: (number | string)[]): MeasureRun[] =>
  values.map((value) => ({ exitCode: 0, timedOut: false, tail: `it is ${value}\n` }))
const ended = (...codes: (number | null)[]): MeasureRun[] =>
  codes.map((exitCode) => ({ exitCode, timedOut: false, tail: '' }))
const late: MeasureRun = { exitCode: null, timedOut: true, tail: '5' }

test.each<[string, Better | null, readonly [MeasureRun[], MeasureRun[]], string]>([
  [
    'lower',
    'lower',
    [ran(412, 415), ran(380, 379)],
    'the measure was 412 before and 380 after (lower is better)',
  ],
  [
    'higher',
    'higher',
    [ran(10, 11), ran(15, 12)],
    'the measure was 11 before and 12 after (higher is better)',
  ],
  [
    'within the noise',
    'lower',
    [ran(412, 390), ran(380, 395)],
    'the measure did not improve: it was 390 before and 395 after (lower is better)',
  ],
  [
    'equal',
    'higher',
    [ran(4, 4), ran(4, 4)],
    'the measure did not improve: it was 4 before and 4 after (higher is better)',
  ],
  [
    'worse',
    'lower',
    [ran(1, 1), ran(2, 2)],
    'the measure did not improve: it was 1 before and 2 after (lower is better)',
  ],
  ['an exit code', null, [ended(1, 2), ended(0, 0)], 'the measure ended with exit code 1 before and 0 after'],
  [
    'good before',
    null,
    [ended(1, 0), ended(0, 0)],
    'the measure did not improve: it ended with exit code 0 before and 0 after',
  ],
  [
    'bad after',
    null,
    [ended(1, 1), ended(0, 3)],
    'the measure did not improve: it ended with exit code 1 before and 3 after',
  ],
  [
    'what is not there is not bad',
    null,
    [ended(127, 127), ended(0, 0)],
    'the measure says nothing: on the base its command could not be started',
  ],
  [
    'what is killed is not bad',
    null,
    [ended(null, null), ended(0, 0)],
    'the measure says nothing: on the base its command was ended by a signal',
  ],
  [
    'too slow',
    'lower',
    [[late, late], ran(1, 1)],
    'the measure says nothing: on the base its command did not end in time',
  ],
  [
    'a number that comes with a failure',
    'lower',
    [ran(9, 9), ended(1, 1)],
    'the measure says nothing: on the head its command failed with exit code 1',
  ],
  [
    'no number',
    'lower',
    [ran('large', 9), ran(1, 1)],
    'the measure says nothing: on the base its command printed no number',
  ],
  ['no run', 'lower', [[], ran(1, 1)], 'the measure says nothing: it was not run on the base'],
])('%s', (_, better, [base, head], words) => {
  expect(measuredWords(judgeMeasure(better, { base, head }))).toBe(words)
})
