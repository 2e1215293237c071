// A checkout of the target branch follows a landing if it was clean; in any other case it stays as it is.
import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@treadle/flow/fault'
import type { Git } from './git.ts'
import { copyIndex } from './index-copy.ts'
import { isGitRunningWith, isSameProcessAlive, sleep, startOfThisProcess } from './locks.ts'
import { bytesOf, kindAt, namesOf, parentsOf, utf8 } from './names.ts'
import { gitDirOf } from './refs.ts'
import { beginFollow, endFollow, removeTorn, tornFiles } from './torn.ts'
import { listCheckouts } from './worktree-list.ts'

export interface Synced {
  readonly checkout: 'none' | 'updated' | 'left'
  readonly note: string | null
}

interface Landing {
  readonly target: string
  readonly base: string
  readonly commit: string
}

interface LandingCheckout {
  readonly path: string
  readonly gitDir: string
  /** Files that already hold what the landing brings, as an interrupted one leaves them; null: it stays as it is. */
  readonly adopt: string[] | null
  /** Files that an interrupted landing left half written. */
  readonly torn: readonly string[]
  readonly because: string
}

export interface LockedCheckouts {
  readonly places: readonly LandingCheckout[]
  release(): void
}

/** Locks the index of every checkout of the target and looks whether it can follow. */
export async function lockCheckouts(git: Git, landing: Landing): Promise<LockedCheckouts> {
  const places: LandingCheckout[] = []
  const held: string[] = []
  const release = (): void => {
    for (const gitDir of held.splice(0)) unlockIndex(gitDir)
  }
  try {
    for (const { path, branch, bare } of await listCheckouts(git)) {
      if (branch !== landing.target || bare || !existsSync(path)) continue
      const gitDir = await gitDirOf(git, path)
      const refused = await lockIndex(gitDir)
      if (refused === null) held.push(gitDir)
      places.push({ path, gitDir, ...(await judge(git, { path, gitDir, refused }, landing)) })
    }
  } catch (error) {
    release()
    throw error
  }
  return { places, release }
}

export async function syncLocked(git: Git, locked: LockedCheckouts, landing: Landing): Promise<Synced> {
  const notes: string[] = []
  for (const place of locked.places) {
    const because = place.adopt === null ? place.because : await follow(git, place, landing)
    if (because !== null) notes.push(noteFor(place.path, because, landing))
  }
  if (notes.length > 0) return { checkout: 'left', note: notes.join('\n') }
  return { checkout: locked.places.length > 0 ? 'updated' : 'none', note: null }
}

function noteFor(path: string, because: string, { target, base, commit }: Landing): string {
  const [from, to] = [base.slice(0, 12), commit.slice(0, 12)]
  return [
    `${target} moved from ${from} to ${to}, but its checkout at ${path} keeps its files: ${because}.`,
    `To bring it along with your changes: git -C '${path}' read-tree -m -u ${from} ${to}`,
    `If git refuses, put your changes on a branch of their own and merge later: git -C '${path}' branch my-changes ${from} && git -C '${path}' symbolic-ref HEAD refs/heads/my-changes`,
  ].join('\n')
}

// ── The lock ────────────────────────────────────────────────────────────────────────────────────

const lockTries = 20
const lockWaitMs = 100
const lockMark = 'treadle landing'

/** Takes the lock that git itself uses; null if we hold it, else why not. */
async function lockIndex(gitDir: string): Promise<string | null> {
  const lock = join(gitDir, 'index.lock')
  for (let tries = 1; ; tries += 1) {
    try {
      if (placeLock(gitDir, lock)) return null
    } catch (error) {
      return messageOf(error)
    }
    if (isLeftOver(lock)) await takeOver(gitDir, lock)
    else if (tries >= lockTries) return 'another git process is using it'
    else await sleep(lockWaitMs)
  }
}

/** The lock appears with its text in one step; an empty one could be anybody's. */
function placeLock(gitDir: string, lock: string): boolean {
  const draft = join(gitDir, `${ours}lock-${process.pid}`)
  writeFileSync(draft, `${lockMark} ${process.pid} ${startOfThisProcess()}\n`)
  try {
    linkSync(draft, lock)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** A lock is left over if it says that it is ours, of a process that is gone. */
function isLeftOver(lock: string): boolean {
  try {
    const [, pid, start] = new RegExp(`^${lockMark} (\\d+) (\\S+)\n$`).exec(readFileSync(lock, 'utf8')) ?? []
    return pid !== undefined && start !== undefined && !isSameProcessAlive(Number(pid), start)
  } catch {
    return false
  }
}

/** The git process of a landing that was killed may still be writing files; it is let finish. */
async function takeOver(gitDir: string, lock: string): Promise<void> {
  const marker = `GIT_INDEX_FILE=${join(gitDir, ours)}`
  for (let tries = 0; tries < lockTries && isGitRunningWith(marker); tries += 1) await sleep(lockWaitMs)
  removeOurs(gitDir)
  rmSync(lock, { force: true })
}

function unlockIndex(gitDir: string): void {
  removeOurs(gitDir)
  rmSync(join(gitDir, 'index.lock'), { force: true })
}

function removeOurs(gitDir: string): void {
  for (const name of readdirSync(gitDir))
    if (name.startsWith(ours)) rmSync(join(gitDir, name), { force: true })
}

// ── May it follow? ──────────────────────────────────────────────────────────────────────────────

const ours = 'treadle-landing-'
const workIndex = `${ours}index-${process.pid}`
const trialIndex = `${ours}trial-${process.pid}`
const unfinished = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'rebase-merge',
  'rebase-apply',
  'BISECT_LOG',
]

type Verdict = Pick<LandingCheckout, 'adopt' | 'torn' | 'because'>
const stays = (because: string): Verdict => ({ adopt: null, torn: [], because })

async function judge(
  git: Git,
  at: { path: string; gitDir: string; refused: string | null },
  landing: Landing,
): Promise<Verdict> {
  const { path: cwd, gitDir } = at
  if (at.refused !== null) return stays(at.refused)
  if (unfinished.some((name) => existsSync(join(gitDir, name))))
    return stays('a merge or rebase is unfinished')
  if (!existsSync(join(gitDir, 'index'))) return stays('it has no index')
  copyIndex(join(gitDir, 'index'), join(gitDir, workIndex))
  const run = { cwd, env: { GIT_INDEX_FILE: join(gitDir, workIndex) } }
  await git.run(['update-index', '-q', '--refresh'], { ...run, ok: [0, 1, 128] })
  const staged = await git.run(['diff-index', '--cached', '--name-only', '-z', landing.base], run)
  const unstaged = await git.run(['diff-files', '--name-only', '-z', '--ignore-submodules=all'], run)
  const dirty = new Set([...namesOf(staged.bytes), ...namesOf(unstaged.bytes)])
  const inTheWay = await untrackedInTheWay(git, run, landing)
  if (inTheWay.blocked !== null) return stays(`the untracked file ${inTheWay.blocked} is in the way`)
  const changed = [...new Set([...dirty, ...inTheWay.present])]
  const torn = await tornFiles(git, { cwd, gitDir, names: changed }, landing)
  const adopt = changed.filter((name) => !torn.includes(name))
  const differs = adopt.length > 0 ? await firstDifference(git, { cwd, gitDir, adopt }, landing) : null
  if (differs === null) return { adopt, torn, because: '' }
  return stays(
    dirty.has(differs)
      ? 'it has changes that are not committed'
      : `the untracked file ${utf8(differs)} is in the way`,
  )
}

interface IndexRun {
  readonly cwd: string
  readonly env: { readonly GIT_INDEX_FILE: string }
}

/** New files of the landing for which something untracked is already there, ignored or not. */
async function untrackedInTheWay(
  git: Git,
  run: IndexRun,
  { base, commit }: Landing,
): Promise<{ present: string[]; blocked: string | null }> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', '--diff-filter=A', base, commit]
  const added = namesOf((await git.run(args, run)).bytes)
  const tracked = new Set(namesOf((await git.run(['ls-files', '-z'], run)).bytes))
  const present: string[] = []
  for (const name of added) {
    const parent = parentsOf(name).find((each) => kindAt(run.cwd, each) === 'file' && !tracked.has(each))
    if (parent !== undefined) return { present, blocked: utf8(parent) }
    const kind = kindAt(run.cwd, name)
    if (kind === 'folder' && (await holdsUntracked(git, run, name))) return { present, blocked: utf8(name) }
    if (kind === 'file' && !tracked.has(name)) present.push(name)
  }
  return { present, blocked: null }
}

async function holdsUntracked(git: Git, run: IndexRun, folder: string): Promise<boolean> {
  const args = ['--literal-pathspecs', 'ls-files', '--others', '-z', '--', utf8(folder)]
  return namesOf((await git.run(args, run)).bytes).length > 0
}

/** The first of these files that does not hold exactly what the landing brings. */
async function firstDifference(
  git: Git,
  at: { cwd: string; gitDir: string; adopt: readonly string[] },
  { commit, base }: Landing,
): Promise<string | null> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', base, commit]
  const brought = new Set(namesOf((await git.run(args, { cwd: at.cwd })).bytes))
  const outside = at.adopt.find((name) => !brought.has(name))
  if (outside !== undefined) return outside
  copyIndex(join(at.gitDir, workIndex), join(at.gitDir, trialIndex))
  const run = { cwd: at.cwd, env: { GIT_INDEX_FILE: join(at.gitDir, trialIndex) } }
  const taken = await takeFiles(git, run, at.adopt)
  const diff = await git.run(['diff-index', '--cached', '--name-only', '-z', commit], run)
  const different = new Set(namesOf(diff.bytes))
  return (taken ? at.adopt.find((name) => different.has(name)) : at.adopt[0]) ?? null
}

async function takeFiles(git: Git, run: IndexRun, names: readonly string[]): Promise<boolean> {
  const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin']
  const { code } = await git.run(args, { ...run, stdin: bytesOf(names), ok: [0, 128] })
  return code === 0
}

// ── Following ───────────────────────────────────────────────────────────────────────────────────

/** Does to index and files as a fast-forward would. Null if it was done, else why not. */
async function follow(git: Git, place: LandingCheckout, { base, commit }: Landing): Promise<string | null> {
  const index = join(place.gitDir, workIndex)
  const run = { cwd: place.path, env: { GIT_INDEX_FILE: index } }
  if (place.adopt && place.adopt.length > 0) await takeFiles(git, run, place.adopt)
  beginFollow(place.gitDir, { base, commit })
  removeTorn(place.path, place.torn)
  const moved = await git.run(['read-tree', '-m', '-u', base, commit], { ...run, ok: [0, 128] })
  if (moved.code !== 0) {
    endFollow(place.gitDir)
    return moved.stderr.trim().split('\n')[0] ?? 'git refused'
  }
  // Until this rename the old index stands, so an interrupted landing can be taken up again.
  renameSync(index, join(place.gitDir, 'index'))
  endFollow(place.gitDir)
  return null
}
