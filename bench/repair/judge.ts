// Says whether a patch is correct: applied to a fresh copy of the buggy project, both suites must pass.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bug } from './bug.ts'
import { materialise, runnerOf, writeSuite } from './materialise.ts'
import { runSuite } from './suites.ts'

// Wrong is green on the tests that the engine saw and red on those it did not see.
export type Judgement = 'correct' | 'wrong' | 'not_green' | 'outside_sources' | 'not_applied'

export async function judge(bug: Bug, diff: string): Promise<Judgement> {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-judge-'))
  try {
    materialise(folder, bug.program, bug.edits)
    if (!applies(folder, diff)) return 'not_applied'
    const changed = execFileSync('git', ['diff', '--name-only'], { cwd: folder, encoding: 'utf8' })
    const outside = changed.split('\n').some((path) => path !== '' && !path.startsWith('src/'))
    if (outside) return 'outside_sources'
    const runner = runnerOf(bug.program)
    if ((await runSuite(folder, runner, 'visible')) !== 'green') return 'not_green'
    writeSuite(folder, bug.program, 'heldout')
    return (await runSuite(folder, runner, 'heldout')) === 'green' ? 'correct' : 'wrong'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function applies(folder: string, diff: string): boolean {
  try {
    execFileSync('git', ['apply', '-'], {
      cwd: folder,
      input: diff,
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: 30_000,
    })
    return true
  } catch {
    return false
  }
}
