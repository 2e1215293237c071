// Runs the project's own test command on a clean copy with a patch applied: the verdict that counts.
import { type ChildProcessByStdio, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { Fault } from '@treadle/flow/fault'
import { spawnBound, spawnTalking } from '@treadle/process/spawn'
import { killTree } from '@treadle/process/tree'
import type { Confined } from '@treadle/sandbox/confine'
import { withoutKeys } from '@treadle/sandbox/environment'
import { removeForeign, writeForeign } from '@treadle/sandbox/foreign-files'
import { confineCopy, type RepairSandbox } from './confined.ts'

const LEFT_OUT = new Set(['node_modules', '.git', 'coverage', '.cache'])
const TAIL_CHARS = 4_000

export interface CommandRun {
  readonly is: 'passed' | 'failed' | 'timed_out'
  readonly tail: string
}

export interface CommandOptions {
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** A program that was started in a copy and is spoken to. */
export interface Started {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
}

export interface CopyOptions {
  /** The environment of the commands. */
  readonly env: Readonly<Record<string, string>>
  readonly sandbox: RepairSandbox
}

/**
 * A copy of the project that may be changed at will; packages are linked, not copied. Those of the folders above are
 * found as they are from the project: a worktree has none of its own.
 */
export class ScratchCopy {
  readonly path: string
  readonly #folder: string
  readonly #root: string
  readonly #packages: readonly string[]
  readonly #env: Readonly<Record<string, string>>
  readonly #sandbox: RepairSandbox
  #confined: Confined | null = null

  constructor(cwd: string, { env, sandbox }: CopyOptions) {
    this.#env = env
    this.#sandbox = sandbox
    this.#root = realpathSync(cwd)
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-copy-')))
    let folder = this.#folder
    for (const above of packageFoldersAbove(cwd).reverse()) {
      symlinkSync(above, join(folder, 'node_modules'), 'dir')
      folder = join(folder, 'below')
      mkdirSync(folder)
    }
    this.path = join(folder, basename(cwd))
    mkdirSync(this.path)
    const packages: string[] = []
    const filter = (source: string) => {
      const name = basename(source)
      if (name === 'node_modules') packages.push(source)
      return !LEFT_OUT.has(name)
    }
    for (const name of readdirSync(cwd)) {
      const from = join(cwd, name)
      if (filter(from))
        cpSync(from, join(this.path, name), { recursive: true, filter, verbatimSymlinks: true })
    }
    this.#packages = [...new Set(packages)].map((from) => relative(cwd, from))
    for (const name of this.#packages) symlinkSync(join(cwd, name), join(this.path, name), 'dir')
  }

  /** Tests run in the copy and may have left a link in the place of a file. */
  write(path: string, text: string): void {
    const file = join(this.path, path)
    const mode = lstatSync(join(this.#root, path), { throwIfNoEntry: false })?.mode ?? 0o644
    writeForeign(this.path, file, text, mode & 0o777)
  }

  apply(diff: string): void {
    applyPatch(this.path, diff, [])
  }

  /** Puts the files of a patch back as they are in the project: a build may have written over them meanwhile. */
  revert(diff: string): void {
    for (const [, path = ''] of diff.matchAll(/^\+\+\+ b\/(.+)$/gm))
      this.write(path, readFileSync(join(this.#root, path), 'utf8'))
  }

  /** Commands are confined where this machine can; throws where they have to be and cannot. */
  async #confine(): Promise<Confined> {
    const copy = { path: this.path, root: this.#root, packages: this.#packages, env: this.#env }
    const confined = await confineCopy(copy, this.#sandbox)
    if (confined.is === 'refused') throw new Fault('engine', confined.why)
    return confined
  }

  /** A command in the copy; confined, it finds itself in the place of the project. */
  async run(command: string, options: Omit<CommandOptions, 'env'>): Promise<CommandRun> {
    this.#confined ??= await this.#confine()
    return await this.#runIn(this.#confined, command, { ...options, env: this.#env })
  }

  /** A program in the copy that stays, under the same limits as a command. */
  async start(words: readonly string[]): Promise<Started> {
    this.#confined ??= await this.#confine()
    const { before, isConfined, env } = this.#confined
    const at = isConfined ? this.#root : this.path
    const inside = before.length === 0 ? withoutKeys(this.#env) : env
    const [program = '', ...args] = [...before, ...words]
    const child = spawnTalking(program, args, {
      cwd: this.path,
      env: { ...inside, PATH: pathFor(at, this.#env.PATH), CI: '1' },
    })
    return { child }
  }

  #runIn(confined: Confined, command: string, options: CommandOptions): Promise<CommandRun> {
    if (confined.before.length === 0) return runCommand(this.path, command, options)
    const at = confined.isConfined ? this.#root : this.path
    const env = { ...confined.env, PATH: pathFor(at, options.env.PATH), CI: '1' }
    const argv = [...confined.before, '/bin/sh', '-c', command]
    return runWords(argv, { ...options, env, cwd: this.path })
  }

  remove(): void {
    this.#confined?.close()
    removeForeign(this.#folder)
  }
}

/** The nearest first. */
function packageFoldersAbove(cwd: string): string[] {
  const found: string[] = []
  for (let folder = dirname(cwd); ; folder = dirname(folder)) {
    const packages = join(folder, 'node_modules')
    if (existsSync(packages)) found.push(packages)
    if (dirname(folder) === folder) return found
  }
}

/**
 * By git, so that what is offered is known to be taken; as if there were no repository, whose filters would run on
 * what is patched.
 */
export function applyPatch(cwd: string, diff: string, more: readonly string[]): void {
  execFileSync('git', ['--git-dir=/dev/null', 'apply', '--whitespace=nowarn', ...more, '-'], {
    cwd,
    input: diff,
    stdio: 'pipe',
  })
}

const USUAL_PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`

/** As package scripts have it: the project's own programs first, then those of the folders above. */
function pathFor(cwd: string, path = USUAL_PATH): string {
  const folders = [join(cwd, 'node_modules'), ...packageFoldersAbove(cwd)]
  return [...folders.map((folder) => join(folder, '.bin')), path].join(':')
}

export async function runCommand(cwd: string, command: string, options: CommandOptions): Promise<CommandRun> {
  const env = { ...withoutKeys(options.env), PATH: pathFor(cwd, options.env.PATH), CI: '1' }
  return await runWords(['/bin/sh', '-c', command], { ...options, env, cwd })
}

async function runWords(
  [program = '', ...args]: readonly string[],
  options: CommandOptions & { readonly cwd: string },
): Promise<CommandRun> {
  const { cwd, env } = options
  const child = spawnBound(program, args, { cwd, env: { ...env } })
  let tail = ''
  const keep = (text: string) => {
    tail = (tail + text).slice(-TAIL_CHARS)
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  const ended = Promise.withResolvers<CommandRun>()
  child.once('error', (cause) => ended.resolve({ is: 'failed', tail: cause.message }))
  child.once('close', (code) => ended.resolve({ is: code === 0 ? 'passed' : 'failed', tail }))
  const stop = () => ended.resolve({ is: 'timed_out', tail })
  const timer = setTimeout(stop, options.timeoutMs)
  options.signal?.addEventListener('abort', stop, { once: true })
  const run = await ended.promise
  clearTimeout(timer)
  options.signal?.removeEventListener('abort', stop)
  if (child.pid !== undefined) await killTree(child.pid, 500)
  return run
}
