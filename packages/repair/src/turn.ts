// One turn of the repair engine: search, check with the project's own command, apply the best patch that holds.
import assert from 'node:assert/strict'
import type { Observation } from '@treadle/contracts/run'
import type { EngineOpen, EngineQuestion, EngineTask, TurnEnd } from '@treadle/flow/ports/engine'
import { repair } from './repair.ts'
import type { Patch, RepairProgress, RepairResult, RivalQuestion } from './result.ts'
import { answerRivals } from './rivals/answer.ts'
import type { RepairSettings } from './settings.ts'
import { applyPatch, type CommandRun } from './validate.ts'

const OUTPUT_MAX = 7_900
const DOUBLINGS_MAX = 3

export interface Ended {
  readonly end: TurnEnd
  readonly report: RepairResult
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
    const [best] = found.patches
    assert(best !== undefined, 'a plausible outcome has a patch')
    if (found.question !== null) return await this.#ask(found, found.question)
    applyPatch(this.#options.cwd, best.diff, [])
    const confidence = { level: best.confidence, why: best.why }
    return { end: { outcome: 'done', text: told(found, best), confidence }, report: found }
  }

  /** Rivals: one question to a person. The answer picks the patch, and goes into the change as a test. */
  async #ask(found: RepairResult, question: RivalQuestion): Promise<Ended> {
    const asked = askedOf(found, question)
    this.#options.onEvent({ is: 'asked', question: asked })
    const answer = await this.#options.onQuestion(asked)
    if (this.#signal.aborted)
      return { end: { outcome: 'interrupted', text: 'The search was interrupted.' }, report: found }
    const [best] = found.patches
    assert(best !== undefined, 'a plausible outcome has a patch')
    // What nobody has said is no test: the best is kept, and it is said that nobody was asked.
    if (answer.unasked !== undefined || answer.isSystem === true || answer.text.trim() === '') {
      applyPatch(this.#options.cwd, best.diff, [])
      const why = `${best.why} Nobody was asked: ${question.text}`
      const text = `${told(found, best)}\nNobody was asked, so the likeliest patch was kept: ${question.text}`
      return { end: { outcome: 'done', text, confidence: { level: 'low', why } }, report: found }
    }
    const picked = answerRivals(found, answer.text)
    if (picked.is === 'none') {
      const text = `${picked.why} The question was: ${question.text}`
      return { end: { outcome: 'refused', text: `${text}\n${told(found, null)}` }, report: found }
    }
    applyPatch(this.#options.cwd, picked.diff, [])
    const { answer: value, chosen, confidence: level } = picked
    const why = `A person was asked. ${question.text} The answer was ${value}, and a test says so now. ${chosen.why}`
    const text = `${why}\n${picked.diff}`
    return { end: { outcome: 'done', text, confidence: { level, why } }, report: found }
  }

  async #search(task: EngineTask): Promise<RepairResult> {
    const started = performance.now()
    const { budgetSeconds, maxCandidates, workers, typecheck, tsc, progressFile, memory } = this.#settings
    const { slowSeconds, testTimeoutMs, sandbox, wallSeconds } = this.#settings
    const confirmed: { patch: Patch; run: CommandRun; ms: number }[] = []
    const result = await repair(
      {
        cwd: this.#options.cwd,
        testCommand: task.testCommand,
        failures: task.failures,
        env: this.#options.env,
        ...(budgetSeconds === undefined ? {} : { budgetSeconds }),
        ...(slowSeconds === undefined ? {} : { slowSeconds }),
        ...(maxCandidates === undefined ? {} : { maxCandidates }),
        ...(workers === undefined ? {} : { workers }),
        ...(typecheck === undefined ? {} : { typecheck }),
        ...(tsc === undefined ? {} : { tsc }),
        ...(memory === undefined ? {} : { memory }),
        ...(testTimeoutMs === undefined ? {} : { testTimeoutMs }),
        ...(wallSeconds === undefined ? {} : { wallSeconds }),
        times: this.#times(task),
        sandbox,
        progressFile: progressFile ?? null,
        onConfirmed: (patch, run, ms) => confirmed.push({ patch, run, ms }),
      },
      (progress) => this.#progress(progress),
      this.#signal,
    )
    this.#tell(task, result, started)
    for (const { patch, run, ms } of confirmed) {
      const input = `${task.testCommand ?? ''}\n${patch.diff}`
      const output = `${run.is}\n${run.tail}`
      this.#observe({ tool: 'validate', input, output, success: run.is === 'passed' }, performance.now() - ms)
    }
    this.#options.onEvent({ is: 'used', usage: { model: 'none', inputTokens: 0, outputTokens: 0, usd: 0 } })
    return result
  }

  /** Twice the time for each retry: of this run, of the item before it, and of whoever asked. */
  #times({ attempt, item }: EngineTask): number {
    const before = Math.max(0, (item?.fence ?? 1) - 1) + (this.#settings.retries ?? 0)
    return 2 ** Math.min(DOUBLINGS_MAX, attempt - 1 + before)
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
    const green = result.firstGreen === null ? [] : [`first green after ${result.firstGreen.candidates}`]
    const output = [result.reason, ...green, ...families].join('\n')
    const input = `${result.candidates} candidates`
    this.#observe({ tool: 'search', input, output, success: result.outcome === 'plausible' }, started)
  }

  #progress(progress: RepairProgress): void {
    const { stage, candidates, total, perSecond, green, best, secondsLeft } = progress
    if (best !== null) this.#settings.onGreen?.(best)
    if (stage === 'baseline') return
    const left = Math.max(
      0,
      Math.min(secondsLeft, perSecond > 0 ? (total - candidates) / perSecond : secondsLeft),
    )
    const text = `${candidates} of ${Math.max(candidates, total)} candidates, ${perSecond.toFixed(0)} a second, ${green} green, at most ${left.toFixed(0)} s to go`
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

/** By this a question about rivals is known among others. */
export const RIVALS_TAG = 'rival-patches'
const TITLE_MAX = 2_000
const SHOWN_MAX = 1_900
const INPUT_MAX = 8_000

function askedOf({ patches }: RepairResult, { text, input, options }: RivalQuestion): EngineQuestion {
  const labels = options.map(({ answer }) => answer.slice(0, 200))
  const choices = options.map(({ patch }, at) => ({
    label: labels[at] ?? '',
    description: (patches[patch]?.diff ?? '').slice(0, SHOWN_MAX),
  }))
  const [likeliest] = options.toSorted((a, b) => a.patch - b.patch)
  return {
    id: 'rivals',
    kind: 'choice',
    title: text.slice(0, TITLE_MAX),
    input: input.slice(0, INPUT_MAX),
    options: labels,
    detail: {
      type: 'blocking',
      blocking: true,
      context:
        'Patches that do different things make all tests pass. The answer picks one of them, and becomes a test in the same change.',
      choices,
      allowFreeText: true,
      defaultOption: likeliest?.answer.slice(0, 200) ?? labels[0] ?? '',
      tags: [RIVALS_TAG],
    },
  }
}

const asCode = (diff: string): string => `\n\`\`\`diff\n${diff.trimEnd()}\n\`\`\`\n`

/** The report that a person reads: what was done, how sure it is, what else there is; or what was looked at. */
function told(result: RepairResult, applied: Patch | null): string {
  const lines = [result.reason]
  if (applied !== null) {
    lines.push(
      `Applied (confidence ${applied.confidence}, ${applied.kind}): ${applied.why}`,
      asCode(applied.diff),
    )
    const others = result.patches.filter((patch) => patch !== applied).slice(0, 3)
    if (others.length > 0) lines.push('Other patches that pass:', ...others.map(({ diff }) => asCode(diff)))
    lines.push('Green tests are all that is known: the patch is plausible, not proven.')
    return lines.join('\n')
  }
  const [first] = result.suspicious
  if (first !== undefined) {
    const places = result.suspicious.slice(0, 5).map(({ file, line }) => `${file}:${line}`)
    lines.push(`Most suspicious: ${places.join(', ')}.`)
  }
  if (result.partial.length > 0) {
    lines.push('Edits that mended a part:', ...result.partial.slice(0, 3).map(({ diff }) => asCode(diff)))
  }
  return lines.join('\n')
}
