// The only reader of the CLI's environment.
import { homedir } from 'node:os'
import { AGENT_MARK, AS_USER, ENGINE_MARK } from '@treadle/contracts/child-env'
import { OWNER_KEY_FILE, type OwnerKeyPlace, ownerKeyPlace } from '@treadle/contracts/owner-key'

export interface CliEnv {
  readonly workspace: string | null
  /** What children get: everything but the name of the owner's key file. */
  readonly all: Readonly<Record<string, string>>
  /** What the daemon gets, which has to know the owner's key. */
  readonly forDaemon: Readonly<Record<string, string>>
  readonly ownerKey: OwnerKeyPlace
  /** An agent, or what it has started, runs this command: it is not the owner. */
  readonly isAgent: boolean
}

export function readEnv(env: NodeJS.ProcessEnv = process.env): CliEnv {
  // Only `up` says as whom the crew runs things.
  delete env[AS_USER]
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
