import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Bug, Edit } from './bug.ts'
import { bugs } from './bugs.ts'
import { judge } from './judge.ts'
import { materialise, sourcesOf, writeFiles } from './materialise.ts'

const [nodeBug, vitestBug] = ['calculator-zero', 'text-wrap-width'].map(bugNamed)

function bugNamed(id: string): Bug {
  const found = bugs.find((bug) => bug.id === id)
  if (!found) throw new Error(`no bug ${id}`)
  return found
}

// The diff from the buggy project to one with other edits.
function diffTo(bug: Bug, edits: readonly Edit[], more: ReadonlyMap<string, string> = new Map()): string {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-judge-test-'))
  try {
    materialise(folder, bug.program, bug.edits)
    writeFiles(folder, sourcesOf(bug.program, edits))
    writeFiles(folder, more)
    return execFileSync('git', ['diff'], { cwd: folder, encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test.each([nodeBug, vitestBug])('the way back to the reference is correct', async (bug) => {
  if (!bug) throw new Error('no bug')
  expect(await judge(bug, diffTo(bug, []))).toBe('correct')
})

test('a patch that only serves the visible test is wrong', async () => {
  const bug = bugNamed('calculator-zero')
  const [edit] = bug.edits
  if (!edit) throw new Error('no edit')
  const special = { ...edit, replace: `if (found === undefined || (!found && name !== 'x')) throw` }
  expect(await judge(bug, diffTo(bug, [special]))).toBe('wrong')
})

test('a patch that changes nothing useful, edits a test or does not apply is told apart', async () => {
  const bug = bugNamed('calculator-zero')
  const [edit] = bug.edits
  if (!edit) throw new Error('no edit')
  const useless = { ...edit, replace: 'if (found === 7 || !found) throw' }
  expect(await judge(bug, diffTo(bug, [useless]))).toBe('not_green')
  const emptied = new Map([['test/calculator.test.ts', '']])
  expect(await judge(bug, diffTo(bug, bug.edits, emptied))).toBe('outside_sources')
  expect(await judge(bug, 'not a diff')).toBe('not_applied')
})
