// Facts for tests: one item and one config, to be changed where a test needs it.
import { Config } from '@treadle/contracts/config'
import type { GateResult } from '@treadle/contracts/gate'
import { blankItem, type Item } from '@treadle/contracts/item'

export const NOW = new Date('2026-01-02T03:04:05.000Z')
export const COMMIT = 'a'.repeat(40)
export const RUN = '00000000-0000-4000-8000-000000000001'

export function sampleItem(changes: Partial<Item> = {}): Item {
  return blankItem({ number: 7, title: 'Mend the pump', createdAt: NOW.toISOString(), ...changes })
}

export function sampleConfig(changes: object = {}): Config {
  return Config.parse(changes)
}

const evidence = {
  command: 'npm test',
  exitCode: 0,
  signal: null,
  timedOut: false,
  durationMs: 1,
  output: '0'.repeat(64),
  outputBytes: 0,
  tail: '',
  report: { format: 'tap' as const, total: 1, passed: 1, failed: 0, skipped: 0, failures: [], warnings: [] },
}

export function green(gate: GateResult['gate'] = 'tests_pass'): GateResult {
  return { is: 'passed', gate, evidence }
}

export function red(gate: GateResult['gate'] = 'tests_pass', ids: readonly string[] = ['adds']): GateResult {
  const failures = ids.map((id) => ({
    id,
    file: null,
    line: null,
    message: 'expected 1 to be 2',
    stack: null,
  }))
  return {
    is: 'failed',
    gate,
    failures,
    evidence: {
      ...evidence,
      exitCode: 1,
      report: { ...evidence.report, total: ids.length, passed: 0, failed: ids.length, failures },
    },
  }
}
