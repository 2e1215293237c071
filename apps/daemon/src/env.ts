// The only reader of the daemon's environment.
import { homedir } from 'node:os'
import { AS_USER, childEnv, keyEnv } from '@treadle/contracts/child-env'
import { CONFIG_HOME, OWNER_KEY_FILE, type OwnerKeyPlace, ownerKeyPlace } from '@treadle/contracts/owner-key'

export interface DaemonEnv {
  readonly home: string
  readonly databaseUrl: string | null
  /** The user that foreign programs run as; null: whoever runs the daemon. */
  readonly asUser: string | null
  /** Where the owner's key is. No child is told. */
  readonly ownerKey: OwnerKeyPlace
  readonly childEnv: Readonly<Record<string, string>>
  /** What an agent gets: with it the keys for its engines, and the one that the settings name. */
  readonly agentEnv: (keyVariable: string | null) => Readonly<Record<string, string>>
  /** Of git alone: it may sign, for which it has to find the user's keys. */
  readonly gitEnv: Readonly<Record<string, string>>
  /** Of a program that shows something on the desktop: it has to find that. */
  readonly desktopEnv: Readonly<Record<string, string>>
  /** A secret of the notifier's, by the name that the settings give. */
  readonly secret: (variable: string) => string | null
}

export function readEnv(env: NodeJS.ProcessEnv = process.env): DaemonEnv {
  const children = childEnv(env)
  const home = env.HOME ?? homedir()
  const ownerKey = ownerKeyPlace(env, home)
  // Taken out, so that not even a child that gets everything hears of it.
  delete env[OWNER_KEY_FILE]
  const keys = env.GNUPGHOME === undefined ? {} : { GNUPGHOME: env.GNUPGHOME }
  return {
    home,
    databaseUrl: env.DATABASE_URL ?? null,
    asUser: env[AS_USER] ?? null,
    ownerKey,
    childEnv: children,
    // An agent hides the configuration folder from what it starts, so it has to know where that is, and as whom it starts.
    agentEnv: (keyVariable) => ({
      ...children,
      ...keyEnv(env, keyVariable),
      ...only(env, [CONFIG_HOME, AS_USER]),
    }),
    gitEnv: { ...children, ...keys },
    desktopEnv: { ...children, ...only(env, DESKTOP) },
    secret: (variable) => env[variable] || null,
  }
}

const DESKTOP = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR']

function only(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
