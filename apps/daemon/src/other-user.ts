// The user that foreign programs run as, looked at before anything is started: can it, and can it not read too much?
import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Config } from '@treadle/contracts/config'
import { engineSandbox } from '@treadle/contracts/config/sandbox'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { openWay } from '@treadle/sandbox/hand-over'
import { otherUser, whyUnfit } from '@treadle/sandbox/other-user'
import type { DaemonEnv } from './env.ts'
import type { SandboxProbe } from './isolation.ts'
import { Refusal } from './refusal.ts'

const OWN = fileURLToPath(new URL('../../../packages/engines/src/scripted/player.ts', import.meta.url))

interface UserNeeds {
  readonly paths: WorkspacePaths
  readonly env: Pick<DaemonEnv, 'ownerKey'>
  readonly config: () => Config
  readonly probe: SandboxProbe
}

/** Refuses to go on where the user that was named would see more, or do less, than it is there for. */
export async function needOtherUser({ paths, env, config, probe }: UserNeeds): Promise<void> {
  const found = otherUser()
  if (found === null) return
  if (found.is === 'refused') throw new Refusal(`--as-user: ${found.why}.`, found.hint)
  const modes = [config().sandbox.mode, engineSandbox(config()).mode]
  if (modes.includes('required'))
    throw new Refusal(
      '--as-user: a sandbox is required by the settings, and another user is none.',
      'Leave --as-user out, or set sandbox.mode (and engines.sandbox) in treadle.json to auto or off.',
    )
  if (modes.some((mode) => mode !== 'off') && (await probe()).is === 'bubblewrap')
    throw new Refusal(
      '--as-user: a sandbox works on this machine, and keeps more from engines and tests than another user does.',
      'Leave --as-user out. If you want the user all the same: set sandbox.mode in treadle.json to off.',
    )
  for (const folder of [paths.worktrees, `${paths.state}/engines`]) {
    mkdirSync(folder, { recursive: true })
    openWay(found.user, paths.state, folder)
  }
  const { file, folder } = env.ownerKey
  const closed = [file, folder, paths.token, paths.state, paths.store, paths.evidence, paths.logs]
  const open = [paths.worktrees, process.execPath, OWN]
  const unfit = whyUnfit(found.user, { closed: closed.filter((path) => existsSync(path)), open })
  if (unfit !== null) throw new Refusal(`--as-user: ${unfit.why}.`, unfit.hint)
}
