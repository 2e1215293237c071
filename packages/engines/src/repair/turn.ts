// One turn of the repair engine: search, check with the project's own command, apply the best patch that holds.
import type { Observation } from '@treadle/contracts/run'
import type { EngineOpen, EngineTask, TurnEnd } from '@treadle/flow/ports'
import { repair } from './repair.ts'
import type { Patch, RepairProgress, RepairResult } from './result.ts'
import type { RepairSettings } from './settings.ts'
import { applyPatch, runCommand, ScratchCopy } from './validate.ts'

const VALIDATED_MAX = 4
const TEST_TIMEOUT_MS = 5 * 60_000
const OUTPUT_MAX = 7_900

export interface Ended {
  readonly end: TurnEnd
  readonly report: RepairResult
}

interface Validation {
  /** The patches that the project's own command agrees with, best first. */
  readonly patches: readonly Patch[]
  readonly tail: string
}

export class Turn {
  readonly #settings: RepairSettings
  readonly #options: EngineOpen
  readonly #signal: AbortSignal

  constructor(settings: RepairSettings, options: EngineOpen, signal: AbortSignal) {
    this.#settings = settings
    this.#options = options
    this.#signal = signal
  }

  async run(task: EngineTask): Promise<Ended> {
    const found = await this.#search(task)
    if (this.#signal.aborted)
      return { end: { outcome: 'interrupted', text: 'The search was interrupted.' }, report: found }
    if (found.outcome !== 'plausible')
      return { end: { outcome: 'refused', text: told(found, null) }, report: found }
    const valid = await this.#validate(task, found.patches)
    if (this.#signal.aborted)
      return { end: { outcome: 'interrupted', text: 'The validation was interrupted.' }, report: found }
    const [best] = valid.patches
    if (best === undefined) {
      const report: RepairResult = {
        ...found,
        outcome: 'none',
        patches: [],
        reason: `${found.reason} The project's own test command agreed with none of them.`,
      }
      return { end: { outcome: 'refused', text: told(report, null) }, report }
    }
    applyPatch(this.#options.cwd, best.diff, [])
    const report = { ...found, patches: valid.patches }
    const confidence = { level: best.confidence, why: best.why }
    return { end: { outcome: 'done', text: told(report, best), confidence }, report }
  }

  async #search(task: EngineTask): Promise<RepairResult> {
    const started = performance.now()
    const { budgetSeconds, maxCandidates, workers, typecheck, tsc, progressFile, memory } = this.#settings
    const result = await repair(
      {
        cwd: this.#options.cwd,
        testCommand: task.testCommand,
        failures: task.failures,
        env: this.#options.env,
        ...(budgetSeconds === undefined ? {} : { budgetSeconds }),
        ...(maxCandidates === undefined ? {} : { maxCandidates }),
        ...(workers === undefined ? {} : { workers }),
        ...(typecheck === undefined ? {} : { typecheck }),
        ...(tsc === undefined ? {} : { tsc }),
        ...(memory === undefined ? {} : { memory }),
        progressFile: progressFile ?? null,
      },
      (progress) => this.#progress(progress),
      this.#signal,
    )
    this.#tell(task, result, started)
    this.#options.onEvent({ is: 'used', usage: { model: 'none', inputTokens: 0, outputTokens: 0, usd: 0 } })
    return result
  }

  #tell(task: EngineTask, result: RepairResult, started: number): void {
    const places = result.suspicious.map(({ file, line, score }) => `${file}:${line} ${score.toFixed(2)}`)
    const localised = places.join('\n') || result.reason
    const success = result.outcome !== 'refused'
    this.#observe(
      { tool: 'localise', input: task.testCommand ?? 'all tests', output: localised, success },
      started,
    )
    if (!success) return
    const families = Object.entries(result.tried).map(([family, count]) => `${family}: ${count}`)
    const output = `${result.reason}\n${families.join('\n')}`
    const input = `${result.candidates} candidates`
    this.#observe({ tool: 'search', input, output, success: result.outcome === 'plausible' }, started)
  }

  /** The winner and its runners-up, each in the same clean copy. */
  async #validate(task: EngineTask, patches: readonly Patch[]): Promise<Validation> {
    const command = task.testCommand
    if (command === null) return { patches, tail: '' }
    const copy = new ScratchCopy(this.#options.cwd)
    const valid: Patch[] = []
    let tail = ''
    try {
      for (const patch of patches.slice(0, VALIDATED_MAX)) {
        if (this.#signal.aborted) break
        const started = performance.now()
        copy.apply(patch.diff)
        const run = await runCommand(copy.path, command, {
          env: this.#options.env,
          timeoutMs: this.#settings.testTimeoutMs ?? TEST_TIMEOUT_MS,
          signal: this.#signal,
        })
        copy.revert(patch.diff)
        if (run.is === 'passed') valid.push(patch)
        else tail = run.tail
        const success = run.is === 'passed'
        const input = `${command}\n${patch.diff}`
        this.#observe({ tool: 'validate', input, output: `${run.is}\n${run.tail}`, success }, started)
      }
    } finally {
      copy.remove()
    }
    return { patches: valid, tail }
  }

  #progress(progress: RepairProgress): void {
    const { stage, candidates, total, perSecond, green, secondsLeft } = progress
    if (stage === 'baseline') return
    const left = Math.min(secondsLeft, perSecond > 0 ? (total - candidates) / perSecond : secondsLeft)
    const text = `${candidates} of ${total} candidates, ${perSecond.toFixed(0)} a second, ${green} green, at most ${left.toFixed(0)} s to go`
    this.#options.onEvent({ is: 'text', text })
  }

  #observe(seen: Omit<Observation, 'durationMs'>, started: number): void {
    const observation: Observation = {
      ...seen,
      input: seen.input.slice(0, OUTPUT_MAX),
      output: seen.output.slice(0, OUTPUT_MAX),
      durationMs: performance.now() - started,
    }
    this.#options.onEvent({ is: 'observed', observation })
  }
}

/** What a person reads: what was done, how sure it is, what else there is; or what was looked at. */
function told(result: RepairResult, applied: Patch | null): string {
  const lines = [result.reason]
  if (applied !== null) {
    lines.push(`Applied (confidence ${applied.confidence}, ${applied.kind}): ${applied.why}`, applied.diff)
    const others = result.patches.filter((patch) => patch !== applied).slice(0, 3)
    if (others.length > 0) lines.push('Other patches that pass:', ...others.map((patch) => patch.diff))
    lines.push('Green tests are all that is known: the patch is plausible, not proven.')
    return lines.join('\n')
  }
  const [first] = result.suspicious
  if (first !== undefined) {
    const places = result.suspicious.slice(0, 5).map(({ file, line }) => `${file}:${line}`)
    lines.push(`Most suspicious: ${places.join(', ')}.`)
  }
  if (result.partial.length > 0) {
    lines.push('Edits that mended a part:', ...result.partial.slice(0, 3).map((partial) => partial.diff))
  }
  return lines.join('\n')
}
