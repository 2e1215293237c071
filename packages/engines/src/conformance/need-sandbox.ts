// For tests that need a sandbox: one that is not installed is not run; where the machine allows none, the refusal is tested.
import { tmpdir } from 'node:os'
import { notRun } from '@treadle/requirements/not-run'
import { expect, type TestContext } from 'vitest'
import { confine, probeSandbox } from '../sandbox/sandbox.ts'

/** False: nothing can be confined on this machine, and nothing is started that should be. */
export async function needSandbox(context: TestContext): Promise<boolean> {
  const found = await probeSandbox()
  if (found.is === 'bubblewrap') return true
  if (found.why.includes('not installed')) notRun(context, found.why, found.hint)
  const asked = { argv: ['true'], cwd: tmpdir(), writable: [], isReadOnly: false }
  expect(await confine({ ...asked, mode: 'required' })).toMatchObject({ is: 'refused' })
  return false
}
