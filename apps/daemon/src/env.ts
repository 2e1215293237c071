// The only reader of the daemon's environment.
import { isAbsolute } from 'node:path'

export interface DaemonEnv {
  readonly databaseUrl: string | null
  /** What children inherit; built from an allow-list so that no secret of the daemon leaks into a test or an engine. */
  readonly childEnv: Readonly<Record<string, string>>
}

const PASSED_ON = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TMPDIR',
  'TERM',
  'TZ',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'SSH_AUTH_SOCK',
  'NODE_EXTRA_CA_CERTS',
  'SystemRoot',
  'CI',
]

export function readEnv(env: NodeJS.ProcessEnv = process.env): DaemonEnv {
  const passed = PASSED_ON.flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [[name, name === 'PATH' ? absolutePath(value) : value] as const]
  })
  return { databaseUrl: env.DATABASE_URL ?? null, childEnv: Object.fromEntries(passed) }
}

/** A relative folder in PATH would mean something else in every worktree. */
function absolutePath(path: string): string {
  return path.split(':').filter(isAbsolute).join(':')
}
