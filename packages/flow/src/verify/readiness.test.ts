import { expect, test } from 'vitest'
import { green, red } from '../work/testing/sample.ts'
import { decideVerify, judgeRegression, judgeShrunk } from './decide.ts'

const notRun = { is: 'not_run', gate: 'tests_pass', why: 'interrupted' } as const
const noTests = { is: 'skipped', gate: 'tests_pass', why: 'no tests: no command' } as const

test('the suite may fail only where it failed before the change', () => {
  const before = red('no_regression', ['a', 'b'])
  expect(judgeRegression(green(), before).is).toBe('passed')
  expect(judgeRegression(red('tests_pass', ['a']), before)).toMatchObject({
    is: 'passed_with_warnings',
    gate: 'no_regression',
  })
  expect(judgeRegression(red('tests_pass', ['a', 'c']), before)).toMatchObject({
    is: 'failed',
    failures: [{ id: 'c' }],
  })
  expect(judgeRegression(red('tests_pass', ['a']), null).is).toBe('failed')
  expect(judgeRegression(red('tests_pass', ['a']), green()).is).toBe('failed')
  expect(judgeRegression(notRun, before)).toMatchObject({ is: 'not_run', gate: 'no_regression' })
})

test('green counts only if as much was tested as before', () => {
  const ran = (total: number, warnings: string[] = []) => {
    const gate = green()
    if (gate.is !== 'passed' || gate.evidence.report === null) throw new Error('green has a report')
    return { ...gate, evidence: { ...gate.evidence, report: { ...gate.evidence.report, total, warnings } } }
  }
  const silent = ['a.test.js reported no tests; that it ended well counts as none']
  expect(judgeShrunk(ran(3), ran(3)).is).toBe('passed')
  expect(judgeShrunk(ran(4), ran(3)).is).toBe('passed')
  expect(judgeShrunk(ran(2), ran(3))).toMatchObject({
    is: 'failed',
    failures: [{ message: 'only 2 tests ran where 3 ran before the change' }],
  })
  expect(judgeShrunk(ran(3, silent), ran(3)).is).toBe('failed')
  expect(judgeShrunk(ran(3, silent), ran(3, silent)).is).toBe('passed')
  expect(judgeShrunk(ran(1), null).is).toBe('passed')
  const known = red('no_regression', ['a'])
  const shrunk = judgeShrunk(known, red('no_regression', ['a', 'b']))
  expect(judgeRegression(shrunk, red('no_regression', ['a', 'b']))).toMatchObject({
    is: 'failed',
    failures: [{ id: 'test run' }],
  })
})

test('tests that ran before the change and are not there any more have not run', () => {
  expect(judgeShrunk(noTests, null)).toEqual(noTests)
  expect(judgeShrunk(noTests, noTests)).toEqual(noTests)
  expect(judgeShrunk(noTests, green())).toMatchObject({
    is: 'not_run',
    why: expect.stringMatching(/^no tests:/),
  })
  expect(judgeShrunk(noTests, red('tests_pass', ['a']))).toMatchObject({ is: 'not_run' })
})

test('why nothing is delivered is said also where nothing ran', () => {
  expect(decideVerify({ gates: [noTests], changedFiles: 1 })).toEqual({
    is: 'fail',
    why: 'tests skipped: no tests: no command',
  })
})

test('what cannot be compared is not excused', () => {
  const unreadable = red('tests_pass', ['the command failed'])
  if (unreadable.is !== 'failed') throw new Error('red is failed')
  const blind = { ...unreadable, evidence: { ...unreadable.evidence, report: null } }
  expect(judgeRegression(blind, blind).is).toBe('failed')
})

test.each([
  [[green()], 1, 'deliver'],
  [[green()], 0, 'fail'],
  [[green(), red('no_regression')], 1, 'fail'],
  [[notRun], 1, 'fail'],
  [[noTests], 1, 'fail'],
  [[noTests, green('secrets')], 1, 'deliver'],
] as const)('delivery needs green gates and a change, row %$', (gates, changedFiles, is) => {
  expect(decideVerify({ gates, changedFiles }).is).toBe(is)
})
