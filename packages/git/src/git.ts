// Git commands in a repository, with the settings and the patience that they need. Git 2.38 or newer.
import { existsSync } from 'node:fs'
import { Fault } from '@treadle/flow/fault'
import { type ConfigEntry, readEntries } from './config-entries.ts'
import { startGit } from './git-launcher.ts'
import { type FullRun, type GitOutput, type GitRun, KILLED } from './git-process.ts'
import { KEEP_LIMITS, type KeepLimits } from './keep-limits.ts'
import { backoffMs, isContention, removeHalfMade, removeStaleLock, sleep } from './locks.ts'
import { type OwnConfig, openOwnConfig } from './own-config.ts'

export interface GitOptions {
  /** The user's repository: a checkout or a bare one. */
  readonly repository: string
  /** The whole environment of git, built from an allow-list by the caller. */
  readonly env: Readonly<Record<string, string>>
  /** How much of what is new a checkpoint or a commit takes in, if not as usual. */
  readonly keep?: KeepLimits
  /** The file of the key that signs merges where the user has none that works. */
  readonly signingKey?: string
}

export interface Git {
  readonly repository: string
  readonly keep: KeepLimits
  /** The file of the workspace's key; null: there is none. */
  readonly signingKey: string | null
  run(args: readonly string[], run?: GitRun): Promise<GitOutput>
  /** The git directory that all worktrees share. */
  commonDir(): Promise<string>
  /** Entries that the repository itself sets, whether or not they hold in our commands. */
  repositoryConfig(): Promise<readonly ConfigEntry[]>
  /** Author and committer for those who have configured none. */
  identity(cwd: string): Promise<Record<string, string>>
}

const attemptsMax = 14

// A commit holds what its id says, whatever `git replace` or a planted reference puts in its stead.
const fixedEnv = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  LC_ALL: 'C',
}

// Variables that a surrounding git command may have set; they would point our commands at another repository.
const foreign =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|CEILING_DIRECTORIES|QUARANTINE_PATH|EDITOR|SEQUENCE_EDITOR|EXTERNAL_DIFF|TRACE.*|.*_PATHSPECS|SHALLOW_FILE|GRAFT_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS|INTERNAL_.*)$/

export function openGit(options: GitOptions): Git {
  const base: Record<string, string> = {}
  for (const [name, value] of Object.entries(options.env)) if (!foreign.test(name)) base[name] = value
  base.GIT_SSH_COMMAND ??= 'ssh -oBatchMode=yes'
  Object.assign(base, fixedEnv)

  let checked: Promise<Ready> | null = null
  /** Checks the version once, then finds the shared git directory; a failure is not remembered. */
  const ready = (): Promise<Ready> => {
    checked ??= checkVersion(options.repository, base)
      .then(() => findCommonDir(options.repository, base))
      .then((commonDir) => ({
        commonDir,
        config: openOwnConfig(commonDir, readWith(options.repository, base)),
      }))
      .catch((error: unknown) => {
        checked = null
        throw error
      })
    return checked
  }

  return {
    repository: options.repository,
    keep: options.keep ?? KEEP_LIMITS,
    signingKey: options.signingKey ?? null,
    commonDir: async () => (await ready()).commonDir,
    run: async (args, run = {}) => {
      const { commonDir, config } = await ready()
      // A clone has a git directory of its own.
      const own = args[0] === 'clone' ? {} : { GIT_COMMON_DIR: await config.current() }
      const env = { ...base, ...own, ...run.env }
      return runRetrying(args, { ...run, cwd: run.cwd ?? options.repository, env }, commonDir)
    },
    repositoryConfig: async () => {
      const { commonDir } = await ready()
      const read = readWith(options.repository, base)
      const files = [`${commonDir}/config`, `${commonDir}/config.worktree`]
      return (await Promise.all(files.map(read))).flat()
    },
    identity: async (cwd) => {
      const { config } = await ready()
      return missingIdentity(cwd, { ...base, GIT_COMMON_DIR: await config.current() })
    },
  }
}

interface Ready {
  readonly commonDir: string
  readonly config: OwnConfig
}

/** Reads a file of settings as git reads it, without following what it includes. */
function readWith(cwd: string, env: Record<string, string>): (file: string) => Promise<ConfigEntry[]> {
  return async (file) => {
    if (!existsSync(file)) return []
    const args = ['config', '--file', file, '--no-includes', '--null', '--list']
    const output = await startGit(args, { cwd, env })
    if (output.code !== 0) throw gitFault(args, output)
    return readEntries(output.stdout)
  }
}

async function runRetrying(args: readonly string[], run: FullRun, commonDir: string): Promise<GitOutput> {
  const ok = run.ok ?? [0]
  for (let attempt = 1; ; attempt += 1) {
    const output = await spawnUnkilled(args, run)
    // A lock that is held answers nothing, whatever the exit code would have meant.
    const held = output.code !== 0 && isContention(output.stderr)
    if (ok.includes(output.code) && !held) return output
    if (!held || attempt >= attemptsMax) throw gitFault(args, output)
    // A process that was killed leaves its lock behind, and then waiting alone never helps.
    const repaired =
      (await removeStaleLock(output.stderr, commonDir)) || removeHalfMade(output.stderr, commonDir)
    if (!repaired) await sleep(backoffMs(attempt))
  }
}

const killsMax = 3
const killedWaitMs = 1_000
// Commands that change nothing, so that they can be done again.
const looks = new Set([
  'rev-parse',
  'rev-list',
  'cat-file',
  'ls-tree',
  'ls-files',
  'merge-base',
  'for-each-ref',
])

/** Runs git again where it was killed alone: whoever kills a process with all it has started kills its git first. */
async function spawnUnkilled(args: readonly string[], run: FullRun): Promise<GitOutput> {
  for (let kill = 1; ; kill += 1) {
    try {
      return await startGit(args, run)
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== KILLED) throw error
      await sleep(killedWaitMs)
      if (kill >= killsMax || !looks.has(args[0] ?? '')) throw error
    }
  }
}

function gitFault(args: readonly string[], output: GitOutput): Fault {
  const said = withoutCredentials(output.stderr.trim().slice(-2_000))
  return new Fault('git', `git ${args[0] ?? ''} failed (exit ${output.code}): ${said || 'no message'}`)
}

/** A remote's address may carry a password. */
export function withoutCredentials(text: string): string {
  return text.replace(/(\w+:\/\/)[^\s/@]+@/g, '$1***@')
}

/** The PATH on which a git was found that is new enough; repositories are opened often. */
let fitPath: string | null = null

async function checkVersion(repository: string, env: Record<string, string>): Promise<void> {
  if (!existsSync(repository)) throw new Fault('git', `the repository ${repository} does not exist`)
  const path = env.PATH ?? ''
  if (path !== '' && path === fitPath) return
  const { stdout } = await startGit(['version'], { cwd: repository, env })
  const match = /(\d+)\.(\d+)/.exec(stdout)
  const major = Number(match?.[1] ?? 0)
  const minor = Number(match?.[2] ?? 0)
  if (major > 2 || (major === 2 && minor >= 38)) {
    fitPath = path
    return
  }
  throw new Fault('git', `git 2.38 or newer is needed, found: ${stdout.trim() || 'no version'}`, {
    hint: 'Install a newer git and put it first on PATH.',
  })
}

async function findCommonDir(repository: string, env: Record<string, string>): Promise<string> {
  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir']
  const output = await startGit(args, { cwd: repository, env })
  if (output.code === 0) return output.stdout.replace(/\n$/, '')
  const hint = 'Run `git init` there, or choose a folder that is a git repository.'
  if (!/not a git repository/.test(output.stderr)) throw gitFault(args, output)
  throw new Fault('git', `${repository} is not a git repository`, { hint })
}

async function missingIdentity(cwd: string, env: Record<string, string>): Promise<Record<string, string>> {
  const args = ['config', '-z', '--get-regexp', '^(user|author|committer)\\.(name|email)$']
  const { stdout } = await startGit(args, { cwd, env })
  const known = new Set(stdout.split('\0').map((entry) => entry.split('\n')[0]))
  const missing: Record<string, string> = {}
  for (const role of ['author', 'committer']) {
    for (const [field, value] of Object.entries({ name: 'Treadle', email: 'treadle@localhost' })) {
      const variable = `GIT_${role}_${field}`.toUpperCase()
      const given = env[variable] || (field === 'email' && env.EMAIL)
      if (!given && !known.has(`user.${field}`) && !known.has(`${role}.${field}`)) missing[variable] = value
    }
  }
  return missing
}
