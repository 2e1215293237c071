// The check of other inputs: functions of the change are called with inputs near those of the tests. What holds for
// the tested ones alone waits.
import type { GateResult, Wait } from '@treadle/contracts/gate'
import type { CallOutcome } from '@treadle/contracts/inputs'
import type { CompareInputs, ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { isPython } from '../capability/head-files.ts'
import { concludeCheck } from '../check-report.ts'
import { type InputFacts, type InputFinding, judgeInputs } from '../inputs/judge-inputs.ts'
import { asPython } from '../inputs/python-inputs.ts'
import type { GateOptions } from '../tests.ts'
import { readHead } from './head.ts'
import { lookAtPython } from './inputs-in-python.ts'
import { lookAtScripts } from './inputs-in-scripts.ts'
import type { LookedInputs } from './looked-inputs.ts'
import { publicNames } from './public-names.ts'

const gate = 'other_inputs'

export async function checkInputs(
  options: GateOptions,
  request: ReviewChecksRequest,
  compare: CompareInputs,
): Promise<GateResult> {
  const startedAt = performance.now()
  const skip = (why: string): GateResult => ({ is: 'skipped', gate, why })
  if (request.config.inputs === 'off') return skip('gates.inputs is off')
  if (!isGreen(request.earlier)) return skip('the tests are not green as it is')
  const scripts = await lookAtScripts(request, compare)
  const python = await lookAtPython(options, request)
  if (request.signal?.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
  const looked = [scripts, python].filter((each) => each.is === 'looked')
  const broken = [scripts, python].find((each) => each.is === 'not_run')
  if (looked.length === 0 && broken !== undefined) return { is: 'not_run', gate, why: broken.why }
  if (looked.length === 0) return skip(whyNeither(request.changed, scripts, python))
  const waits: Wait[] = []
  const lines: string[] = []
  for (const facts of looked) {
    const findings = judgeInputs(facts)
    for (const each of findings) waits.push(await waitFor(request, each, facts))
    lines.push(...told(facts), ...findings.flatMap((each) => tableOf(each, facts)))
  }
  const warnings = broken === undefined ? [] : [`not all was called: ${broken.why}`]
  const cut = looked.filter(({ compared }) => compared.isCut).map(({ compared }) => cutWords(compared.search))
  const found = concludeCheck(options, {
    gate,
    startedAt,
    lines,
    failures: [],
    warnings: [...warnings, ...cut],
    waits,
  })
  if (cut.length === 0 || !('evidence' in found)) return found
  return { ...found, evidence: { ...found.evidence, searchCut: true } }
}

function cutWords(search: string): string {
  return `the clock ended the search for another patch, so nothing is said by its finding none: ${search}`
}

function whyNeither(changed: readonly string[], scripts: LookedInputs, python: LookedInputs): string {
  const reasons = [scripts, python].flatMap((each) => (each.is === 'skipped' ? [each.why] : []))
  const [ofScripts = '', ofPython = ''] = reasons
  return changed.some(isPython) ? ofPython : ofScripts
}

function isGreen(earlier: readonly GateResult[]): boolean {
  const runs = earlier.filter(({ gate: name }) => name === 'tests_pass' || name === 'no_regression')
  return runs.length > 0 && runs.every(({ is }) => is === 'passed' || is === 'passed_with_warnings')
}

function told({ plan: { calls, functions }, compared: { search, others } }: InputFacts): string[] {
  const inputs = functions.reduce((sum, each) => sum + each.inputs.length, 0)
  return [
    `${functions.length} function(s) with ${inputs} input(s) of tests, ${calls.length} calls in all`,
    `other patches: ${search}`,
    ...others.map(({ diff }, at) => `patch ${at + 1}:\n${diff.trimEnd()}`),
  ]
}

async function waitFor(
  { cwd }: ReviewChecksRequest,
  finding: InputFinding,
  answers: InputFacts,
): Promise<Wait> {
  const { file, name } = finding.function
  const line = lineOf(file, name, (await readHead(cwd, file)) ?? '')
  const rows = finding.shown.map((call) => rowOf(call, finding, answers)).join(' | ')
  const words = `${signWords(finding)}: ${rows}`
  const patch = finding.is === 'another' ? answers.compared.others[0]?.diff.trim() : undefined
  const another =
    patch === undefined || patch === '' ? {} : { another: { shows: rows, patch: patch.slice(0, PATCH_MAX) } }
  return { class: 'inputs', file, line, words, ...another }
}

const PATCH_MAX = 4_000

function signWords({ is, against }: InputFinding): string {
  if (is === 'learnt') return 'it seems to know the inputs of its tests alone'
  if (is === 'another') return 'another patch passes the tests and answers otherwise'
  return `${against?.words ?? ''} agrees with all tests that are written out, and answers otherwise`
}

function lineOf(file: string, name: string, text: string): number | null {
  const [first, last] = [name.split('.')[0], name.split('.').at(-1)]
  if (!isPython(file)) return publicNames(file, text)?.find((each) => each.name === first)?.line ?? null
  const at = text.split('\n').findIndex((line) => new RegExp(`^\\s*(?:async )?def ${last}\\b`).test(line))
  return at < 0 ? null : at + 1
}

function tableOf(finding: InputFinding, answers: InputFacts): string[] {
  const { file, name, inputs } = finding.function
  const calls = inputs.flatMap(({ call, near }) => [call, ...near])
  return [`${file}, ${name}:`, ...[...new Set(calls)].map((call) => `  ${rowOf(call, finding, answers)}`)]
}

const textMax = 60

function rowOf(
  call: number,
  { function: planned, against: rival }: InputFinding,
  answers: InputFacts,
): string {
  const { head, base } = answers.compared
  const isTested = planned.inputs.some((each) => each.call === call)
  const other = (rival?.outcomes ?? base)[call]
  const than = rival?.words ?? 'before'
  const against = other === undefined || other.is === 'none' ? '' : `, ${than}: ${wordsOf(other)}`
  return `${callOf(call, answers)} → ${wordsOf(head[call])}${against}${isTested ? ' (in a test)' : ''}`
}

/** A call as it would be written: `half(4)`, `Box(2).half(4)`. */
function callOf(call: number, { plan }: InputFacts): string {
  const { name = '', args = [], made } = plan.calls[call] ?? {}
  const listed = (some: readonly string[]): string => cut(some.map(asPython).join(', '))
  if (made === undefined) return `${name}(${listed(args)})`
  const [object = '', method = ''] = name.split('.')
  return `${object}(${listed(args.slice(0, made))}).${method}(${listed(args.slice(made))})`
}

function wordsOf(outcome: CallOutcome | undefined): string {
  if (outcome === undefined || outcome.is === 'none') return 'no answer'
  return outcome.is === 'threw' ? `throws ${cut(outcome.text)}` : cut(asPython(outcome.text))
}

function cut(text: string): string {
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text
}
