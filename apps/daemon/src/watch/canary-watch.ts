// Looks once for each set-up whether the tests see the tree they are started in; what was found outlives the daemon.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Config } from '@treadle/contracts/config'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import type { Canary, Gates } from '@treadle/flow/ports/gates'
import type { MergeGit, WorktreeGit } from '@treadle/flow/ports/git'
import { type CanaryRecord, canaryHold } from '@treadle/flow/verify/canary'
import { probeSandbox } from '@treadle/sandbox/probe'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Clock } from '../clock.ts'

export interface CanaryDeps {
  readonly paths: WorkspacePaths
  readonly git: Pick<MergeGit, 'commitOf' | 'withCheckout'>
  readonly source: Pick<WorktreeGit, 'fileAt'>
  readonly gates: Pick<Gates, 'canary' | 'runSetup'>
  readonly config: () => Config
  readonly target: () => string
  readonly testCommand: () => string | null
  readonly clock: Clock
  readonly now: () => Date
  readonly log: Logger
  readonly stopping: AbortSignal
}

/** Files that decide what an install brings. */
const SETUP_FILES = [
  'package.json',
  'package-lock.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'yarn.lock',
  'bun.lock',
  'pyproject.toml',
  'requirements.txt',
  'setup.py',
  'setup.cfg',
  'poetry.lock',
  'uv.lock',
  'go.mod',
  'go.work',
  'Cargo.toml',
  'Cargo.lock',
  'composer.lock',
  'Gemfile.lock',
  'tsconfig.json',
]
const LOOK_MS = 60_000

const CanaryFile = z.object({
  key: z.string(),
  at: z.string(),
  found: z.discriminatedUnion('is', [
    z.object({ is: z.literal('sees'), file: z.string() }),
    z.object({ is: z.literal('blind'), files: z.array(z.string()), command: z.string() }),
    z.object({ is: z.literal('nothing'), why: z.string() }),
  ]),
})

export class CanaryWatch {
  readonly deps: CanaryDeps
  readonly #file: string
  #record: CanaryRecord | null
  #key = ''
  #round: Promise<void> = Promise.resolve()
  #callOff: () => void = () => undefined
  #closed = false

  constructor(deps: CanaryDeps) {
    this.deps = deps
    this.#file = `${deps.paths.state}/canary.json`
    this.#record = readRecord(this.#file)
    this.#key = this.#record?.key ?? ''
  }

  /** Why nothing is offered; null: items are. */
  hold(): string | null {
    return this.deps.config().tests.canary === 'off' ? null : canaryHold(this.#record, this.#key)
  }

  /** What is known of the set-up as it is now. */
  found(): Canary | null {
    return this.#record?.key === this.#key ? this.#record.found : null
  }

  start(): void {
    this.#round = this.look()
    this.#callOff = this.deps.clock.after(LOOK_MS, () => {
      void this.#round.then(() => {
        if (!this.#closed) this.start()
      })
    })
  }

  async look(): Promise<void> {
    const { config, stopping, log } = this.deps
    if (config().tests.canary === 'off') return
    try {
      const key = await this.#keyNow()
      this.#key = key
      if (this.#record?.key === key) return
      const found = await this.#plant()
      if (stopping.aborted || found === null) return
      this.#record = { key, at: this.deps.now().toISOString(), found }
      writeFileSync(this.#file, `${JSON.stringify(this.#record, null, 2)}\n`)
      if (found.is === 'blind') log.error(canaryHold(this.#record, key) ?? '')
      else log.info({ canary: found }, 'the tests were checked')
    } catch (error) {
      log.error({ err: error }, 'the tests could not be checked')
      // An install that fails is told by the item that meets it; the check must not hold up everything for ever.
      this.#record ??= {
        key: this.#key,
        at: this.deps.now().toISOString(),
        found: { is: 'nothing', why: String(error) },
      }
    }
  }

  async #plant(): Promise<Canary | null> {
    const { git, gates, config, target, testCommand, paths, stopping } = this.deps
    const command = testCommand()
    const commit = await git.commitOf(target())
    if (command === null || commit === null) return { is: 'nothing', why: 'there is no test command' }
    const { timeoutMs, setupCommand } = config().tests
    return git.withCheckout(commit, `${paths.worktrees}/canary`, async (cwd) => {
      const ready = await gates.runSetup({ cwd, command: setupCommand, timeoutMs, signal: stopping })
      if (ready.is === 'failed') return { is: 'nothing', why: ready.why }
      return gates.canary({ cwd, command, timeoutMs, signal: stopping })
    })
  }

  async #keyNow(): Promise<string> {
    const { config, source, target, testCommand, git } = this.deps
    const hash = createHash('sha256')
    // A sandbox decides what tests see, too.
    const { mode, reach } = config().sandbox
    const sandbox = [mode, (await probeSandbox()).is, ...reach]
    hash.update(JSON.stringify([testCommand(), config().tests.setupCommand, ...sandbox]))
    const commit = await git.commitOf(target())
    for (const file of commit === null ? [] : SETUP_FILES)
      hash.update(`\0${file}\0${(await source.fileAt(commit ?? '', file)) ?? ''}`)
    return hash.digest('hex')
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#callOff()
    await this.#round
  }
}

function readRecord(file: string): CanaryRecord | null {
  if (!existsSync(file)) return null
  try {
    return CanaryFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // Damaged: it is looked at again.
    return null
  }
}
