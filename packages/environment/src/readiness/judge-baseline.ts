// Whether the tests of the target could be run at all, judged by how they ended. Tests that fail are no trouble: that is
// what items are for. A run in which no test could even begin is. Pure.
import type { Evidence, GateResult } from '@treadle/contracts/gate'
import type { Baseline, ReadinessFound, Trouble } from '@treadle/contracts/readiness'
import { duration } from '@treadle/contracts/words/time'
import { lastLines } from './last-lines.ts'
import {
  hasCompileError,
  type MissingModule,
  missingModules,
  missingPython,
  missingTool,
  packageOf,
} from './missing.ts'

export interface ProjectFacts {
  /** Packages that the manifests of the project name. */
  readonly declared: ReadonlySet<string>
  /** Packages that the project itself is, or has in its workspace. */
  readonly own: ReadonlySet<string>
  /** Whether a folder of installed packages can be seen from the tree. */
  readonly hasPackages: boolean
  /** What would install them; null: nobody knows. */
  readonly installWith: string | null
  readonly setupCommand: string | null
  /** What would build it; null: nobody knows. */
  readonly buildWith: string | null
  readonly timeoutMs: number
  /** Whether git ignores a file of the project, as it does what a build makes; `from` is the file that asked for it. */
  isIgnored(path: string, from: string | null): boolean
  /** Whether the project asks for a module of Python that is not its own. */
  isPythonDeclared(name: string): boolean
}

export function judgeBaseline(
  result: GateResult,
  facts: ProjectFacts,
): Exclude<ReadinessFound, { is: 'ready' }> | { is: 'ready'; baseline: Baseline } {
  if (result.is === 'skipped') return { is: 'untested', why: 'no test command was found', setupMs: 0 }
  // No tests, or a report that nobody can read: the world is as it should be.
  if (result.is === 'not_run') return { is: 'untested', why: result.why, setupMs: 0 }
  const trouble = troubleIn(result, facts)
  return trouble === null ? { is: 'ready', baseline: baselineOf(result) } : { is: 'not_ready', trouble }
}

type Ran = Extract<GateResult, { evidence: Evidence }>

/** What kept the whole suite from being run; null: it ran. `own`: the test command of the item that is worked on. */
export function troubleIn(
  result: GateResult,
  facts: ProjectFacts,
  own: string | null = null,
): Trouble | null {
  if (result.is !== 'failed') return null
  const { evidence } = result
  if (evidence.timedOut) return timedOut(evidence, facts)
  const found = missingFor(result, facts)
  if (found !== null) return found
  if (hasPassed(evidence) || !hasCompileError(outputOf(result), (file) => isNamed(file, own))) return null
  return trouble(evidence, {
    kind: 'compile_error',
    text: `\`${evidence.command}\` ran no test: the project does not compile.`,
    setting: 'tests.command',
    value: null,
  })
}

/** What is not there that tests need, and that no change would bring; null: nothing is known to be missing. */
export function missingFor(result: GateResult, facts: ProjectFacts): Trouble | null {
  if (result.is !== 'failed' || result.evidence.timedOut || hasPassed(result.evidence)) return null
  return missingIn(outputOf(result), result.evidence, facts)
}

const hasPassed = ({ report }: Evidence): boolean => (report?.passed ?? 0) > 0

function outputOf({ evidence, failures }: Extract<GateResult, { is: 'failed' }>): string {
  return [evidence.tail, ...failures.map(({ message }) => message)].join('\n')
}

/** Whether a command names a file, or a folder that it is in. */
function isNamed(file: string, command: string | null): boolean {
  const words = (command ?? '').split(/[\s'"]+/).map((word) => word.replace(/^\.\//, '').replace(/\/$/, ''))
  return words.some(
    (word) =>
      /[./]/.test(word) && (file === word || file.endsWith(`/${word}`) || `/${file}`.includes(`/${word}/`)),
  )
}

function timedOut(evidence: Evidence, { timeoutMs }: ProjectFacts): Trouble {
  return trouble(evidence, {
    kind: 'timed_out',
    text: `\`${evidence.command}\` did not end within ${duration(timeoutMs)}.`,
    setting: 'tests.timeoutMs',
    value: String(timeoutMs * 3),
  })
}

function missingIn(output: string, evidence: Evidence, facts: ProjectFacts): Trouble | null {
  const modules = missingModules(output)
  const packages = modules
    .filter((each) => !isPartOfOwn(each, facts))
    .flatMap(({ name }) => packageOf(name) ?? [])
  const wanted = packages.find((name) => facts.declared.has(name))
  if (wanted !== undefined) return packagesMissing(wanted, evidence, facts)
  const built = modules.find((each) => isBuilt(each, facts))
  if (built !== undefined) return outputMissing(built.name, evidence, facts)
  // Where a test has begun, a program is missing that the test starts.
  const tool = (evidence.report?.total ?? 0) > 0 ? null : missingTool(output)
  if (tool !== null) return toolMissing(tool, evidence, facts)
  const python = missingPython(output).find(({ name, isRun }) => isRun || facts.isPythonDeclared(name))
  if (python !== undefined) return pythonMissing(python.name, evidence, facts)
  return evidence.exitCode === 127 ? toolMissing(null, evidence, facts) : null
}

/** A file of the project, asked for by the name of its package. */
function isPartOfOwn({ name }: MissingModule, { own }: ProjectFacts): boolean {
  const belongsTo = packageOf(name)
  return belongsTo !== null && belongsTo !== name && own.has(belongsTo) && !name.includes('node_modules/')
}

function isBuilt({ name, from }: MissingModule, facts: ProjectFacts): boolean {
  return packageOf(name) === null && facts.isIgnored(name, from)
}

function packagesMissing(name: string, evidence: Evidence, facts: ProjectFacts): Trouble {
  const { setupCommand, installWith } = facts
  const brought = setupCommand === null ? '' : `, and \`${setupCommand}\` does not bring it`
  return trouble(evidence, {
    kind: 'packages_missing',
    text: `\`${evidence.command}\` needs the package ${name}, which is not installed${brought}.`,
    setting: 'tests.setupCommand',
    value: setupCommand === null ? installWith : null,
  })
}

function outputMissing(name: string, evidence: Evidence, { buildWith }: ProjectFacts): Trouble {
  return trouble(evidence, {
    kind: 'output_missing',
    text: `\`${evidence.command}\` needs ${name}, which a build makes and nobody has built.`,
    setting: 'tests.buildCommand',
    value: buildWith,
  })
}

function toolMissing(tool: string | null, evidence: Evidence, facts: ProjectFacts): Trouble {
  const isPackaged = tool !== null && facts.declared.has(tool)
  if (isPackaged || (!facts.hasPackages && facts.declared.size > 0))
    return packagesMissing(tool ?? 'that brings its commands', evidence, facts)
  return trouble(evidence, {
    kind: 'tool_missing',
    text: `\`${evidence.command}\` needs ${tool ?? 'a program'}, which is not there.`,
    setting: 'tests.command',
    value: null,
  })
}

function pythonMissing(name: string, evidence: Evidence, { setupCommand }: ProjectFacts): Trouble {
  return trouble(evidence, {
    kind: 'packages_missing',
    text: `\`${evidence.command}\` needs the Python module ${name}, which is not installed.`,
    setting: 'tests.setupCommand',
    value: setupCommand === null ? `python3 -m pip install ${name}` : null,
  })
}

function trouble({ tail }: Evidence, given: Omit<Trouble, 'lines'>): Trouble {
  return { ...given, text: given.text.slice(0, 1_000), lines: lastLines(tail) }
}

function baselineOf(result: Ran): Baseline {
  const { command, durationMs, report } = result.evidence
  const failures = result.is === 'failed' ? result.failures : []
  return {
    command,
    tookMs: durationMs,
    passed: report?.passed ?? 0,
    failed: Math.max(report?.failed ?? 0, failures.length),
    failing: failures.slice(0, 20).map(({ id }) => id.slice(0, 300)),
  }
}
