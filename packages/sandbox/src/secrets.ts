// Where people and programs keep what would let code act in their name.
import { lstatSync, readdirSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { STATE_DIR } from '@treadle/contracts/workspace'
import { isBelow, kindOf, moved, realPath } from './paths.ts'
import type { Bind, Mask } from './view.ts'

const SYSTEM_SECRETS = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/ssh',
  '/etc/ssl/private',
  '/etc/krb5.keytab',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/docker',
  '/etc/kubernetes',
  '/etc/rancher',
  '/etc/wireguard',
  '/etc/NetworkManager',
  '/etc/netplan',
  '/etc/ppp',
  '/etc/pki/tls/private',
  '/etc/letsencrypt',
]

/** Files and folders in the home: keys, logins of clouds, forges and package managers, history, browsers, agents. */
const HOME_SECRETS = [
  ...['.ssh', '.gnupg', '.pki', '.password-store', '.local/share/keyrings', '.config/op', '.config/sops'],
  ...['.aws', '.azure', '.kube', '.docker', '.config/gcloud', '.config/doctl', '.oci', '.s3cfg', '.boto'],
  ...['.terraform.d', '.vault-token', '.fly', '.config/netlify', '.netlify', '.config/rclone', '.ansible'],
  ...[
    '.config/containers',
    '.local/share/containers',
    '.config/heroku',
    '.config/flyctl',
    '.config/wrangler',
  ],
  ...[
    '.netrc',
    '.config/gh',
    '.config/hub',
    '.config/glab-cli',
    '.git-credentials',
    '.config/git/credentials',
  ],
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml', '.bun/.npmrc', '.pypirc', '.config/pip', '.pip'],
  ...['.condarc', '.config/pypoetry', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials'],
  ...['.bundle/config', '.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties'],
  ...[
    '.composer/auth.json',
    '.config/composer',
    '.nuget/NuGet',
    '.npm/_logs',
    '.npm/_npx',
    '.hex/hex.config',
    '.local/share/uv/credentials',
    '.sbt/.credentials',
    '.ivy2/.credentials',
  ],
  ...['.pgpass', '.my.cnf', '.mylogin.cnf', '.mongorc.js', '.config/psql', '.dbshell'],
  ...[
    '.bash_history',
    '.zsh_history',
    '.zhistory',
    '.local/share/fish/fish_history',
    '.python_history',
    '.psql_history',
  ],
  ...['.node_repl_history', '.mysql_history', '.sqlite_history', '.lesshst', '.viminfo', '.rediscli_history'],
  ...[
    '.mozilla',
    '.config/google-chrome',
    '.config/chromium',
    '.config/BraveSoftware',
    '.config/microsoft-edge',
  ],
  ...['.config/vivaldi', '.config/opera', '.thunderbird', '.config/Code', '.config/Cursor', '.vscode-server'],
  ...['.claude', '.claude.json', '.codex', '.gemini', '.config/opencode', '.local/share/opencode', '.aider'],
  ...['.config/github-copilot', '.copilot', '.cursor', '.continue', '.config/goose', '.config/amp', '.qwen'],
  ...['.config/Slack', '.config/discord', '.config/Signal', '.xauthority', '.Xauthority', '.ICEauthority'],
]

const READ_BY_ALL = 0o004
const ENTERED_BY_ALL = 0o005
const SETTINGS_MAX = 20_000
let closed: readonly string[] | undefined

/** Settings of the system that are not for everybody to read; root can, also without any capability. */
function closedSettings(): readonly string[] {
  closed ??= closedIn('/etc')
  return closed
}

export function closedIn(folder: string): string[] {
  const found: string[] = []
  const waiting = [folder]
  for (const path of waiting) {
    if (waiting.length > SETTINGS_MAX) break
    for (const name of namesIn(path)) {
      const entry = join(path, name)
      const is = kindOf(entry)
      if (is === null || is === 'link') continue
      if (!isForAll(entry, is)) found.push(entry)
      else if (is === 'folder') waiting.push(entry)
    }
  }
  return found
}

function isForAll(path: string, is: 'folder' | 'file'): boolean {
  const wanted = is === 'folder' ? ENTERED_BY_ALL : READ_BY_ALL
  return ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & wanted) === wanted
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

interface Owner {
  readonly home: string
  /** What this process knows of where the owner's key is. */
  readonly configHome?: string | undefined
  readonly keyFile?: string | undefined
  readonly xdgConfigHome?: string | undefined
}

/** Paths that nothing foreign gets to see, whatever leads there. */
export function secretPaths({ home, configHome, keyFile, xdgConfigHome }: Owner): string[] {
  const config = [configHome, xdgConfigHome && join(xdgConfigHome, 'treadle'), join(home, '.config/treadle')]
  const system = [...SYSTEM_SECRETS, ...closedSettings()]
  const all = [...system, ...HOME_SECRETS.map((name) => join(home, name)), ...config, keyFile]
  const named = all.filter((path): path is string => path !== undefined && path !== '' && isAbsolute(path))
  // A link to a secret is no secret, but what it leads to is.
  return [...new Set(named.flatMap((path) => [path, realPath(path) ?? path]))]
}

/** The state of the workspaces that a folder belongs to or holds: the token of the daemon is there. */
export function stateFolders(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    const around = folder.indexOf(`/${STATE_DIR}/`)
    const own = join(folder, STATE_DIR)
    return around === -1 ? [own] : [own, folder.slice(0, around + 1 + STATE_DIR.length)]
  })
}

/** At the root of a folder that is shown for its programs, or because the owner wants it. */
const SHOWN_SECRETS = [STATE_DIR, '.env', '.env.local', '.git/config', '.npmrc', '.netrc', '.git-credentials']

/** What a folder that is shown may hold besides what it is shown for: the state of another workspace, logins. */
export function secretsIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => SHOWN_SECRETS.map((name) => join(folder, name)))
}

/** Covers each secret wherever a bind would show it. What was bound by its own name is meant to be there. */
export function masksFor(secrets: readonly string[], binds: readonly Bind[]): Mask[] {
  const masks = new Map<string, Mask>()
  for (const secret of secrets) {
    const is = kindOf(secret)
    if (is === null || is === 'link') continue
    for (const bind of binds) {
      if (secret === bind.from || !isBelow(secret, bind.from)) continue
      const path = moved(secret, bind)
      masks.set(path, { path, is })
    }
  }
  // What lies in a folder that is covered is covered with it.
  const folders = [...masks.values()].filter(({ is }) => is === 'folder').map(({ path }) => path)
  const isCovered = (path: string) => folders.some((folder) => folder !== path && isBelow(path, folder))
  return [...masks.values()].filter(({ path }) => !isCovered(path))
}
