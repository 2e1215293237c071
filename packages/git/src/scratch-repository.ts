// For tests: a repository in a temporary folder that no configuration of the machine's user reaches.
import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { privateText, type SshKey } from '@treadle/contracts/ssh-key'
import { env as toolEnv } from '../../../tools/env.ts'
import { OWN_COMMON_DIR } from './own-config.ts'

export interface Scratch {
  readonly dir: string
  readonly repository: string
  readonly env: Record<string, string>
  /** Runs a shell script, in the repository unless told otherwise; returns what it printed. */
  sh(script: string, cwd?: string): string
  write(path: string, content: string): void
  remove(): void
}

/** With one commit on main: README, a.txt, and a .gitignore that ignores *.log and ignored/. */
export function makeScratch(kind: 'checkout' | 'bare' | 'empty' = 'checkout'): Scratch {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-git-')))
  const home = join(dir, 'home')
  mkdirSync(home)
  const env = { PATH: toolEnv.path, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  const repository = join(dir, 'repo')
  const user = {
    GIT_AUTHOR_NAME: 'U',
    GIT_AUTHOR_EMAIL: 'u@x',
    GIT_COMMITTER_NAME: 'U',
    GIT_COMMITTER_EMAIL: 'u@x',
  }
  const sh = (script: string, cwd = repository): string =>
    execFileSync('/bin/sh', ['-ec', script], {
      cwd,
      env: { ...env, ...user },
      encoding: 'utf8',
      stdio: 'pipe',
    })
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  const first = kind === 'bare' ? join(dir, 'first') : repository
  mkdirSync(first)
  sh('git init -q -b main', first)
  if (kind !== 'empty') {
    for (const [name, text] of [
      ['README', 'readme\n'],
      ['a.txt', 'one\ntwo\nthree\n'],
      ['.gitignore', '*.log\nignored/\n'],
    ] as const) {
      write(join(first, name), text)
    }
    sh('git add -A; git commit -qm first', first)
  }
  if (kind === 'bare') sh(`git clone -q --bare '${first}' '${repository}'; rm -rf '${first}'`, dir)
  return { dir, repository, env, sh, write, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

/** Every file of a folder with kind, mode and content; what `.git` holds is left out. */
export function filesIn(folder: string): Record<string, string> {
  const found: Record<string, string> = {}
  const visit = (at: string): void => {
    for (const name of readdirSync(at)) {
      const path = join(at, name)
      if (path === join(folder, '.git')) continue
      const stat = lstatSync(path)
      if (stat.isDirectory()) visit(path)
      else
        found[relative(folder, path)] = stat.isSymbolicLink()
          ? `-> ${readlinkSync(path)}`
          : contentOf(path, stat.mode)
    }
  }
  visit(folder)
  return found
}

function contentOf(path: string, mode: number): string {
  const data = readFileSync(path)
  const text = data.length > 200 ? createHash('sha256').update(data).digest('hex') : data.toString('latin1')
  return `${mode & 0o100 ? 'x' : '-'} ${text}`
}

/** All of a user's checkout that must not change: files, index, HEAD, references, stash, configuration. */
export function stateOf(scratch: Scratch, checkout: string): Record<string, unknown> {
  const gitDir = scratch.sh('git rev-parse --path-format=absolute --git-dir', checkout).trim()
  const read = (name: string): string => readFileSync(join(gitDir, name), 'latin1')
  return {
    files: filesIn(checkout),
    index: createHash('sha256').update(read('index'), 'latin1').digest('hex'),
    head: read('HEAD'),
    stash: scratch.sh('git stash list', checkout),
    config: scratch.sh('git config --local --list', checkout),
    inGitDir: readdirSync(gitDir)
      .filter((name) => !['COMMIT_EDITMSG', 'ORIG_HEAD', 'worktrees', OWN_COMMON_DIR].includes(name))
      .sort(),
  }
}

/** A commit on top of another, made in a folder of its own. */
export function commitOn(scratch: Scratch, base: string, files: Record<string, string | null>): string {
  const at = join(scratch.dir, 'make')
  scratch.sh(`git worktree add -q --detach '${at}' ${base}`)
  for (const [name, text] of Object.entries(files)) {
    if (text === null) scratch.sh(`rm -f '${name}'`, at)
    else scratch.write(join(at, name), text)
  }
  const commit = scratch.sh('git add -A; git commit -q --allow-empty -m change; git rev-parse HEAD', at)
  scratch.sh(`git worktree remove --force '${at}'`)
  return commit.trim()
}

/** A new ed25519 key, and the file it was written to if one is named. */
export function makeSshKey(file?: string): SshKey {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const decoded = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))
  const key = { seed: decoded(d), publicKey: decoded(x), comment: 'treadle:test' }
  if (file !== undefined) writeFileSync(file, privateText(key, 1), { mode: 0o600 })
  return key
}
