// What a child process inherits: an allow-list, so that no secret of ours reaches a test or an engine.
/** Says of a process which agent it belongs to; whatever an agent starts inherits it. */
export const AGENT_MARK = 'TREADLE_AGENT'
/** Says the same of what an engine has started, so that a turn ends with all of it, wherever it went. */
export const ENGINE_MARK = 'TREADLE_ENGINE'

const PASSED_ON = [
  AGENT_MARK,
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

export function childEnv(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = env[name]
      return value === undefined ? [] : [[name, name === 'PATH' ? absoluteOnly(value) : value]]
    }),
  )
}

/** A relative folder in PATH would mean something else in every worktree. */
function absoluteOnly(path: string): string {
  const separator = /^[A-Za-z]:\\/.test(path) ? ';' : ':'
  return path
    .split(separator)
    .filter((folder) => /^(\/|[A-Za-z]:\\)/.test(folder))
    .join(separator)
}
