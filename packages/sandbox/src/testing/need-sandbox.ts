// For tests that need a sandbox: where it is not installed they are not run; where it is forbidden, that is tested.
import { tmpdir } from 'node:os'
import { notRun } from '@treadle/requirements/not-run'
import { expect, type TestContext } from 'vitest'
import { confine } from '../confine.ts'
import { probeSandbox } from '../probe.ts'

/** False: nothing can be confined on this machine, and nothing is started that should be. */
export async function needSandbox(context: TestContext): Promise<boolean> {
  const found = await probeSandbox()
  if (found.is === 'bubblewrap') return true
  if (found.why.includes('not installed')) notRun(context, found.why, found.hint)
  const wanted = { purpose: 'test', argv: ['true'], cwd: tmpdir(), network: 'own', env: {} } as const
  expect(await confine({ ...wanted, mode: 'required' })).toMatchObject({ is: 'refused' })
  return false
}
