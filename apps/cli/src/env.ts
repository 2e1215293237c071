// The only reader of the CLI's environment.
import { homedir } from 'node:os'
import { AGENT_MARK, AS_USER, ENGINE_MARK } from '@treadle/contracts/child-env'
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
  // Only `up` says as whom the crew runs things.
  delete env[AS_USER]
  const forDaemon = given(env)
  const ownerKey = ownerKeyPlace(env, env.HOME ?? homedir())
  // Taken out, so that no child that gets everything hears of it.
  delete env[OWNER_KEY_FILE]
  const isAgent = env[AGENT_MARK] !== undefined || env[ENGINE_MARK] !== undefined
  return { workspace: givenWorkspace(env), all: given(env), forDaemon, ownerKey, isAgent }
}

/** The workspace that the environment names; null: none. */
export function givenWorkspace(env: NodeJS.ProcessEnv = process.env): string | null {
  return env.TREADLE_WORKSPACE ?? null
}

/** After this process has become another user: the home is that user's, and nothing leads to the folders of the one before. */
export function actAs(
  { name, home }: { readonly name: string; readonly home: string },
  env: NodeJS.ProcessEnv = process.env,
): void {
  for (const key of Object.keys(env))
    if (/^(XDG_|SUDO_)|^(MAIL|SSH_AUTH_SOCK|SSH_AGENT_PID|DBUS_SESSION_BUS_ADDRESS)$/.test(key))
      delete env[key]
  Object.assign(env, { HOME: home, USER: name, LOGNAME: name })
}

/** The environment of a git that is to work with another index than the worktree's own. */
export function withIndex(file: string, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...env, GIT_INDEX_FILE: file }
}

function given(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
