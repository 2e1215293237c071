// Every bug is really one: the reference passes both suites, the bug fails in both, and all of it compiles.
import { beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from './bug.ts'
import { bugs } from './bugs.ts'
import { type CheckedBugs, checkBugs } from './check-bugs.ts'
import { programNames } from './materialise.ts'
import { sideOf } from './split.ts'

let checked: CheckedBugs

beforeAll(async () => {
  checked = await checkBugs(programNames(), bugs)
}, 900_000)

describe('the bug set', () => {
  test('references pass both suites', () => {
    expect(checked.notGreen).toEqual([])
  })

  test('bugs fail in both suites, and so does each part of a combined bug', () => {
    expect(checked.notRed).toEqual([])
  })

  test('everything type-checks, so that the compiler does not give a bug away', () => {
    expect(checked.compilerOutput).toBe('')
  })

  test('there are enough bugs of each sort, over 30 programs, half of the single ones from a tool', () => {
    const single = bugs.filter((bug) => faultsOf(bug) === 'single')
    expect(programNames()).toHaveLength(30)
    expect(single.length).toBeGreaterThanOrEqual(60)
    expect(bugs.length - single.length).toBeGreaterThanOrEqual(15)
    expect(single.filter((bug) => bug.origin === 'tool').length * 2).toBeGreaterThanOrEqual(single.length)
    expect(new Set(bugs.map((bug) => bug.program)).size).toBe(30)
    expect(new Set(bugs.map((bug) => bug.id)).size).toBe(bugs.length)
  })

  test('about a third is set aside', () => {
    const aside = bugs.filter((bug) => sideOf(bug.id) === 'aside')
    expect(aside.length / bugs.length).toBeGreaterThan(0.25)
    expect(aside.length / bugs.length).toBeLessThan(0.42)
  })
})
