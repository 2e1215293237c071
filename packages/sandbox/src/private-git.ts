// A git folder of its own for a worktree: it borrows the project's objects and shares nothing else. Add, commit and
// stash work inside and reach nothing; settings with tokens, hooks and other branches are not there.
import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readForeign } from './foreign-files.ts'
import { kindOf, realPath } from './paths.ts'
import type { Bind } from './view.ts'

const OBJECTS = '/run/git/objects'
const FOLDER = '/run/git/work'
const GIT_MS = 20_000
const ALTERNATES_MAX = 5
/** Nothing that the repository configures is run; whose checkout it is, is not asked here. */
const SAFE = ['-c', 'safe.directory=*', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null']
/** Settings of the user that hold no secret and that commits depend on. */
const HARMLESS = /^(user\.(name|email)|init\.defaultbranch|core\.(autocrlf|eol|quotepath))$/

export interface PrivateGit {
  readonly show: readonly Bind[]
  readonly writable: readonly Bind[]
}

type Env = Readonly<Record<string, string | undefined>>

async function git(args: readonly string[], env: Env): Promise<string | null> {
  try {
    const options = { env: { PATH: env.PATH, HOME: env.HOME }, timeout: GIT_MS }
    return (await promisify(execFile)('git', [...SAFE, ...args], options)).stdout
  } catch {
    return null
  }
}

/** Fills `folder`; null if the worktree is none of git's. */
export async function privateGit(worktree: Bind, folder: string, env: Env): Promise<PrivateGit | null> {
  const dotGit = join(worktree.from, '.git')
  const kind = kindOf(dotGit)
  if (kind === null || kind === 'link') return null
  const ask = ['-C', worktree.from, 'rev-parse', '--git-common-dir', '--git-dir', '--show-object-format']
  // Without a commit yet, HEAD is none, and git says so by failing.
  const said = (await git([...ask, 'HEAD'], env)) ?? (await git(ask, env))
  const [commonName, ownName, format = 'sha1', head = ''] = said?.split('\n') ?? []
  if (commonName === undefined || ownName === undefined) return null
  const common = resolve(worktree.from, commonName)
  const own = resolve(worktree.from, ownName)
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'info'])
    mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'config'), configFor(format))
  writeFileSync(join(folder, 'objects/info/alternates'), `${OBJECTS}\n`)
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/work\n')
  if (head !== '') writeFileSync(join(folder, 'refs/heads/work'), `${head}\n`)
  const shared = readdirSync(own).filter((name) => name === 'index' || name.startsWith('sharedindex.'))
  for (const name of shared) copyWithTime(join(own, name), join(folder, name))
  for (const name of ['shallow', 'info/exclude'])
    if (existsSync(join(common, name))) copyFileSync(join(common, name), join(folder, name))
  const objects = { from: realPath(join(common, 'objects')) ?? join(common, 'objects'), at: OBJECTS }
  const borrowed = [objects, ...alternatesOf(objects)]
  const at = join(worktree.at, '.git')
  if (kind === 'folder') return { show: borrowed, writable: [{ from: folder, at }] }
  const pointer = join(folder, 'pointer')
  writeFileSync(pointer, `gitdir: ${FOLDER}\n`)
  return { show: [...borrowed, { from: pointer, at }], writable: [{ from: folder, at: FOLDER }] }
}

/** An index that is younger than the files it lists hides an edit of the same size and second. */
function copyWithTime(from: string, to: string): void {
  const second = Math.floor(statSync(from).mtimeMs / 1_000)
  copyFileSync(from, to)
  utimesSync(to, second, second)
}

/** What a worktree's own state decides; objects, stashes and logs of what was done inside stay. */
const REPLACED = [
  'HEAD',
  'MERGE_HEAD',
  'config',
  'index',
  'index.lock',
  'info',
  'packed-refs',
  'refs',
  'shallow',
]
const REF_BYTES_MAX = 100

/** Puts a fresh state in the place of the one in `folder`, while what is inside may run: entries are moved by their own
 *  names, so that no link among them is followed. */
export function replaceGit(folder: string, fresh: string): void {
  const old = join(fresh, 'old')
  mkdirSync(old)
  const shared = readdirSync(fresh).filter((name) => name.startsWith('sharedindex.'))
  for (const name of [...REPLACED, ...shared]) {
    move(join(folder, name), join(old, name))
    if (name === 'refs') keepStash(old, fresh)
    move(join(fresh, name), join(folder, name))
  }
}

/** What was put aside inside is still to be found after the next turn's start. */
function keepStash(old: string, fresh: string): void {
  const stash = readForeign(old, join(old, 'refs/stash'), REF_BYTES_MAX)?.toString('latin1').trim() ?? ''
  if (/^[0-9a-f]{40,64}$/.test(stash)) writeFileSync(join(fresh, 'refs/stash'), `${stash}\n`)
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch {
    // It is not there, or something inside was quicker; that harms nothing but the git inside.
    return
  }
}

/** Objects that the project itself borrows from elsewhere, and so on. */
function alternatesOf(objects: Bind, left = ALTERNATES_MAX): Bind[] {
  const list = join(objects.from, 'info/alternates')
  if (left === 0 || !existsSync(list)) return []
  const lines = readFileSync(list, 'utf8').split('\n')
  return lines.flatMap((line) => {
    const from = line === '' || line.startsWith('#') ? null : realPath(resolve(objects.from, line))
    if (from === null) return []
    const found = { from, at: resolve(objects.at, line) }
    return [found, ...alternatesOf(found, left - 1)]
  })
}

function configFor(format: string): string {
  const core = '\tbare = false\n\tlogallrefupdates = true\n\tfilemode = true\n'
  if (format === 'sha1') return `[core]\n\trepositoryformatversion = 0\n${core}`
  return `[core]\n\trepositoryformatversion = 1\n${core}[extensions]\n\tobjectformat = ${format}\n`
}

const settingsOf = new Map<string, Promise<string>>()

/** The harmless part of the user's settings, as a file for git; the rest may hold tokens and names programs. */
export function gitSettings(env: Env): Promise<string> {
  const home = env.HOME ?? ''
  const known = settingsOf.get(home) ?? readSettings(env)
  settingsOf.set(home, known)
  return known
}

async function readSettings(env: Env): Promise<string> {
  const said = (await git(['config', '--global', '--null', '--list'], env)) ?? ''
  const settings = said.split('\0').flatMap((entry) => {
    const [name = '', ...value] = entry.split('\n')
    const [section = '', key = ''] = name.split('.')
    return HARMLESS.test(name) ? [`[${section}]\n\t${key} = ${quoted(value.join('\n'))}\n`] : []
  })
  // A checkout of somebody else's that root works in is foreign to git, and all that is here may be used.
  return ['[include]\n\tpath = /etc/gitconfig\n[safe]\n\tdirectory = *\n', ...settings].join('')
}

const quoted = (value: string) =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
