// The security check: the package manager's own audit, held against what the base has.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GateResult } from '@treadle/contracts/gate'
import type { ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { readBounded } from '@treadle/process/bounded-file'
import { concludeCheck } from '../check-report.ts'
import { plainText, readEvidence } from '../evidence.ts'
import { hasAny } from '../project-files.ts'
import type { CommandResult } from '../run-command.ts'
import { type GateOptions, runGateCommand } from '../tests.ts'
import { type Advisory, type Audit, countBySeverity, judgeAudit, readAudit } from './read-audit.ts'

const gate = 'security'
const auditMsMax = 2 * 60_000
const outputBytesMax = 16 * 1024 * 1024
const lockBytesMax = 8 * 1024 * 1024
const notFound = 127

interface Manager {
  readonly name: 'npm' | 'pnpm' | 'yarn'
  readonly locks: readonly string[]
  readonly command: string
}

const managers: readonly Manager[] = [
  {
    name: 'npm',
    locks: ['package-lock.json', 'npm-shrinkwrap.json'],
    command: 'npm audit --json --audit-level=moderate',
  },
  { name: 'pnpm', locks: ['pnpm-lock.yaml'], command: 'pnpm audit --json --audit-level=moderate' },
  { name: 'yarn', locks: ['yarn.lock'], command: 'yarn audit --json --level moderate' },
]
/** They say whom a package manager asks, and about what. */
const settings = ['.npmrc', 'pnpm-workspace.yaml', '.yarnrc', '.yarnrc.yml']
/** What an audit of the base needs of it. */
const manifests = ['package.json', ...settings]

export async function checkSecurity(options: GateOptions, request: ReviewChecksRequest): Promise<GateResult> {
  const startedAt = performance.now()
  const skipped = (why: string): GateResult => ({ is: 'skipped', gate, why })
  if (request.config.security === 'off') return skipped('gates.security is off')
  const turned = request.changed.filter((path) => settings.includes(path))
  // Whoever changes the settings could so be rid of the audit.
  const withheld = (why: string): GateResult =>
    turned.length === 0
      ? skipped(why)
      : { is: 'not_run', gate, why: `${why}; the change has changed ${turned.join(', ')}` }
  const manager = managers.find(({ locks }) => hasAny(request.cwd, locks))
  if (manager === undefined) {
    const why = 'there is no lock file of npm, pnpm or yarn to hold an audit on'
    return hadLock(request) ? withheld(why) : skipped(why)
  }
  const audit = new PackageAudit(options, request, manager)
  const offline = await audit.isOffline()
  if (offline) return withheld(`${manager.name} is told to stay offline, so nobody could be asked`)
  const now = await audit.hold(request.cwd)
  if (request.signal?.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
  if (now.is === 'unreadable') return withheld(`\`${manager.command}\` could not be held: ${now.why}`)
  const before = await audit.ofBase(now)
  const lock = manager.locks.find((name) => hasAny(request.cwd, [name])) ?? null
  const lockText = lock === null ? null : readBounded(join(request.cwd, lock), lockBytesMax)
  return conclude(options, {
    startedAt,
    lock,
    lockLines: lockText?.is === 'read' ? lockText.data.toString('utf8').split('\n') : [],
    ran: audit.ran,
    now: now.advisories,
    before,
    turned,
  })
}

/** Where there is none now: the change has removed it. */
function hadLock({ changed }: ReviewChecksRequest): boolean {
  return managers.some(({ locks }) => locks.some((lock) => changed.includes(lock)))
}

class PackageAudit {
  /** Command and output of every run, for the report. */
  readonly ran: string[] = []
  readonly #options: GateOptions
  readonly #request: ReviewChecksRequest
  readonly #manager: Manager

  constructor(options: GateOptions, request: ReviewChecksRequest, manager: Manager) {
    this.#options = options
    this.#request = request
    this.#manager = manager
  }

  /** npm that is told to stay offline finds nothing and says so with success. */
  async isOffline(): Promise<boolean> {
    if (this.#manager.name !== 'npm') return false
    const { result, text } = await this.#run(this.#request.cwd, 'npm config get offline')
    return result.exitCode === 0 && text.trim().split('\n').at(-1) === 'true'
  }

  async hold(cwd: string): Promise<Audit> {
    const { command } = this.#manager
    const { result, text } = await this.#run(cwd, command)
    this.ran.push(`\`${command}\` ended with ${result.exitCode ?? result.signal}; output ${result.output}`)
    if (result.exitCode === notFound) return { is: 'unreadable', why: `${this.#manager.name} was not found` }
    if (result.timedOut) return { is: 'unreadable', why: 'it did not end in time' }
    return readAudit(text)
  }

  /** Without a change of what is installed, both have the same. Null: there is nothing to compare with. */
  async ofBase(now: Extract<Audit, { is: 'read' }>): Promise<readonly Advisory[] | null> {
    const { locks } = this.#manager
    const { changed, readBase } = this.#request
    const concerned = [...locks, ...manifests]
    if (!changed.some((path) => concerned.includes(path) || path.endsWith('/package.json')))
      return now.advisories
    // Packages that nobody complains about now need no comparison.
    if (judgeAudit(now.advisories, null).blocking.length === 0) return null
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-audit-')))
    try {
      let locked = false
      for (const path of concerned) {
        const text = await readBase(path)
        if (text === null) continue
        locked ||= locks.includes(path)
        writeFileSync(join(folder, path), text)
      }
      if (!locked) return null
      const before = await this.hold(folder)
      return before.is === 'read' ? before.advisories : null
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  async #run(cwd: string, command: string): Promise<{ result: CommandResult; text: string }> {
    const { timeoutMs, signal } = this.#request
    const result = await runGateCommand(this.#options, {
      command,
      cwd,
      env: { ...this.#options.env, ...quickly },
      timeoutMs: Math.min(timeoutMs, auditMsMax),
      signal,
      // It asks a registry.
      network: true,
    })
    const stored = await readEvidence(this.#options.evidenceDir, result.output, outputBytesMax)
    return { result, text: plainText(stored?.text ?? '') }
  }
}

/** A registry that does not answer is not waited for over and over. */
const quickly = {
  npm_config_fetch_retries: '1',
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_timeout: '30000',
  npm_config_update_notifier: 'false',
  NO_UPDATE_NOTIFIER: '1',
}

interface Held {
  readonly startedAt: number
  readonly lock: string | null
  readonly lockLines: readonly string[]
  readonly ran: readonly string[]
  readonly now: readonly Advisory[]
  readonly before: readonly Advisory[] | null
  /** Settings that the change has changed. */
  readonly turned: readonly string[]
}

function conclude(options: GateOptions, held: Held): GateResult {
  const { startedAt, lock, lockLines, ran, now, before, turned } = held
  const { blocking, told } = judgeAudit(now, before)
  const { critical, high, moderate, low } = countBySeverity(now)
  return concludeCheck(options, {
    gate,
    startedAt,
    lines: [
      ...ran,
      `critical: ${critical}, high: ${high}, moderate: ${moderate}, low: ${low}`,
      ...now.map(describe),
    ],
    failures: blocking.map((each) => ({
      names: [each.name, each.severity],
      file: lock,
      line: lineOf(lockLines, each.name),
      message: `${describe(each)}; the base does not have it`,
    })),
    warnings: [
      ...turned.map((path) => `${path} was changed, which says whom the audit asks and about what`),
      ...told.map(({ advisory, known }) => `${describe(advisory)}${known ? '; the base has it too' : ''}`),
    ],
  })
}

/** Where the lock file names a package; null: it does not, in a way that is known. */
function lineOf(lines: readonly string[], name: string): number | null {
  const at = lines.findIndex((line) => line.includes(`node_modules/${name}"`) || line.startsWith(`${name}@`))
  return at < 0 ? null : at + 1
}

function describe({ name, severity, title, url, range }: Advisory): string {
  return [`${severity}: ${name} ${range}: ${title}`, url].filter((part) => part !== '').join(' ')
}
