// The fresh bugs are real ones too, in programs of their own. A failure names bugs, not what is in them.
import { beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../bug.ts'
import { bugs, freshBugs } from '../bugs.ts'
import { type CheckedBugs, checkBugs } from '../check-bugs.ts'
import { programNames, runnerOf } from '../materialise.ts'

const programs = programNames('fresh')
let checked: CheckedBugs

beforeAll(async () => {
  checked = await checkBugs(programs, freshBugs)
}, 900_000)

describe('the fresh bugs', () => {
  test('references pass both suites', () => {
    expect(checked.notGreen).toEqual([])
  })

  test('bugs fail in both suites, and so does each part of a combined bug', () => {
    expect(checked.notRed).toEqual([])
  })

  test('everything type-checks, so that the compiler does not give a bug away', () => {
    expect(checked.compilerOutput).toBe('')
  })

  test('14 by hand, 14 from a tool and 8 combined, in 10 programs that the other set does not have', () => {
    const single = freshBugs.filter((bug) => faultsOf(bug) === 'single')
    expect(single.filter((bug) => bug.origin === 'hand')).toHaveLength(14)
    expect(single.filter((bug) => bug.origin === 'tool')).toHaveLength(14)
    expect(freshBugs).toHaveLength(36)
    expect(programs).toHaveLength(10)
    expect([...new Set(freshBugs.map((bug) => bug.program))].sort()).toEqual(programs)
    expect(programs.filter((program) => runnerOf(program) === 'vitest')).toHaveLength(5)
    expect(programs.filter((program) => programNames().includes(program))).toEqual([])
    const ids = [...bugs, ...freshBugs].map((bug) => bug.id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
