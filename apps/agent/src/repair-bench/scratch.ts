// A throw-away copy of one commit. The repository is only read: git writes no worktree, no index and no ref in it.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import type { Git } from '@treadle/git/git'
import { textAt } from './history.ts'

export class Scratch {
  readonly #base: string
  /** The copy. */
  readonly path: string
  readonly #changed = new Map<string, string | null>()

  private constructor(base: string) {
    this.#base = base
    this.path = join(base, 'work')
    mkdirSync(this.path)
  }

  static async open(git: Git, commit: string): Promise<Scratch> {
    const made = new Scratch(realpathSync(mkdtempSync(join(tmpdir(), 'treadle-history-'))))
    try {
      await made.#fill(git, commit)
    } catch (error) {
      made.remove()
      throw error
    }
    return made
  }

  async #fill(git: Git, commit: string): Promise<void> {
    const env = { GIT_INDEX_FILE: join(this.#base, 'index'), GIT_NO_LAZY_FETCH: '1' }
    await git.run(['read-tree', commit], { env })
    await git.run(['checkout-index', '--all', '--force', `--prefix=${this.path}/`], { env })
    this.#linkPackages(git.repository)
  }

  /** Takes files of another commit into the copy. */
  async take(git: Git, commit: string, paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const text = await textAt(git, commit, path)
      if (text !== null) this.#put(path, text)
    }
  }

  read(path: string): string | null {
    const file = join(this.path, path)
    return existsSync(file) ? readFileSync(file, 'utf8') : null
  }

  /** Until the next `reset`. */
  write(path: string, text: string): void {
    this.touch(path)
    this.#put(path, text)
  }

  /** Remembers a file that somebody else is going to change. */
  touch(path: string): void {
    if (!this.#changed.has(path)) this.#changed.set(path, this.read(path))
  }

  reset(): void {
    for (const [path, text] of this.#changed) {
      if (text === null) rmSync(join(this.path, path), { force: true })
      else this.#put(path, text)
    }
    this.#changed.clear()
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true })
  }

  #put(path: string, text: string): void {
    const file = join(this.path, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }

  /** Packages come from the user's checkout, but those of a workspace mean the copy's own folders. */
  #linkPackages(repository: string): void {
    const packages = join(repository, 'node_modules')
    if (!existsSync(packages) || existsSync(join(this.path, 'node_modules'))) return
    const own = workspaceLinks(realpathSync(repository), packages).filter(({ folder }) =>
      existsSync(join(this.path, folder)),
    )
    const whole = own.length === 0 ? this.path : this.#base
    symlinkSync(realpathSync(packages), join(whole, 'node_modules'), 'dir')
    for (const { name, folder } of own) {
      const link = join(this.path, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(this.path, folder), link, 'dir')
    }
  }
}

function workspaceLinks(repository: string, packages: string): { name: string; folder: string }[] {
  const names = readdirSync(packages).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(packages, name)).map((inner) => `${name}/${inner}`) : [name],
  )
  return names.flatMap((name) => {
    const link = join(packages, name)
    if (!lstatSync(link).isSymbolicLink() || !existsSync(link)) return []
    const folder = relative(repository, realpathSync(link))
    const inside = folder !== '' && !folder.startsWith('..') && !folder.split(sep).includes('node_modules')
    return inside ? [{ name, folder }] : []
  })
}
