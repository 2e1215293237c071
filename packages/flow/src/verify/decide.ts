// Did the change do its job without breaking what worked? Compared with what the base already failed.
import { type GateResult, gatesGreen } from '@treadle/contracts/gate'
import { GATE_WORDS } from '@treadle/contracts/words/gates'

/** The whole suite may fail only where it failed before the change. */
export function judgeRegression(now: GateResult, before: GateResult | null): GateResult {
  const gate = 'no_regression'
  if (now.is === 'not_run' || now.is === 'skipped') return { ...now, gate }
  if (now.is !== 'failed') return { ...now, gate }
  const known = new Set(before?.is === 'failed' ? before.failures.map((failure) => failure.id) : [])
  const fresh = now.failures.filter((failure) => !known.has(failure.id))
  const [first, ...rest] = fresh
  // Without a readable report nothing can be compared, and what cannot be compared is not excused.
  if (first !== undefined || now.evidence.report === null || now.evidence.report.format === 'none') {
    return { ...now, gate, failures: first === undefined ? now.failures : [first, ...rest] }
  }
  return {
    is: 'passed_with_warnings',
    gate,
    evidence: now.evidence,
    warnings: [`${now.failures.length} test(s) fail as they did before this change`],
  }
}

export type VerifyChoice = { readonly is: 'deliver' } | { readonly is: 'fail'; readonly why: string }

export function decideVerify(facts: { gates: readonly GateResult[]; changedFiles: number }): VerifyChoice {
  if (facts.changedFiles === 0) return { is: 'fail', why: 'the engine changed nothing' }
  if (gatesGreen(facts.gates)) return { is: 'deliver' }
  return { is: 'fail', why: facts.gates.flatMap(complaint).join('; ').slice(0, 4_000) }
}

function complaint(gate: GateResult): string[] {
  switch (gate.is) {
    case 'failed':
      return [
        `${GATE_WORDS[gate.gate]}: ${gate.failures.length} failed, first: ${gate.failures[0]?.id ?? 'unknown'}: ${firstLine(gate.failures[0]?.message)}`,
      ]
    case 'not_run':
      return [`${GATE_WORDS[gate.gate]} did not run: ${gate.why}`]
    default:
      return []
  }
}

function firstLine(text: string | undefined): string {
  return (text ?? '').split('\n', 1)[0] ?? ''
}
