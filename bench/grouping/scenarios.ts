// Which faults are put in together: drawn by seed, half of the time close together in one or two modules.
import { drawOrder } from '../repair/draw.ts'
import { programNames, type Runner, runnerOf, sourcesOf } from '../repair/materialise.ts'
import type { Fault, Side } from './faults.ts'

export type Scenario = {
  readonly id: string
  readonly side: Side
  readonly runner: Runner
  /** Close: the faults share as few modules as the set has; far: any modules. */
  readonly spread: 'close' | 'far'
  readonly faults: readonly Fault[]
  readonly programs: readonly string[]
}

const faultsMax = 4
const bystanders = 1

/** From the faults of one side; another seed puts others together. */
export function drawScenarios(
  faults: readonly Fault[],
  { side, seed, perCount }: { side: Side; seed: string; perCount: number },
): Scenario[] {
  const scenarios: Scenario[] = []
  for (let count = 1; count <= faultsMax; count += 1) {
    for (let at = 0; at < perCount; at += 1) {
      const id = `${side}${seed}-${count}-${at}`
      const runner: Runner = at % 2 === 0 ? 'node' : 'vitest'
      const spread = at % 4 < 2 ? 'close' : 'far'
      const pool = drawOrder(
        id,
        faults.filter((fault) => fault.runner === runner),
        (fault) => fault.id,
      )
      const chosen = choose(spread === 'close' ? closeFirst(pool) : pool, count)
      scenarios.push({ id, side, runner, spread, faults: chosen, programs: programsOf(id, runner, chosen) })
    }
  }
  return scenarios
}

/** All faults of the module of the first, then those of the next module. */
function closeFirst(pool: readonly Fault[]): Fault[] {
  const programs = [...new Set(pool.map(({ program }) => program))]
  return programs.flatMap((program) => pool.filter((fault) => fault.program === program))
}

/** Faults whose edits stand in each other's way are not put together. */
function choose(pool: readonly Fault[], count: number): Fault[] {
  const chosen: Fault[] = []
  for (const fault of pool) {
    if (chosen.length < count && goTogether([...chosen, fault])) chosen.push(fault)
  }
  return chosen
}

function goTogether(faults: readonly Fault[]): boolean {
  try {
    for (const { program } of faults) {
      sourcesOf(program, editsIn(faults, program))
    }
    return true
  } catch {
    return false
  }
}

export function editsIn(faults: readonly Fault[], program: string) {
  return faults.filter((fault) => fault.program === program).map(({ edit }) => edit)
}

function programsOf(id: string, runner: Runner, faults: readonly Fault[]): string[] {
  const touched = [...new Set(faults.map(({ program }) => program))]
  const others = programNames().filter((name) => runnerOf(name) === runner && !touched.includes(name))
  return [...touched, ...drawOrder(id, others, (name) => name).slice(0, bystanders)].sort()
}
