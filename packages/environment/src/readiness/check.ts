// Makes a tree of the target ready and runs its tests once, before anybody is asked to change anything.
import type { ReadinessFound, StepProgress, Trouble } from '@treadle/contracts/readiness'
import type { Gates, SetupFailure } from '@treadle/flow/ports/gates'
import { buildBefore } from '../build/build-command.ts'
import { readManifest } from '../packages/manifest.ts'
import { judgeBaseline } from './judge-baseline.ts'
import { lastLines } from './last-lines.ts'
import { projectFacts } from './project-facts.ts'
import { watchTests } from './watch-tests.ts'

export interface ReadinessCheck {
  readonly gates: Pick<Gates, 'runSetup' | 'runTests'>
  /** A tree with the target's files and nothing else. */
  readonly cwd: string
  /** The owner's checkout. */
  readonly owner: string
  readonly setupCommand: string | null
  readonly buildCommand: string | null
  readonly testCommand: string | null
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly onProgress: (progress: StepProgress) => void
}

/** Null: it was interrupted, and nothing is known. */
export async function checkReadiness(check: ReadinessCheck): Promise<ReadinessFound | null> {
  const { gates, cwd, owner, setupCommand, testCommand, timeoutMs, signal, onProgress } = check
  const startedAt = performance.now()
  if (setupCommand !== null) {
    onProgress({ step: 'installing', files: null })
    const set = await gates.runSetup({ cwd, command: setupCommand, timeoutMs, signal })
    if (signal.aborted) return null
    if (set.is === 'failed') return { is: 'not_ready', trouble: setupTrouble(set) }
  }
  const setupMs = Math.round(performance.now() - startedAt)
  if (testCommand === null) return { is: 'untested', why: 'no test command was found', setupMs }
  const build = buildBefore({
    command: testCommand,
    configured: check.buildCommand,
    manifest: readManifest(cwd),
  })
  if (build !== null) {
    onProgress({ step: 'building', files: null })
    const built = await gates.runSetup({ cwd, command: build, timeoutMs, signal })
    if (signal.aborted) return null
    if (built.is === 'failed') return { is: 'not_ready', trouble: buildTrouble(built) }
  }
  const onOutput = watchTests(cwd, onProgress)
  const result = await gates.runTests({ cwd, command: testCommand, timeoutMs, signal, onOutput })
  if (signal.aborted) return null
  const judged = judgeBaseline(result, projectFacts({ cwd, owner, setupCommand, timeoutMs }))
  return judged.is === 'not_ready' ? judged : { ...judged, setupMs }
}

/** What a set-up command that failed means for everybody. */
export function setupTrouble({ text, tail, wantsLogin }: SetupFailure): Trouble {
  const lines = lastLines(tail)
  const words = text.slice(0, 900)
  return wantsLogin
    ? {
        kind: 'install_failed',
        text: `${words}: the registry wants a login.`,
        setting: 'sandbox.logins',
        value: '["npm"]',
        lines,
      }
    : { kind: 'install_failed', text: `${words}.`, setting: 'tests.setupCommand', value: null, lines }
}

function buildTrouble({ text, tail }: SetupFailure): Trouble {
  const lines = lastLines(tail)
  return {
    kind: 'build_failed',
    text: `${text.slice(0, 900)}.`,
    setting: 'tests.buildCommand',
    value: null,
    lines,
  }
}
