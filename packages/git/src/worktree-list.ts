// Which checkouts a repository has, and the repair of those that a killed process left half made.

import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { Fault, messageOf } from '@treadle/flow/fault'
import type { Git } from './git.ts'
import { ownerIsDead, sleep } from './locks.ts'

export interface Checkout {
  readonly path: string
  /** Without refs/heads/; null if detached or bare. */
  readonly branch: string | null
  readonly bare: boolean
  readonly lockedBecause: string | null
}

/** Every checkout, the user's own first. */
export async function listCheckouts(git: Git): Promise<Checkout[]> {
  const { stdout } = await git.run(['worktree', 'list', '--porcelain', '-z'])
  const commonDir = await git.commonDir()
  return stdout.split('\0\0').flatMap((block, at) => {
    const fields = new Map<string, string>()
    for (const line of block.split('\0')) {
      const space = line.indexOf(' ')
      if (space < 0) fields.set(line, '')
      else fields.set(line.slice(0, space), line.slice(space + 1))
    }
    // Git derives the first from the shared directory, in whose place our commands have a folder of their own.
    const path = at === 0 ? mainPath(commonDir) : fields.get('worktree')
    if (path === undefined || !fields.has('worktree')) return []
    const branch = fields.get('branch')?.replace(/^refs\/heads\//, '') ?? null
    return [{ path, branch, bare: fields.has('bare'), lockedBecause: fields.get('locked') ?? null }]
  })
}

/** The user's own checkout; of a bare repository, its folder. */
function mainPath(commonDir: string): string {
  return commonDir.replace(/\/\.git$/, '')
}

/** Makes a worktree that names the repository's own git directory, not the folder that our commands use for it. */
export async function addWorktree(git: Git, path: string, args: readonly string[]): Promise<void> {
  await git.run(['worktree', 'add', ...args])
  await repairLink(git, path)
}

/** The path as git writes it down: links in its folders resolved, whether or not it exists itself. */
function realPath(path: string): string {
  const absolute = resolve(path)
  let above = dirname(absolute)
  let below = basename(absolute)
  while (!existsSync(above)) {
    below = join(basename(above), below)
    above = dirname(above)
  }
  return join(realpathSync(above), below)
}

/** A mistaken path must never lead to the user's own checkout or to the repository's data. */
export async function linkedPath(git: Git, path: string): Promise<string> {
  const wanted = realPath(path)
  const common = await git.commonDir()
  const own = [common, realPath(git.repository), mainPath(common)]
  if (!own.some((each) => isInside(each, wanted)) && !isInside(wanted, common)) return wanted
  throw new Fault('git', `${wanted} is or holds the repository itself and cannot be a worktree`)
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`)
}

export async function findCheckout(git: Git, path: string): Promise<Checkout | null> {
  const wanted = realPath(path)
  const common = await git.commonDir()
  const folder = join(common, 'worktrees')
  // What no entry speaks of git does not list, and it need not be started to say so.
  if (wanted !== mainPath(common) && !entriesIn(folder).some((each) => mayMean(each, wanted))) return null
  return (await listCheckouts(git)).find((each) => each.path === wanted) ?? null
}

function entriesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

/** Whether git could take an entry for this path; an entry may be written in several ways, or by anybody. */
function mayMean(admin: string, wanted: string): boolean {
  const text = read(join(admin, 'gitdir'))?.trim()
  const file = text ? resolve(admin, text) : null
  return file !== null && (file === wanted || dirname(file) === wanted)
}

const initializing = 'initializing'
const waitMsMax = 15_000
const waitMs = 200

/**
 * Removes what an interrupted `git worktree add` left for this path. Git calls such a worktree locked because
 * it is initializing; nobody has worked in it yet.
 */
export async function discardHalfMade(git: Git, path: string): Promise<void> {
  const wanted = realPath(path)
  const folder = join(await git.commonDir(), 'worktrees')
  const waitUntil = Date.now() + waitMsMax
  for (const name of namesLike(folder, basename(wanted))) {
    const admin = join(folder, name)
    // The git process of a killed predecessor may still be at work, and then it will finish.
    while (isHalfMade(admin, wanted) && !ownerGone(admin) && Date.now() < waitUntil) await sleep(waitMs)
    if (!isHalfMade(admin, wanted)) continue
    if (!ownerGone(admin)) {
      if (pointsTo(admin) !== wanted) continue
      throw new Fault('git', `another git process is still making the worktree ${wanted}`)
    }
    if (pointsTo(admin) === wanted) await removeTree(wanted)
    await removeTree(admin)
  }
}

function ownerGone(admin: string): boolean {
  const stat =
    lstatSync(join(admin, 'locked'), { throwIfNoEntry: false }) ?? lstatSync(admin, { throwIfNoEntry: false })
  return stat === undefined || ownerIsDead(stat.mtimeMs)
}

/** Git names the entry after the folder, with a number if that is taken. */
function namesLike(folder: string, base: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((name) => name.startsWith(base) && /^\d*$/.test(name.slice(base.length)))
}

function isHalfMade(admin: string, wanted: string): boolean {
  if (!existsSync(admin)) return false
  const place = pointsTo(admin)
  if (place !== null && place !== wanted) return false
  return place === null || read(join(admin, 'locked'))?.trim() === initializing
}

function pointsTo(admin: string): string | null {
  const gitFile = read(join(admin, 'gitdir'))?.trim()
  // Newer git may write the path relative to its own entry.
  return gitFile ? dirname(resolve(admin, gitFile)) : null
}

/** Others make and remove worktrees meanwhile: what is gone is nothing. */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/**
 * An engine may delete a worktree's `.git` or make a repository of its own there; our commands must reach ours.
 * False if the repository has no worktree at this path.
 */
export async function repairLink(git: Git, path: string): Promise<boolean> {
  const wanted = realPath(path)
  const admin = await adminOf(git, wanted)
  if (admin === undefined || !existsSync(wanted)) return false
  const link = join(wanted, '.git')
  const stat = lstatSync(link, { throwIfNoEntry: false })
  const target = stat?.isFile() ? linkTarget(wanted) : null
  if (target === admin) return true
  // A fresh worktree names the folder of our own commands, which links to the same entry.
  const ours = target !== null && existsSync(target) && realpathSync(target) === realpathSync(admin)
  if (stat && !ours) renameSync(link, join(admin, `foreign-git-${randomUUID()}`))
  writeFileSync(link, `gitdir: ${admin}\n`)
  return true
}

/** Where a checkout's `.git` file points. */
export function linkTarget(path: string): string | null {
  const target = /^gitdir: (.+)$/m.exec(read(join(path, '.git')) ?? '')?.[1]
  return target === undefined ? null : resolve(path, target)
}

const removing = '.removing-'

/**
 * Takes a checkout away in an order that a kill cannot turn into a half-deleted one at its path: rename,
 * forget, delete.
 */
export async function dropCheckout(git: Git, path: string): Promise<void> {
  const wanted = realPath(path)
  const aside = join(dirname(wanted), `.${basename(wanted)}${removing}${randomUUID()}`)
  if (existsSync(wanted)) renameSync(wanted, aside)
  if ((await isLinked(git, wanted)) || (await findCheckout(git, wanted))) await forget(git, wanted)
  await removeTree(aside)
}

/** True if an entry names this path as git itself writes it. */
async function isLinked(git: Git, wanted: string): Promise<boolean> {
  const entries = entriesIn(join(await git.commonDir(), 'worktrees'))
  return entries.some((each) => read(join(each, 'gitdir')) === `${join(wanted, '.git')}\n`)
}

/**
 * The git directory of a checkout where its link and its entry say the same, as both are written by us; null: git has
 * to say.
 */
export async function linkedGitDir(git: Git, path: string): Promise<string | null> {
  const wanted = realPath(path)
  const common = await git.commonDir()
  const link = join(wanted, '.git')
  const stat = lstatSync(link, { throwIfNoEntry: false })
  if (stat?.isDirectory()) return link === common ? common : null
  const admin = stat?.isFile() ? /^gitdir: (.+)\n$/.exec(read(link) ?? '')?.[1] : undefined
  if (admin === undefined || admin !== join(common, 'worktrees', basename(admin))) return null
  if (!lstatSync(admin, { throwIfNoEntry: false })?.isDirectory()) return null
  return read(join(admin, 'gitdir')) === `${link}\n` ? admin : null
}

const forgetTries = 20
const forgetWaitMs = 100

/** A git that a killed predecessor left running may still write there for a moment; it stops without its files. */
async function forget(git: Git, wanted: string): Promise<void> {
  const admin = await adminOf(git, wanted)
  for (let tries = 1; ; tries += 1) {
    const args = ['worktree', 'remove', '--force', '--force', wanted]
    const { code, stderr } = await git.run(args, { ok: [0, 1, 128, 255] })
    if (code === 0) return
    if (tries >= forgetTries || !/not empty/i.test(stderr))
      throw new Fault('git', `the worktree ${wanted} could not be removed: ${stderr.trim()}`)
    await sleep(forgetWaitMs)
    if (await findCheckout(git, wanted)) continue
    // Half deleted, git does not know it any more.
    if (admin !== undefined) await removeTree(admin)
    return
  }
}

/** Where the repository keeps what it knows of the worktree at this path. */
async function adminOf(git: Git, wanted: string): Promise<string | undefined> {
  const folder = join(await git.commonDir(), 'worktrees')
  return entriesIn(folder).find((each) => pointsTo(each) === wanted)
}

/** Deletes what an interrupted `dropCheckout` of this path had already set aside for deletion. */
export async function finishDrops(path: string): Promise<void> {
  const wanted = realPath(path)
  const above = dirname(wanted)
  if (!existsSync(above)) return
  const mark = `.${basename(wanted)}${removing}`
  for (const name of readdirSync(above)) if (name.startsWith(mark)) await removeTree(join(above, name))
}

async function removeTree(path: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }
  try {
    await rm(path, options)
  } catch {
    // Some tools write folders that even their owner may not change.
    makeWritable(path)
    await rm(path, options).catch((error: unknown) => {
      throw new Fault('git', `${path} could not be deleted: ${messageOf(error)}`, { cause: error })
    })
  }
}

function makeWritable(folder: string): void {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return
  chmodSync(folder, 0o700)
  for (const name of readdirSync(folder)) makeWritable(join(folder, name))
}
