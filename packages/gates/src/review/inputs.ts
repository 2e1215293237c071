// The check of other inputs: functions of the change are called with inputs near those of the tests. What holds for
// the tested ones alone waits.
import type { GateResult, Wait } from '@treadle/contracts/gate'
import type { CallOutcome, InputsCompared } from '@treadle/contracts/inputs'
import type { CompareInputs, ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { concludeCheck } from '../check-report.ts'
import { type InputFinding, judgeInputs } from '../inputs/judge-inputs.ts'
import { type CallPlan, planCalls } from '../inputs/plan-calls.ts'
import { type TextChange, Written } from '../inputs/written-in.ts'
import { isScript } from '../integrity/test-conventions.ts'
import type { GateOptions } from '../tests.ts'
import { sortChange } from './changed-tests.ts'
import { readHead } from './head.ts'
import { publicNames } from './public-names.ts'
import { testedFunctions } from './tested-functions.ts'

const gate = 'other_inputs'
const searchMsMin = 6_000
const searchMsMax = 15_000
/** The tests of the base are run before anything is tried, and a busy machine is slow in both. */
const slower = 3
const budgetMs = 60_000

export async function checkInputs(
  options: GateOptions,
  request: ReviewChecksRequest,
  compare: CompareInputs,
): Promise<GateResult> {
  const startedAt = performance.now()
  const skip = (why: string): GateResult => ({ is: 'skipped', gate, why })
  if (request.config.inputs === 'off') return skip('gates.inputs is off')
  const took = greenMs(request.earlier)
  if (took === null) return skip('the tests are not green as it is')
  const changes = await changedTexts(request)
  if (!changes.some(({ path }) => isScript(path))) return skip('no JavaScript or TypeScript was changed')
  const { functions, impure } = await testedFunctions(request)
  if (functions.length === 0) return skip(whyNone(impure))
  const written = new Written(changes)
  const plan = planCalls(functions, written)
  const order = {
    cwd: request.cwd,
    base: Object.fromEntries(changes.map(({ path, before }) => [path, before])),
    calls: [...plan.calls],
    searchMs: Math.round(Math.min(searchMsMax, Math.max(searchMsMin, slower * took))),
    budgetMs,
  }
  const compared = await compare(order, request.signal)
  if (request.signal?.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
  if (compared.is === 'not_run') return { is: 'not_run', gate, why: compared.why }
  const findings = judgeInputs({ plan, compared, written })
  const waits = await Promise.all(findings.map((each) => waitFor(request, each, { plan, compared })))
  const lines = [...told(plan, compared), ...findings.flatMap((each) => tableOf(each, { plan, compared }))]
  return concludeCheck(options, { gate, startedAt, lines, failures: [], warnings: [], waits })
}

/** How long the tests took that are green; null: they are not. */
function greenMs(earlier: readonly GateResult[]): number | null {
  const runs = earlier.filter(({ gate: name }) => name === 'tests_pass' || name === 'no_regression')
  const isGreen = runs.length > 0 && runs.every(({ is }) => is === 'passed' || is === 'passed_with_warnings')
  return isGreen ? Math.max(...runs.map((run) => ('evidence' in run ? run.evidence.durationMs : 0))) : null
}

function whyNone(impure: ReadonlyMap<string, string>): string {
  const [first] = impure
  const none = 'no test calls a function of the change with inputs that are written out'
  return first === undefined ? none : `${first[0]} reaches for more than its arguments: ${first[1]}`
}

/** The changed code and data, not the tests. */
async function changedTexts({ cwd, changed, readBase }: ReviewChecksRequest): Promise<TextChange[]> {
  const paths = sortChange(changed).code.filter((path) => isScript(path) || path.endsWith('.json'))
  return Promise.all(
    paths.map(async (path) => ({ path, before: await readBase(path), after: await readHead(cwd, path) })),
  )
}

interface Answers {
  readonly plan: CallPlan
  readonly compared: Extract<InputsCompared, { is: 'compared' }>
}

function told({ calls, functions }: CallPlan, { search, others }: Answers['compared']): string[] {
  const inputs = functions.reduce((sum, each) => sum + each.inputs.length, 0)
  return [
    `${functions.length} function(s) with ${inputs} input(s) of tests, ${calls.length} calls in all`,
    `other patches: ${search}`,
    ...others.map(({ diff }, at) => `patch ${at + 1}:\n${diff.trimEnd()}`),
  ]
}

async function waitFor({ cwd }: ReviewChecksRequest, finding: InputFinding, answers: Answers): Promise<Wait> {
  const { file, name } = finding.function
  const text = (await readHead(cwd, file)) ?? ''
  const line = publicNames(file, text)?.find((each) => each.name === name)?.line ?? null
  const rows = finding.shown.map((call) => rowOf(call, finding, answers)).join(' | ')
  const words =
    finding.is === 'learnt'
      ? `it seems to know the inputs of its tests alone: ${rows}`
      : `another patch passes the tests and answers otherwise: ${rows}`
  return { class: 'inputs', file, line, words }
}

function tableOf(finding: InputFinding, answers: Answers): string[] {
  const { file, name, inputs } = finding.function
  const calls = inputs.flatMap(({ call, near }) => [call, ...near])
  return [`${file}, ${name}:`, ...[...new Set(calls)].map((call) => `  ${rowOf(call, finding, answers)}`)]
}

const textMax = 60

function rowOf(call: number, { function: { name, inputs }, patch }: InputFinding, answers: Answers): string {
  const { plan, compared } = answers
  const { head, base, others } = compared
  const args = plan.calls[call]?.args.join(', ') ?? ''
  const isTested = inputs.some((each) => each.call === call)
  const other = patch === null ? base[call] : others[patch]?.outcomes[call]
  const than = patch === null ? 'before' : 'the other patch'
  const against = other === undefined || other.is === 'none' ? '' : `, ${than}: ${wordsOf(other)}`
  return `${name}(${cut(args)}) → ${wordsOf(head[call])}${against}${isTested ? ' (in a test)' : ''}`
}

function wordsOf(outcome: CallOutcome | undefined): string {
  if (outcome === undefined || outcome.is === 'none') return 'no answer'
  return outcome.is === 'threw' ? `throws ${cut(outcome.text)}` : cut(outcome.text)
}

function cut(text: string): string {
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text
}
