// A ready-made, migrated database directory, built once per version and copied for each new workspace.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '@treadle/flow/fault'
import { moveTree } from './files.ts'

/** Versions that a template depends on; a test keeps both equal to the installed ones. */
export const PGLITE_VERSION = '0.5.14'
export const PG_BOSS_VERSION = '12.35.0'

export interface TemplateOptions {
  readonly templateDir: string
  readonly schema: string
  /** The hash of the migrations that it has made. */
  readonly history: string
  readonly log: (message: string) => void
  /** Makes a migrated, closed database directory at the path. */
  readonly make: (path: string) => Promise<void>
}

export async function createFromTemplate(options: TemplateOptions, path: string): Promise<void> {
  try {
    cpSync(await ensureTemplate(options), path, { recursive: true })
  } catch (error) {
    options.log(`no template database could be used in ${options.templateDir}: ${messageOf(error)}`)
    rmSync(path, { recursive: true, force: true })
    await options.make(path)
  }
}

export function templatePath({
  templateDir,
  schema,
  history,
}: Pick<TemplateOptions, 'templateDir' | 'schema' | 'history'>): string {
  return join(templateDir, `template-${PGLITE_VERSION}-${PG_BOSS_VERSION}-${history}-${schema}`)
}

/** Where the compiled form of the database is kept: another version of Node or of the database has a file of its own. */
export function compiledPath(templateDir: string): string {
  const { platform, arch, version } = process
  return join(templateDir, `compiled-${PGLITE_VERSION}-node-${version}-${platform}-${arch}`)
}

async function ensureTemplate({ templateDir, schema, history, make }: TemplateOptions): Promise<string> {
  const path = templatePath({ templateDir, schema, history })
  if (existsSync(path)) return path
  mkdirSync(templateDir, { recursive: true })
  const fresh = mkdtempSync(`${path}.new-`)
  try {
    await make(fresh)
    await moveTree(fresh, path)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // Another process was faster; its template is as good as ours.
    if (!existsSync(path)) throw error
  }
  return path
}

/** The cache folder of the user whose home this is. */
export function defaultTemplateDir(home: string = homedir()): string {
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches', 'treadle')
  if (process.platform === 'win32') return join(home, 'AppData', 'Local', 'treadle', 'cache')
  return join(home, '.cache', 'treadle')
}
