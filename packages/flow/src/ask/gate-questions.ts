// Which events of the catalogue the results of gates are.
import type { GateResult } from '@treadle/contracts/gate'

export interface GateTrigger {
  readonly agent: 'validation'
  readonly event: 'coverage_below_threshold'
  readonly facts: Readonly<Record<string, string | number | readonly string[]>>
}

const COVERED = /^(?<coverage>\d+(?:\.\d+)?) % of lines are covered \((?<covered>\d+) of (?<total>\d+)\)/

export function triggersOf(gates: readonly GateResult[], threshold: number | null): GateTrigger[] {
  const short = gates.find(({ is, gate }) => is === 'failed' && gate === 'coverage_pass')
  if (threshold === null || short?.is !== 'failed') return []
  for (const { message } of short.failures) {
    const { coverage, covered, total } = COVERED.exec(message)?.groups ?? {}
    if (coverage === undefined) continue
    const left = `${Number(total) - Number(covered)} of ${total} lines`
    const facts = { coverage: Number(coverage), threshold, uncovered_list: [left] }
    return [{ agent: 'validation', event: 'coverage_below_threshold', facts }]
  }
  return []
}
