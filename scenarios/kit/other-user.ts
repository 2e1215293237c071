// For tests that need a second user of the machine: only root can become another, and make folders that are another's.
import { execFileSync } from 'node:child_process'
import { notRun } from '@treadle/requirements/not-run'
import type { TestContext } from 'vitest'

export interface MachineUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** A user that every machine has, and that owns nothing. */
export function needOtherUser(context: TestContext): MachineUser {
  if (process.getuid?.() !== 0) notRun(context, 'only root can become another user', 'run the tests as root')
  try {
    execFileSync('setpriv', ['--version'], { stdio: 'ignore' })
  } catch {
    notRun(context, 'setpriv is not installed', 'apt-get install util-linux')
  }
  const [name = '', , uid, gid] = execFileSync('getent', ['passwd', 'nobody'], { encoding: 'utf8' }).split(
    ':',
  )
  return { name, uid: Number(uid), gid: Number(gid) }
}
