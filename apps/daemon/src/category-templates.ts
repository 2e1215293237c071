// The prompts that ideas by category are asked for with, as files that people edit: put where they are missing, never
// over anything, and read back from the workspace or from the folder of the setting.
import { randomUUID } from 'node:crypto'
import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { builtInTemplate } from '@treadle/context/category-template'
import { CATEGORIES, type Category } from '@treadle/contracts/categories'
import { messageOf } from '@treadle/flow/fault'
import { readUnlinked } from '@treadle/process/bounded-file'

const BYTES_MAX = 64 * 1024
/** The workspace's own prompts; .treadle is no place for them, as git does not see it. */
const OWN_DIR = join('.claude', 'commands', 'category-prompts')
/** A text on its way into its place; it does not end in .md, so nobody takes it for a prompt. */
const HALF = /^\.[a-z-]{1,60}\.md\.[0-9a-f]{8}\.half$/
/** Older ones are those of a writer that was killed. */
const HALF_AGE_MS = 10 * 60_000

/** The folder that ideas.templates names: ~ is the home, and what is relative lies below the workspace. */
export function templatesDir(
  setting: string,
  { home, workspaceDir }: { readonly home: string; readonly workspaceDir: string },
): string {
  const dir = /^~(?=$|[/\\])/.test(setting) ? join(home, setting.slice(1)) : setting
  return resolve(workspaceDir, dir)
}

export type TemplatesInstalled =
  | {
      readonly is: 'installed'
      readonly added: readonly Category[]
      /** There was something of that name. */
      readonly kept: readonly Category[]
      readonly failed: readonly { readonly category: Category; readonly why: string }[]
    }
  | { readonly is: 'no_folder'; readonly why: string }

/**
 * Puts the built-in prompts where there are none. Each appears whole or not at all, also if two daemons start at once.
 * Below the workspace, if one is given, no link is followed.
 */
export function installTemplates(dir: string, workspaceDir: string | null = null): TemplatesInstalled {
  try {
    const link = workspaceDir === null ? null : linkOnTheWay(workspaceDir, dir)
    if (link !== null)
      return { is: 'no_folder', why: `${link} is a link, and within the workspace none is followed` }
    mkdirSync(dir, { recursive: true })
  } catch (error) {
    return { is: 'no_folder', why: messageOf(error) }
  }
  const added: Category[] = []
  const kept: Category[] = []
  const failed: { category: Category; why: string }[] = []
  for (const category of CATEGORIES) {
    try {
      const isNew = install(dir, category)
      ;(isNew ? added : kept).push(category)
    } catch (error) {
      failed.push({ category, why: messageOf(error) })
    }
  }
  return { is: 'installed', added, kept, failed }
}

/** False: something is there, be it a link that leads nowhere. */
function install(dir: string, category: Category): boolean {
  const file = join(dir, `${category}.md`)
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return false
  const half = join(dir, `.${category}.md.${randomUUID().slice(0, 8)}.half`)
  try {
    writeFileSync(half, builtInTemplate(category), { flag: 'wx', flush: true })
    clearHalves(dir, lstatSync(half).mtimeMs)
    return put(half, file)
  } finally {
    rmSync(half, { force: true })
  }
}

/** A second name for a file that is whole: it replaces nothing and follows no link. */
function put(half: string, file: string): boolean {
  try {
    linkSync(half, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error
    return copied(half, file)
  }
}

/** On file systems without a second name. */
function copied(half: string, file: string): boolean {
  try {
    copyFileSync(half, file, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** The time is that of the file system, which may be another machine's. */
function clearHalves(dir: string, nowMs: number): void {
  for (const name of readdirSync(dir)) {
    if (!HALF.test(name)) continue
    const half = join(dir, name)
    const stat = lstatSync(half, { throwIfNoEntry: false })
    if (stat?.isFile() && nowMs - stat.mtimeMs > HALF_AGE_MS) rmSync(half, { force: true })
  }
}

// ── Reading ─────────────────────────────────────────────────────────────────────────────────────

export interface TemplatePlaces {
  /** The root of the workspace. */
  readonly workspaceDir: string
  /** The folder of the setting; null: it could not be made, so that the built-in prompts stand in for it. */
  readonly dir: string | null
}

export type TemplateRead =
  | {
      readonly text: string
      readonly from: 'workspace' | 'setting' | 'built_in'
      /** What is wrong with a file that would have gone before this one. */
      readonly warning: string | null
    }
  /** The category is skipped. */
  | { readonly text: null; readonly warning: string }

export function readTemplate(category: Category, { workspaceDir, dir }: TemplatePlaces): TemplateRead {
  const own = readIn(workspaceDir, join(workspaceDir, OWN_DIR, `${category}.md`))
  if (own.is === 'text') return { text: own.text, from: 'workspace', warning: null }
  const warning = own.is === 'unusable' ? `${own.path} ${own.why}, and is not used` : null
  if (dir === null) return { text: builtInTemplate(category), from: 'built_in', warning }
  const set = readIn(workspaceDir, join(dir, `${category}.md`))
  if (set.is === 'text') return { text: set.text, from: 'setting', warning }
  const what = set.is === 'unusable' ? set.why : 'is missing'
  const skipped = `${set.path} ${what}: no ideas are asked for in the category ${category}. Put a prompt there; what is missing comes back as it was shipped when the daemon starts.`
  return { text: null, warning: warning === null ? skipped : `${warning}. ${skipped}` }
}

type FileRead =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'absent'; readonly path: string }
  /** `why` goes on behind the path. */
  | { readonly is: 'unusable'; readonly path: string; readonly why: string }

function readIn(workspaceDir: string, path: string): FileRead {
  const unusable = (why: string): FileRead => ({ is: 'unusable', path, why })
  if (linkOnTheWay(workspaceDir, path) !== null) return unusable('is a link or lies behind one')
  const found = readUnlinked(path, BYTES_MAX)
  switch (found.is) {
    case 'absent':
      return { is: 'absent', path }
    case 'no_file':
      return unusable('is no plain file')
    case 'too_large':
      return unusable(`is larger than ${BYTES_MAX / 1024} KB`)
    case 'read':
      return textIn(found.data) ?? unusable('is empty or no UTF-8 text')
  }
}

function textIn(data: Buffer): FileRead | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(data)
    return text.trim() === '' ? null : { is: 'text', text }
  } catch {
    // It is no text.
    return null
  }
}

/** The first link between the workspace and a path below it; null: there is none, or the path is the owner's own. */
function linkOnTheWay(workspaceDir: string, path: string): string | null {
  const way = relative(workspaceDir, path)
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return null
  let at = workspaceDir
  for (const part of way.split(sep)) {
    at = join(at, part)
    const stat = lstatSync(at, { throwIfNoEntry: false })
    if (stat === undefined) return null
    if (stat.isSymbolicLink()) return at
  }
  return null
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}
