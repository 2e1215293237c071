// One child process that runs candidates: started under the permission model, killed when silent, replaced when dead.
import type { ChildProcess } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { forkBound } from '@treadle/process/spawn'
import { cpuMsOf } from '@treadle/process/table'
import { descendants } from '@treadle/process/tree'
import type { Scratch } from '../confined.ts'
import type { FromRunner, ToRunner } from '../run/protocol.ts'

const runner = fileURLToPath(new URL('../run/runner.ts', import.meta.url))
const HEAP_MB = 256
/** On a machine that has much else to do, a process may be silent for so many times as long: it waits for its turn. */
const WAITING_TIMES = 12
/** What took so much of the processor's time in that silence was not waiting. */
const SHARE_OF_SILENCE = 0.6

export interface RunnerPlace {
  /** The project's folder: may be read. */
  readonly root: string
  /** The only folder that may be written. */
  readonly scratch: Scratch
  /** False only for the untouched program, whose coverage needs the inspector. */
  readonly confined: boolean
  /** Coverage needs the inspector; where Node cannot allow it beside the other limits, the child just ends. */
  readonly watched?: boolean
}

/** The environment that Node needs; nothing of the caller's, where secrets are. */
function environment(scratch: string): NodeJS.ProcessEnv {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TMPDIR: scratch,
    TEMP: scratch,
    TMP: scratch,
    TZ: 'UTC',
    NODE_ENV: 'test',
  }
}

function startRunner(place: RunnerPlace): ChildProcess {
  const limits = [...(place.confined ? confinement(place) : []), `--max-old-space-size=${HEAP_MB}`]
  // Bound to us: one that is stuck in a native call would never see that its channel is closed.
  const words = [...place.scratch.before, process.execPath, ...limits, '--no-warnings', runner]
  return forkBound(words, { cwd: place.root, env: environment(place.scratch.path) })
}

function confinement({ root, scratch: { path: scratch }, watched = false }: RunnerPlace): string[] {
  const readable = [root, scratch, dirname(dirname(runner)), ...packageFolders(root)]
  return [
    '--permission',
    ...(watched ? ['--allow-inspector'] : []),
    ...readable.map((folder) => `--allow-fs-read=${folder}`),
    `--allow-fs-write=${scratch}`,
  ]
}

/** Where packages are found from the project, the real places of linked ones too. */
function packageFolders(root: string): string[] {
  const found: string[] = []
  for (let folder = root; ; folder = dirname(folder)) {
    const packages = join(folder, 'node_modules')
    if (existsSync(packages)) found.push(packages, realpathSync(packages))
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest)) found.push(manifest)
    if (dirname(folder) === folder) return found
  }
}

/**
 * A child with its silence watched: when nothing is heard for long, it is killed. Silence is measured by the
 * processor's time that the child takes, so that a busy machine does not end what is merely slow.
 */
export class RunnerProcess {
  readonly #child: ChildProcess
  readonly #silenceMs: number
  readonly #onMessage: (message: FromRunner) => void
  readonly gone: Promise<void>
  #timer: NodeJS.Timeout | null = null
  #heardMs = performance.now()
  /** The processor's time that it had taken then. */
  #heardCpuMs = 0

  constructor(place: RunnerPlace, silenceMs: number, onMessage: (message: FromRunner) => void) {
    this.#silenceMs = silenceMs
    this.#onMessage = onMessage
    this.#child = startRunner(place)
    this.gone = new Promise((resolve) => {
      this.#child.once('exit', () => resolve())
      this.#child.once('error', () => resolve())
    })
    this.#child.on('message', (message) => this.#receive(message as FromRunner))
    this.gone.then(
      () => this.rest(),
      () => undefined,
    )
  }

  send(message: ToRunner): void {
    if (!this.#child.connected) return
    // A child that dies while being told is seen by its exit.
    this.#child.send(message, () => undefined)
    this.#watch(this.#silenceMs)
  }

  /** The time since it was last heard or told something. */
  get silentMs(): number {
    return performance.now() - this.#heardMs
  }

  /** Rests: nothing is expected for now. */
  rest(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  kill(): void {
    this.rest()
    // A sandbox that is killed before it is bound to us leaves the runner behind; without its channel that ends too.
    if (this.#child.connected) this.#child.disconnect()
    this.#child.kill('SIGKILL')
  }

  #receive(message: FromRunner): void {
    // Every verdict tells what it took; to ask the system each time would take longer than the verdict.
    if (message.is === 'tried') this.#heardCpuMs += message.cpuMs
    else this.#heardCpuMs = this.#cpuMs ?? 0
    this.#watch(this.#silenceMs)
    this.#onMessage(message)
  }

  #watch(ms: number): void {
    this.rest()
    this.#heardMs = performance.now()
    this.#timer = setTimeout(() => this.#judge(ms), ms)
  }

  #judge(ms: number): void {
    const cpuMs = this.#cpuMs
    const isAtWork = cpuMs === null || cpuMs - this.#heardCpuMs >= ms * SHARE_OF_SILENCE
    if (isAtWork || this.silentMs >= ms * WAITING_TIMES) this.kill()
    else this.#timer = setTimeout(() => this.#judge(ms), ms / 2)
  }

  /** Of the child and what it stands in; null where the system does not tell. */
  get #cpuMs(): number | null {
    const { pid } = this.#child
    if (pid === undefined) return null
    const taken = [pid, ...descendants(pid)].flatMap((each) => cpuMsOf(each) ?? [])
    return taken.length === 0 ? null : taken.reduce((sum, ms) => sum + ms, 0)
  }
}
