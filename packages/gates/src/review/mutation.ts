// The check of the tests' strength: faults are planted in the changed lines, and assertions are to notice them.
import type { GateResult } from '@treadle/contracts/gate'
import { BRANCH_PROBE, type Mutant, type Strength } from '@treadle/contracts/strength'
import type { MeasureStrength, ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { concludeCheck } from '../check-report.ts'
import type { GateOptions } from '../tests.ts'
import { changedLines } from './changed-lines.ts'
import { sortChange } from './changed-tests.ts'
import { readHead } from './head.ts'

const gate = 'mutation'

export async function checkMutation(
  options: GateOptions,
  request: ReviewChecksRequest,
  measure: MeasureStrength,
): Promise<GateResult> {
  const startedAt = performance.now()
  const { mutants, seconds, share } = request.config.mutation
  const { cwd, command, timeoutMs } = request
  if (mutants === 0) return { is: 'skipped', gate, why: 'gates.mutation.mutants is 0' }
  const lines = await linesOf(request)
  if (Object.keys(lines).length === 0)
    return { is: 'skipped', gate, why: 'no line of code was added or changed' }
  if (!areTestsGreen(request.earlier))
    return { is: 'not_run', gate, why: 'the tests are not green, so they can notice nothing' }
  const order = { cwd, command, lines, mutantsMax: mutants, budgetMs: seconds * 1_000, timeoutMs }
  const strength = await measureAll(request, order, measure)
  if (strength.is === 'not_run') return { is: 'not_run', gate, why: strength.why }
  const judged = judgeStrength(strength.mutants)
  if (judged.counted === 0 && faultsOf(strength).some(({ fate }) => fate !== 'broke'))
    return {
      is: 'not_run',
      gate,
      why: `of ${faultsOf(strength).length} planted fault(s) none could be judged`,
    }
  return conclude(options, { startedAt, strength, judged, share })
}

/** By the suite and, where that does not notice enough, by the item's own command too: what either notices counts. */
async function measureAll(
  { item: { testCommand: own }, config, signal }: ReviewChecksRequest,
  order: Parameters<MeasureStrength>[0],
  measure: MeasureStrength,
): Promise<Strength> {
  const bySuite = await measure(order, signal)
  if (own === null || own === order.command || signal?.aborted) return bySuite
  if (bySuite.is === 'measured' && isEnough(judgeStrength(bySuite.mutants), config.mutation.share))
    return bySuite
  const byOwn = await measure({ ...order, command: own, byCommandOnly: true }, signal)
  if (bySuite.is === 'not_run' || byOwn.is === 'not_run') return bySuite.is === 'not_run' ? byOwn : bySuite
  const noticed = new Map(
    byOwn.mutants.filter(({ fate }) => fate === 'killed').map((mutant) => [keyOf(mutant), mutant]),
  )
  return { ...bySuite, mutants: bySuite.mutants.map((mutant) => noticed.get(keyOf(mutant)) ?? mutant) }
}

const keyOf = ({ file, line, before, after }: Mutant) => JSON.stringify([file, line, before, after])

async function linesOf(request: ReviewChecksRequest): Promise<Record<string, number[]>> {
  const lines: Record<string, number[]> = {}
  for (const path of sortChange(request.changed).code) {
    const after = await readHead(request.cwd, path)
    if (after === null) continue
    const own = changedLines(await request.readBase(path), after)
    if (own.length > 0) lines[path] = own
  }
  return lines
}

function areTestsGreen(earlier: readonly GateResult[]): boolean {
  const tests = earlier.filter(({ gate: name }) => name === 'tests_pass' || name === 'no_regression')
  return tests.length > 0 && tests.every(({ is }) => is === 'passed' || is === 'passed_with_warnings')
}

function faultsOf({ mutants }: Extract<Strength, { is: 'measured' }>): Mutant[] {
  return mutants.filter(({ operator }) => operator !== BRANCH_PROBE)
}

export interface StrengthVerdict {
  /** Branches that no test takes. */
  readonly untaken: readonly Mutant[]
  readonly killed: number
  readonly survived: readonly Mutant[]
  /** Killed or survived: what broke by itself or did not end says nothing of the assertions. */
  readonly counted: number
  /** Rounded down. */
  readonly percent: number
}

export function judgeStrength(all: readonly Mutant[]): StrengthVerdict {
  const mutants = all.filter(({ operator }) => operator !== BRANCH_PROBE)
  const untaken = all.filter(({ operator, fate }) => operator === BRANCH_PROBE && fate === 'survived')
  const killed = mutants.filter(({ fate }) => fate === 'killed').length
  const survived = mutants.filter(({ fate }) => fate === 'survived')
  const counted = killed + survived.length
  return {
    untaken,
    killed,
    survived,
    counted,
    percent: counted === 0 ? 0 : Math.floor((killed / counted) * 100),
  }
}

function isEnough({ killed, counted }: StrengthVerdict, share: number): boolean {
  return counted > 0 && killed * 100 >= share * counted
}

interface Facts {
  readonly startedAt: number
  readonly strength: Extract<Strength, { is: 'measured' }>
  readonly judged: StrengthVerdict
  readonly share: number
}

function conclude(options: GateOptions, { startedAt, strength, judged, share }: Facts): GateResult {
  const { killed, survived, counted, percent, untaken } = judged
  const enough = isEnough(judged, share)
  // Where every fault broke the program by itself, no assertion has noticed one.
  const planted = counted === 0 ? faultsOf(strength).length : counted
  const told = `assertions noticed ${killed} of ${planted} planted faults (${percent} %), ${share} % are asked for`
  const ran = strength.mutants.some(({ fate }) => fate === 'killed' || fate === 'broke')
  const found = concludeCheck(options, {
    gate,
    startedAt,
    lines: [],
    document: JSON.stringify({ asked: share, percent, ...strength }, null, 2),
    failures: [],
    warnings: [
      ...(enough ? [] : [told, ...survived.map(describe)]),
      ...untaken.map(({ file, line, before }) => `${file}:${line}: no test takes this branch: ${before}`),
    ],
  })
  if (!('evidence' in found)) return found
  const branches = untaken.length === 0 ? {} : { untaken: untaken.length }
  return {
    ...found,
    evidence: { ...found.evidence, strength: { noticed: killed, planted, ran, ...branches } },
  }
}

function describe({ file, line, before, after }: Mutant): string {
  const now = after === '' ? 'it was deleted' : `it became ${after}`
  return `${file}:${line}: no test noticed when ${before} was changed: ${now}`
}
