// What a child process inherits: an allow-list, so that no secret of ours reaches a test or an engine.
/** Says of a process which agent it belongs to; whatever an agent starts inherits it. */
export const AGENT_MARK = 'TREADLE_AGENT'
/** Says the same of what an engine has started, so that a turn ends with all of it, wherever it went. */
export const ENGINE_MARK = 'TREADLE_ENGINE'

/** Names the user that the daemon and its agents run foreign programs as. Nothing foreign is told. */
export const AS_USER = 'TREADLE_AS_USER'

/** Where a toolchain, its packages and its caches are: folders and version names, nothing that could be a secret. */
const TOOLCHAINS = [
  'RUSTUP_HOME',
  'RUSTUP_TOOLCHAIN',
  'CARGO_HOME',
  'GOPATH',
  'GOROOT',
  'GOBIN',
  'GOCACHE',
  'GOMODCACHE',
  'GOTOOLCHAIN',
  'JAVA_HOME',
  'JDK_HOME',
  'GRADLE_HOME',
  'GRADLE_USER_HOME',
  'M2_HOME',
  'MAVEN_HOME',
  'SDKMAN_DIR',
  'ANDROID_HOME',
  'ANDROID_SDK_ROOT',
  'PYENV_ROOT',
  'PYENV_VERSION',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'PIP_CACHE_DIR',
  'POETRY_HOME',
  'UV_CACHE_DIR',
  'UV_PYTHON_INSTALL_DIR',
  'NVM_DIR',
  'VOLTA_HOME',
  'FNM_DIR',
  'N_PREFIX',
  'PNPM_HOME',
  'COREPACK_HOME',
  'BUN_INSTALL',
  'DENO_DIR',
  'YARN_CACHE_FOLDER',
  'npm_config_cache',
  'NPM_CONFIG_CACHE',
  'npm_config_prefix',
  'NPM_CONFIG_PREFIX',
  'PLAYWRIGHT_BROWSERS_PATH',
  'RBENV_ROOT',
  'RBENV_VERSION',
  'GEM_HOME',
  'GEM_PATH',
  'BUNDLE_PATH',
  'COMPOSER_HOME',
  'DOTNET_ROOT',
  'NUGET_PACKAGES',
  'ASDF_DIR',
  'ASDF_DATA_DIR',
  'MISE_DATA_DIR',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
]

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
  ...TOOLCHAINS,
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

/** Keys of models, and the addresses of whoever serves them. Each engine gets its own, and no test any of them. */
const KEYS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'CODEX_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GEMINI_BASE_URL',
]

/** What an agent gets besides, for its engines; `more` is the name that the settings give. */
export function keyEnv(
  env: Readonly<Record<string, string | undefined>>,
  more: string | null = null,
): Readonly<Record<string, string>> {
  const names = more === null ? KEYS : [...KEYS, more]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name]
      return value === undefined || value === '' ? [] : [[name, value]]
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
