// The only reader of the CLI's environment.
import { homedir } from 'node:os'
import { AGENT_MARK, ENGINE_MARK } from '@treadle/contracts/child-env'
import { OWNER_KEY_FILE, type OwnerKeyPlace, ownerKeyPlace } from '@treadle/contracts/owner-key'

export interface CliEnv {
  readonly workspace: string | null
  /** The environment of children: everything but the name of the owner's key file. */
  readonly all: Readonly<Record<string, string>>
  /** The environment of the daemon, which has to know the owner's key. */
  readonly forDaemon: Readonly<Record<string, string>>
  readonly ownerKey: OwnerKeyPlace
  /** An agent, or what it has started, runs this command: it is not the owner. */
  readonly isAgent: boolean
}

export function readEnv(env: NodeJS.ProcessEnv = process.env): CliEnv {
  const forDaemon = given(env)
  const ownerKey = ownerKeyPlace(env, env.HOME ?? homedir())
  // Taken out, so that no child that gets everything hears of it.
  delete env[OWNER_KEY_FILE]
  const isAgent = env[AGENT_MARK] !== undefined || env[ENGINE_MARK] !== undefined
  return { workspace: env.TREADLE_WORKSPACE ?? null, all: given(env), forDaemon, ownerKey, isAgent }
}

function given(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
