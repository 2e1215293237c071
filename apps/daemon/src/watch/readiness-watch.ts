// Looks once for each set-up whether packages, build and tests of the target can be run, and whether these tests see the
// tree they are started in; what was found outlives the daemon.
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import type { Config } from '@treadle/contracts/config'
import type { Fact } from '@treadle/contracts/event'
import { type Readiness, ReadinessFound, type StepProgress, type Trouble } from '@treadle/contracts/readiness'
import { foundWords, troubleWords } from '@treadle/contracts/words/readiness'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { checkReadiness } from '@treadle/environment/readiness/check'
import {
  afterDoubt,
  isLookDue,
  type ReadinessRecord,
  readinessHold,
  type VainLooks,
} from '@treadle/flow/claim/readiness'
import { Fault, messageOf } from '@treadle/flow/fault'
import type { Canary, Gates } from '@treadle/flow/ports/gates'
import type { MergeGit, WorktreeGit } from '@treadle/flow/ports/git'
import type { Store } from '@treadle/flow/ports/store'
import { canaryHold } from '@treadle/flow/verify/canary'
import { probeSandbox } from '@treadle/sandbox/probe'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Clock } from '../clock.ts'

export interface ReadinessDeps {
  readonly paths: WorkspacePaths
  readonly store: { readonly events: Pick<Store['events'], 'append'> }
  readonly git: Pick<MergeGit, 'commitOf' | 'withCheckout'>
  readonly source: Pick<WorktreeGit, 'idsAt'>
  readonly gates: Pick<Gates, 'canary' | 'runSetup' | 'runTests'>
  readonly config: () => Config
  readonly target: () => string
  readonly testCommand: () => string | null
  /** Something can be offered that could not be before. */
  readonly onReady: () => void
  readonly clock: Clock
  readonly now: () => Date
  readonly uuid: () => string
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
/** Somebody is mending it, and waits. */
const MENDING_MS = 5_000

const CanaryFound = z.discriminatedUnion('is', [
  z.object({ is: z.literal('sees'), file: z.string() }),
  z.object({ is: z.literal('blind'), files: z.array(z.string()), command: z.string() }),
  z.object({ is: z.literal('nothing'), why: z.string() }),
])

const ReadinessFile = z.object({
  key: z.string(),
  commit: z.string(),
  at: z.string(),
  found: ReadinessFound,
  canary: CanaryFound.nullable(),
})

/** One look: at the world, and at whether its tests see a change. */
interface Look extends ReadinessRecord {
  /** Null: nobody looked. */
  readonly canary: Canary | null
}

export class ReadinessWatch {
  readonly deps: ReadinessDeps
  readonly #file: string
  #last: Look | null
  #key = ''
  #checking: StepProgress | null = null
  #isAsked = false
  /** What agents have met since the last look. */
  #met: Trouble[] = []
  #vain: VainLooks | null = null
  #round: Promise<void> = Promise.resolve()
  #callOff: () => void = () => undefined
  #closed = false

  constructor(deps: ReadinessDeps) {
    this.deps = deps
    this.#file = `${deps.paths.state}/readiness.json`
    this.#last = readLook(this.#file)
    this.#key = this.#last?.key ?? ''
  }

  /** Why nothing is offered; null: items are. */
  hold(): string | null {
    const { readiness, canary } = this.deps.config().tests
    const unready = readiness === 'off' ? null : readinessHold(this.readiness())
    if (unready !== null || canary === 'off') return unready
    const last = this.#last
    const record = last?.canary == null ? null : { key: last.key, at: last.at, found: last.canary }
    return canaryHold(record, this.#key)
  }

  readiness(): Readiness {
    const last = this.#last
    // What an agent has met is looked at before anybody else meets it.
    const isDoubted = this.#isAsked && this.#met.length > 0 && last?.found.is !== 'not_ready'
    const found = isDoubted ? null : (last?.found ?? null)
    return { found, commit: last?.commit || null, at: last?.at ?? null, checking: this.#checking }
  }

  /** What is known of the tests of the set-up as it is now. */
  found(): Canary | null {
    return this.#last?.key === this.#key ? this.#last.canary : null
  }

  start(): void {
    this.#callOff()
    this.#round = this.#round.then(async () => {
      await this.look()
      this.#callOff()
      if (this.#closed) return
      const isMending = this.#last?.found.is === 'not_ready'
      this.#callOff = this.deps.clock.after(isMending ? MENDING_MS : LOOK_MS, () => this.start())
    })
  }

  /** The settings have changed. */
  reload(): void {
    if (!this.#closed) this.start()
  }

  /** A person wants it to be looked at again. */
  again(): Readiness {
    this.#isAsked = true
    this.#met = []
    this.#vain = null
    // Said at once: whoever asks must not take what was found before for the answer.
    this.#checking ??= { step: 'installing', files: null }
    this.start()
    return this.readiness()
  }

  /** An agent could not begin an item because of the world. */
  doubt(trouble: Trouble): void {
    this.#met.push(trouble)
    this.#isAsked = true
    this.start()
  }

  async look(): Promise<void> {
    const { config, stopping, log, git, target, now } = this.deps
    const { readiness, canary } = config().tests
    if ((readiness === 'off' && canary === 'off') || stopping.aborted) {
      this.#checking = null
      return
    }
    let commit: string | null = null
    try {
      commit = await git.commitOf(target())
      // A target that is not there yet is told elsewhere, by the item that meets it.
      const key = await this.#keyNow(commit)
      const isAsked = this.#isAsked
      this.#key = key
      const facts = { record: this.#last, key, commit: commit ?? '', now: now().getTime(), isAsked }
      if (!isLookDue(facts)) return
      const look = commit === null ? nothingThere() : await this.#lookAt(commit)
      if (stopping.aborted) return
      if (look === null) throw new Fault('readiness', 'the look at the target was interrupted')
      await this.#keep({ key, commit: commit ?? '', at: now().toISOString(), ...look })
    } catch (error) {
      log.error({ err: error }, 'the world could not be made ready')
      this.#breakOff(commit ?? '', messageOf(error))
    } finally {
      this.#checking = null
    }
  }

  /** What nobody foresaw is told by the item that meets it: it holds up nothing for ever, and is not tried at once again. */
  #breakOff(commit: string, why: string): void {
    this.#isAsked = false
    this.#met = []
    const known = this.#last?.key === this.#key ? this.#last : null
    const found = known?.found ?? { is: 'untested', why, setupMs: 0 }
    const canary = known?.canary ?? { is: 'nothing', why }
    this.#last = { key: this.#key, commit, at: this.deps.now().toISOString(), found, canary, isBroken: true }
  }

  async #lookAt(commit: string): Promise<Pick<Look, 'found' | 'canary'> | null> {
    const { git, gates, config, testCommand, paths, stopping } = this.deps
    const command = testCommand()
    const { timeoutMs, setupCommand, buildCommand, canary, readiness } = config().tests
    return git.withCheckout(commit, `${paths.worktrees}/canary`, async (cwd) => {
      const found = await checkReadiness({
        gates,
        cwd,
        owner: paths.root,
        setupCommand,
        buildCommand,
        testCommand: readiness === 'off' ? null : command,
        timeoutMs,
        signal: stopping,
        onProgress: (progress) => this.#progress(progress, commit),
      })
      if (found === null) return null
      const isLooked = canary === 'auto' && found.is !== 'not_ready' && command !== null
      if (!isLooked) return { found, canary: { is: 'nothing', why: 'the tests were not run' } }
      return { found, canary: await gates.canary({ cwd, command, timeoutMs, signal: stopping }) }
    })
  }

  #progress(progress: StepProgress, commit: string): void {
    const isNew = this.#checking?.step !== progress.step
    this.#checking = progress
    if (isNew) void this.#tell({ type: 'environment.step', step: progress.step, commit })
  }

  async #keep(look: Look): Promise<void> {
    const { log, onReady } = this.deps
    const before = this.#last
    const { found, vain } = afterDoubt(look, this.#met, this.#vain)
    this.#vain = vain
    this.#met = []
    this.#isAsked = false
    this.#last = { ...look, found }
    writeFileSync(this.#file, `${JSON.stringify(this.#last, null, 2)}\n`)
    if (found.is === 'not_ready') log.error(troubleWords(found.trouble))
    else log.info({ canary: look.canary }, foundWords(found))
    if (look.canary?.is === 'blind') log.error(this.hold() ?? '')
    await this.#tellFound(before, this.#last)
    if (this.hold() === null) onReady()
  }

  async #tellFound(before: Look | null, { found, commit }: Look): Promise<void> {
    if (commit === '') return
    if (found.is === 'not_ready')
      await this.#tell({ type: 'environment.not_ready', commit, trouble: found.trouble })
    else if (found.is === 'ready')
      await this.#tell({ type: 'environment.ready', commit, text: foundWords(found) })
    else if (before?.found.is !== 'untested')
      await this.#tell({ type: 'environment.untested', commit, why: found.why.slice(0, 1_000) })
  }

  async #tell(event: Fact): Promise<void> {
    const { store, uuid, now, log } = this.deps
    const of = { item: null, agentId: null, runId: null, state: null }
    try {
      await store.events.append({ id: uuid(), at: now(), ...of, event })
    } catch (error) {
      log.error({ err: error }, 'it could not be recorded whether the world is ready')
    }
  }

  async #keyNow(commit: string | null): Promise<string> {
    const { config, source, testCommand, paths } = this.deps
    const hash = createHash('sha256')
    // A sandbox decides what tests see, too.
    const { mode, reach } = config().sandbox
    const sandbox = [mode, (await probeSandbox()).is, ...reach]
    const { setupCommand, buildCommand, readiness, canary } = config().tests
    const settings = [testCommand(), setupCommand, buildCommand, readiness, canary]
    hash.update(
      JSON.stringify([...settings, ...sandbox, setupCommand === null ? installedAt(paths.root) : 0]),
    )
    const ids = commit === null ? null : await source.idsAt(commit, SETUP_FILES)
    for (const file of ids === null ? [] : SETUP_FILES) hash.update(`\0${file}\0${ids?.get(file) ?? ''}`)
    return hash.digest('hex')
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#callOff()
    await this.#round
  }
}

function nothingThere(): Pick<Look, 'found' | 'canary'> {
  const why = 'there is no such branch yet'
  return { found: { is: 'untested', why, setupMs: 0 }, canary: { is: 'nothing', why } }
}

/** When packages were last installed in the checkout, which lends them. */
function installedAt(root: string): number {
  return lstatSync(`${root}/node_modules`, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function readLook(file: string): Look | null {
  if (!existsSync(file)) return null
  try {
    return ReadinessFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // Damaged: it is looked at again.
    return null
  }
}
