// How thoroughly a change is validated: which gates run at which level, as a table. Pure.
import { z } from 'zod'
import type { GateName } from './gate.ts'

export const ValidationLevel = z.enum(['quick', 'standard', 'thorough', 'comprehensive', 'release'])
export type ValidationLevel = z.infer<typeof ValidationLevel>

/** What each level adds to the one before it, and about how long it is meant to take. */
export const LEVEL_WORDS: Readonly<
  Record<ValidationLevel, { readonly takes: string; readonly adds: string }>
> = {
  quick: { takes: '30s', adds: 'syntax, types, lint' },
  standard: { takes: '2m', adds: 'coverage by unit tests, documentation' },
  thorough: { takes: '10m', adds: 'edge cases: other inputs, other conditions' },
  comprehensive: { takes: '30m', adds: 'security, strength of the tests' },
  release: { takes: '2h', adds: 'full regression: each task of a build is checked as the whole is' },
}

/** From which level on a gate runs. Always: what keeps a lie from being merged is no matter of thoroughness. */
export const GATE_FROM: Readonly<Record<GateName, ValidationLevel | 'always'>> = {
  tests_pass: 'always',
  no_regression: 'always',
  build_pass: 'always',
  secrets: 'always',
  test_integrity: 'always',
  capabilities: 'always',
  tasks_kept: 'always',
  new_packages: 'always',
  witness: 'always',
  loads: 'always',
  assertions: 'always',
  linter_pass: 'quick',
  coverage_pass: 'standard',
  documentation: 'standard',
  other_inputs: 'thorough',
  other_conditions: 'thorough',
  security: 'comprehensive',
  mutation: 'comprehensive',
}

const ORDER = ValidationLevel.options

/** Why a gate is left out at a level; null: it runs, as the other settings say. Without a level everything does. */
export function leftOutAt(gate: GateName, level: ValidationLevel | null | undefined): string | null {
  const from = GATE_FROM[gate]
  if (level == null || from === 'always' || ORDER.indexOf(level) >= ORDER.indexOf(from)) return null
  return `not looked at by the validation level ${level}; from ${from} on it is`
}

/** Whether each task of a build is checked as its whole is. */
export function checksTasksInFull(level: ValidationLevel | null | undefined): boolean {
  return level === 'release'
}
