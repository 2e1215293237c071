// What an item changes, as git tells it: the delivery that waits, what was merged, or the worktree as it is now.
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, lstatSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import type { Client } from '@treadle/contracts/client'
import type { Item } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import { withIndex } from '../env.ts'
import { seenText } from '../terminal/plain-text.ts'
import { UserError } from '../user-error.ts'

export interface ItemChange {
  /** What is compared, for people. */
  readonly what: string
  /** A unified diff as git prints it: it can be applied, and is made harmless only where it is shown. */
  readonly diff: string
  readonly files: readonly ChangedFile[]
}

export interface ChangedFile {
  readonly path: string
  /** Null for what is no text. */
  readonly added: number | null
  readonly removed: number | null
}

const OUTPUT_MAX = 64 * 1024 * 1024
/** Programs that the configuration or an agent's .gitattributes names are not started. */
const SAFE = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false']
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color']

export interface ChangeOf {
  /** The repository. */
  readonly root: string
  readonly target: string
  readonly client: Client
  readonly item: Item
}

/** The change of an item as it is now; `deliveries` asks for one delivery (2), or for what changed between two (1..2). */
export async function changeOf(given: ChangeOf, deliveries: string | null = null): Promise<ItemChange> {
  if (deliveries !== null) return changeOfDeliveries(given, deliveries)
  const { root, target, item } = given
  if (item.mergeCommit !== null) return mergedChange(root, item.mergeCommit, item.headCommit)
  const isBuilt = ['claimed', 'building', 'verifying', 'improving'].includes(item.state)
  const worktree = isBuilt && item.branch !== null ? worktreeOf(root, item.branch) : null
  if (worktree !== null) return worktreeChange(worktree, target)
  if (item.headCommit !== null)
    return rangeChange(root, `${target}...${item.headCommit}`, 'the delivered change')
  if (item.branch !== null && isKnown(root, item.branch))
    return rangeChange(root, `${target}...${item.branch}`, `the branch ${item.branch}`)
  throw new UserError(
    `#${item.number} has changed nothing yet.`,
    `See where it stands: treadle show ${item.number}`,
  )
}

function mergedChange(root: string, merge: string, head: string | null): ItemChange {
  const range = head !== null && isKnown(root, head) ? `${merge}^1...${head}` : `${merge}^1..${merge}`
  return rangeChange(root, range, `merged as ${merge.slice(0, 8)}`)
}

async function changeOfDeliveries(given: ChangeOf, deliveries: string): Promise<ItemChange> {
  const [, from = '', to] = /^(\d+)(?:\.\.(\d+))?$/.exec(deliveries) ?? []
  if (from === '')
    throw new UserError(
      `${deliveries} names no delivery.`,
      'Say which: --delivery 2, or --delivery 1..2 for what changed between two.',
      2,
    )
  const { root, target, client, item } = given
  const query = { projectNumber: item.projectNumber, issueNumber: item.number, limit: 1_000 }
  const reviews = (await client.listReviews({ query })).items
  const one = deliveryOf(reviews, Number(from), item)
  if (to === undefined) return rangeChange(root, `${target}...${one}`, `delivery ${from}`)
  const other = deliveryOf(reviews, Number(to), item)
  const { tree, isCarried } = carried(root, target, { one, other })
  const more = isCarried ? '' : ', with what others have merged in between: git could not leave it out'
  return diffOf(root, [tree, other], `delivery ${from} to ${to}${more}`)
}

function deliveryOf(reviews: readonly Review[], cycle: number, { number }: Item): string {
  const found = reviews.find((review) => review.cycle === cycle)
  if (found !== undefined) return found.headCommit
  const known = reviews.map((review) => review.cycle).sort((a, b) => a - b)
  throw new UserError(
    `#${number} has no delivery ${cycle}.`,
    known.length === 0 ? 'Nothing has been delivered yet.' : `There are: ${known.join(', ')}`,
  )
}

/** The first delivery as it would be on the base of the second: so what others have merged in between is not shown. */
function carried(
  root: string,
  target: string,
  { one, other }: { one: string; other: string },
): { tree: string; isCarried: boolean } {
  const [first, second] = [one, other].map((head) => git(root, ['merge-base', target, head]).trim())
  if (first === undefined || second === undefined || first === second) return { tree: one, isCarried: true }
  const merged = spawnSync(
    'git',
    [...SAFE, 'merge-tree', '--write-tree', `--merge-base=${first}`, second, one],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  const [tree = ''] = merged.status === 0 ? merged.stdout.split('\n') : []
  // Before git 2.40 this cannot be asked; and two deliveries may not fit onto each other.
  return tree === '' ? { tree: one, isCarried: false } : { tree, isCarried: true }
}

function rangeChange(root: string, range: string, what: string): ItemChange {
  return diffOf(root, [range], what)
}

function diffOf(root: string, range: readonly string[], what: string, more: GitOptions = {}): ItemChange {
  const diff = git(root, ['diff', ...PLAIN, ...range], more)
  return { what, diff, files: filesOf(git(root, ['diff', ...PLAIN, '--numstat', '-z', ...range], more)) }
}

/** Also what git does not know yet, by an index of our own: the agent's is left alone. */
function worktreeChange(worktree: string, target: string): ItemChange {
  const base = git(worktree, ['merge-base', target, 'HEAD']).trim()
  const folder = mkdtempSync(join(tmpdir(), 'treadle-diff-'))
  try {
    const index = join(folder, 'index')
    const own = git(worktree, ['rev-parse', '--git-path', 'index']).trim()
    const path = own.startsWith('/') ? own : join(worktree, own)
    if (existsSync(path)) copyFileSync(path, index)
    git(worktree, ['add', '--intent-to-add', '--all'], { index })
    return diffOf(worktree, [base], 'the worktree as it is now', { index })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function worktreeOf(root: string, branch: string): string | null {
  const blocks = git(root, ['worktree', 'list', '--porcelain']).split('\n\n')
  const found = blocks.find((block) => block.split('\n').includes(`branch refs/heads/${branch}`))
  const path = found?.split('\n')[0]?.replace(/^worktree /, '') ?? null
  return path !== null && existsSync(path) ? path : null
}

/** Where an agent has an item, and the first file that it has changed there, for an editor; null if it is nowhere. */
export function openedWorktree(
  root: string,
  target: string,
  { branch }: Item,
): { worktree: string; file: string | null } | null {
  const worktree = branch === null ? null : worktreeOf(root, branch)
  if (worktree === null) return null
  const base = git(worktree, ['merge-base', target, 'HEAD']).trim()
  const changed = git(worktree, ['diff', ...PLAIN, '--name-only', '-z', base]).split('\0')
  const file = changed.find((path) => path !== '' && isWithin(worktree, path))
  // Editors take a name that begins with + or - for an order: with ./ it is a name.
  return { worktree, file: file === undefined ? null : `./${file}` }
}

/** False for a link that leads out of a folder: whoever edits would write elsewhere. */
function isWithin(folder: string, path: string): boolean {
  const full = join(folder, path)
  if (!full.startsWith(folder + sep)) return false
  try {
    const isThere = lstatSync(full, { throwIfNoEntry: false }) !== undefined
    const real = realpathSync(isThere ? full : nearest(dirname(full)))
    return `${real}${sep}`.startsWith(realpathSync(folder) + sep)
  } catch {
    return false
  }
}

/** The nearest folder that is there. */
function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder))
}

function isKnown(root: string, name: string): boolean {
  return spawnSync('git', ['rev-parse', '-q', '--verify', `${name}^{commit}`], { cwd: root }).status === 0
}

/** A renamed file has its two names in fields of their own. */
function filesOf(numstat: string): ChangedFile[] {
  const fields = numstat.split('\0')
  const files: ChangedFile[] = []
  for (let at = 0; at < fields.length; at += 1) {
    const [, added, removed, path] = /^(\S+)\t(\S+)\t(.*)$/s.exec(fields[at] ?? '') ?? []
    if (added === undefined || removed === undefined || path === undefined) continue
    const name = path === '' ? (fields[at + 2] ?? '') : path
    if (path === '') at += 2
    files.push({
      path: seenText(name).replaceAll('\n', '␊'),
      added: countOf(added),
      removed: countOf(removed),
    })
  }
  return files
}

const countOf = (text: string): number | null => (text === '-' ? null : Number(text))

interface GitOptions {
  readonly index?: string
}

function git(cwd: string, args: readonly string[], { index }: GitOptions = {}): string {
  try {
    return execFileSync('git', [...SAFE, ...args], {
      cwd,
      encoding: 'utf8',
      maxBuffer: OUTPUT_MAX,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(index === undefined ? {} : { env: withIndex(index) }),
    })
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? '').trim()
    throw new UserError(`git cannot show the change: ${said}`, `Look: git ${args.join(' ')}`)
  }
}

/** Two numbers for all files: +12 −3. */
export function sizeWords(files: readonly ChangedFile[]): string {
  const sum = (pick: 'added' | 'removed') => files.reduce((all, file) => all + (file[pick] ?? 0), 0)
  return `+${sum('added')} −${sum('removed')}`
}
