// What kind of thing went wrong with a task, and what follows from that. Tables, pure.
import type { TaskDecision, TaskErrorClass, TaskFailure } from '@treadle/contracts/build'
import { isSpent, type Limit } from '@treadle/contracts/limit'

export interface AttemptFacts {
  /** Whether the change could not be put onto the branch. */
  readonly conflicted: boolean
  /** Whether checks refused it; false: it never came so far. */
  readonly refused: boolean
  /** What the checks or the engine said. */
  readonly error: string
}

export interface Classified {
  readonly class: TaskErrorClass
  /** The package that is missing. */
  readonly package: string | null
}

/** A name that a registry could have: no path, no module of the platform. */
const NAME = String.raw`(@[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*|[a-z0-9][\w.-]*)`
const MISSING_NPM: readonly RegExp[] = [
  new RegExp(String.raw`Cannot find (?:module|package) ['"]${NAME}(?:\/[\w./-]*)?['"]`, 'i'),
  new RegExp(String.raw`Failed to resolve import ['"]${NAME}(?:\/[\w./-]*)?['"]`, 'i'),
]
const MISSING_PYTHON: readonly RegExp[] = [/No module named ['"]([a-z0-9]\w*)(?:\.[\w.]*)?['"]/i]

/** Modules of the platform that a registry has packages of the same name for, made by strangers. */
const PLATFORM = new Set(
  'assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib'.split(
    ' ',
  ),
)
const SYNTAX =
  /\bSyntaxError\b|\bIndentationError\b|\berror TS1\d{3}\b|\bUnexpected (?:token|end of input|identifier)\b|\bParse error\b|\bsyntax error\b/i

/** The first line of the table that fits says it. */
export function classifyError({ conflicted, refused, error }: AttemptFacts): Classified {
  if (conflicted) return { class: 'CONFLICT', package: null }
  const name = packageIn(error)
  if (name !== null || toolIn(error) !== null) return { class: 'MISSING_DEPENDENCY', package: name }
  if (SYNTAX.test(error)) return { class: 'SYNTAX_ERROR', package: null }
  return { class: refused ? 'VALIDATION_FAILED' : 'UNKNOWN', package: null }
}

/** How a shell says that there is no such program: dash, bash and busybox; then zsh. */
const NO_TOOL: readonly RegExp[] = [
  /^(?:\/bin\/|\/usr\/bin\/)?(?:ba|da|a|k)?sh: (?:line )?(?:\d+: )?([^\s:]+): (?:command )?not found$/m,
  /^zsh:(?:\d+:)? command not found: (\S+)$/m,
]

/** The program that a shell has looked for and not found; null: it says nothing of one. */
export function toolIn(error: string): string | null {
  for (const pattern of NO_TOOL) {
    const name = pattern.exec(error)?.[1]
    if (name !== undefined) return name
  }
  return null
}

const NAME_MAX = 214

/** The package that an error says is missing; null: it says nothing of one. */
export function packageIn(error: string): string | null {
  return nameIn(error, MISSING_NPM) ?? nameIn(error, MISSING_PYTHON)
}

/** True: what is missing is of Python. A registry of npm has something else by that name, or may have it soon. */
export function isOfPython(error: string): boolean {
  return nameIn(error, MISSING_NPM) === null && nameIn(error, MISSING_PYTHON) !== null
}

function nameIn(error: string, patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const name = pattern.exec(error)?.[1]
    if (name !== undefined && name.length <= NAME_MAX && !PLATFORM.has(name)) return name
  }
  return null
}

/** What was decided about a task since a person had it tried again: whatever was decided for good ends a series. */
export function failuresSince(failures: readonly TaskFailure[], task: string): TaskFailure[] {
  const own = failures.filter((each) => each.task === task)
  const last = own.findLastIndex(({ decision }) => decision === 'SKIP' || decision === 'ESCALATE')
  return own.slice(last + 1)
}

export interface FailedAttempt extends Classified {
  /** Attempts so far, this one included. */
  readonly attempts: number
  /** The same package was installed for this task before, in the same series of attempts. */
  readonly installedBefore: boolean
  readonly error: string
}

export interface FailureChoice {
  readonly decision: TaskDecision
  readonly reason: string
}

const SYNTAX_TRIES: Limit = { max: 3, mode: 'reaches' }
const VALIDATION_TRIES: Limit = { max: 2, mode: 'reaches' }
/** The sources name no end for these; without one a task would come back for ever. */
const CONFLICT_TRIES: Limit = { max: 5, mode: 'reaches' }
const INSTALL_TRIES: Limit = { max: 5, mode: 'reaches' }
const ERROR_MAX = 300

export function decideFailure(facts: FailedAttempt): FailureChoice {
  const { attempts, error } = facts
  switch (facts.class) {
    case 'SYNTAX_ERROR':
      if (isSpent(SYNTAX_TRIES, attempts)) break
      return { decision: 'RETRY', reason: 'Syntax error - will retry with correction' }
    case 'MISSING_DEPENDENCY':
      if (!mayInstall(facts)) break
      return { decision: 'INSTALL_AND_RETRY', reason: `Missing dependency ${facts.package}` }
    case 'CONFLICT':
      if (isSpent(CONFLICT_TRIES, attempts)) break
      return { decision: 'REBASE_AND_RETRY', reason: 'Merge conflict detected' }
    case 'VALIDATION_FAILED':
      return isSpent(VALIDATION_TRIES, attempts)
        ? { decision: 'SKIP', reason: `Validation failed after ${attempts} attempts` }
        : { decision: 'RETRY', reason: 'Validation failed - will fix' }
    case 'UNKNOWN':
      return { decision: 'ESCALATE', reason: `Unknown error: ${firstWords(error)}` }
  }
  return { decision: 'ESCALATE', reason: missingWords(facts) ?? spentWords(facts) }
}

function mayInstall({ package: name, installedBefore, attempts, error }: FailedAttempt): boolean {
  return name !== null && !isOfPython(error) && !installedBefore && !isSpent(INSTALL_TRIES, attempts)
}

/** What nobody who writes code can mend; null: something else. */
function missingWords({ class: kind, package: name, error }: FailedAttempt): string | null {
  if (kind !== 'MISSING_DEPENDENCY') return null
  if (name !== null)
    return isOfPython(error)
      ? `${name} is missing, and is not installed: it is of Python, and only packages of npm are`
      : null
  const tool = toolIn(error)
  return tool === null ? null : `${tool} is not installed here, and the check of the task needs it`
}

function spentWords({ class: kind, attempts, error }: FailedAttempt): string {
  return `${NAMES[kind]} after ${attempts} attempt${attempts === 1 ? '' : 's'}: ${firstWords(error)}`
}

const NAMES: Readonly<Record<TaskErrorClass, string>> = {
  SYNTAX_ERROR: 'Syntax error',
  MISSING_DEPENDENCY: 'Missing dependency',
  CONFLICT: 'Merge conflict',
  VALIDATION_FAILED: 'Validation failed',
  UNKNOWN: 'Unknown error',
}

function firstWords(error: string): string {
  const words = error.replace(/\s+/g, ' ').trim()
  return words.length > ERROR_MAX ? `${words.slice(0, ERROR_MAX)}…` : words
}
