// Whom tests of the sandbox run as: root's powers differ from those of everybody else, so both are tried by root.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Confine } from '../wanted.ts'

const NOBODY = 65_534
const RUNNER = fileURLToPath(new URL('run-confined.ts', import.meta.url))
const isRoot = process.getuid?.() === 0

/** By name, with the words before a command that make it run as that user. */
export const USERS: readonly (readonly [name: string, before: readonly string[]])[] = isRoot
  ? [
      ['root', []],
      ['an ordinary user', ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--']],
    ]
  : [['an ordinary user', []]]

export interface Ended {
  readonly is: 'ended'
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  readonly proc: string
}

/** A home and a workspace in it, with what must not be read. */
export class Stage {
  readonly folder: string
  readonly home: string
  readonly root: string
  readonly #before: readonly string[]

  constructor(before: readonly string[]) {
    this.#before = before
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'confined-')))
    chmodSync(this.folder, 0o755)
    this.home = join(this.folder, 'home')
    this.root = join(this.home, 'project')
    mkdirSync(this.root, { recursive: true })
    if (before.length > 0)
      for (const path of [this.folder, this.home, this.root]) chownSync(path, NOBODY, NOBODY)
  }

  write(path: string, text: string): string {
    const file = join(this.folder, path)
    const made = spawnSync('/bin/sh', ['-c', 'mkdir -p "$1"; cat > "$2"', 'sh', dirname(file), file], {
      input: text,
    })
    if (made.status !== 0) throw new Error(String(made.stderr))
    if (this.#before.length > 0) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, this.folder])
    return file
  }

  /** Outside, as the user of this stage. */
  outside(line: string, cwd = this.root): string {
    const { status, stdout, stderr } = this.#run(['/bin/sh', '-c', line], cwd)
    if (status !== 0) throw new Error(`${line}: ${stderr}`)
    return stdout
  }

  /** Inside; `drop` takes words out of bubblewrap's arguments, to see what they are for. */
  inside(line: string, options: Partial<Confine> & { readonly drop?: readonly string[] } = {}): Ended {
    return this.start(['/bin/sh', '-c', line], options)
  }

  start(
    argv: readonly string[],
    options: Partial<Confine> & {
      readonly drop?: readonly string[]
      readonly around?: readonly string[]
    } = {},
  ): Ended {
    const { around = [], ...rest } = options
    const wanted = { mode: 'required', purpose: 'test', cwd: this.root, network: 'own', ...rest, argv }
    const whole = { ...wanted, env: { ...this.env, ...rest.env } }
    const run = this.#run([...around, process.execPath, RUNNER, JSON.stringify(whole)], this.folder)
    if (run.status !== 0) throw new Error(run.stderr)
    const ended: Ended | { is: 'refused'; why: string } = JSON.parse(run.stdout)
    if (ended.is === 'refused') throw new Error(ended.why)
    return ended
  }

  get env(): Record<string, string> {
    return {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
      HOME: this.home,
    }
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #run(words: readonly string[], cwd: string) {
    const [program = '', ...args] = [...this.#before, ...words]
    return spawnSync(program, args, { cwd, env: this.env, encoding: 'utf8' })
  }
}
