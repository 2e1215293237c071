// The environment of what runs confined: names on a list, and what was handed in on purpose.
import { AGENT_MARK, AS_USER, childEnv, ENGINE_MARK } from '@treadle/contracts/child-env'

type Env = Readonly<Record<string, string | undefined>>

/** Leads to keys of the user, or to programs of his that act for whoever asks. */
const NEVER = new Set([
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'XAUTHORITY',
  'TREADLE_OWNER_KEY_FILE',
  'TREADLE_CONFIG_HOME',
  AS_USER,
])

/** Marks by which a process is found again from outside; inside they would tell code that it is watched. */
export const MARKS: readonly string[] = [AGENT_MARK, ENGINE_MARK, 'TREADLE_CALL']

/** The allow-listed part of an environment with what was added on purpose; never a way to the owner's keys. */
export function confinedEnv(env: Env, added: Env = {}): Record<string, string> {
  const all = Object.entries({ ...childEnv(env), ...added })
  return Object.fromEntries(
    all.flatMap(([name, value]) => (value === undefined || NEVER.has(name) ? [] : [[name, value]])),
  )
}

/** An environment that is passed on as it is, but for the ways to the owner's keys. */
export function withoutKeys(env: Env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || NEVER.has(name) ? [] : [[name, value]],
    ),
  )
}
