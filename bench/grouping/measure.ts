// Puts known faults into projects with real suites, runs them, and asks each method for groups.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestFailure } from '@treadle/contracts/gate'
import { groupFailures } from '@treadle/flow/failure/group'
import { readFailureHints } from '@treadle/gates/failure-hints'
import { allFaults, type Fault, type Side } from './faults.ts'
import { type Outcome, type Project, runProjects } from './project.ts'
import { drawScenarios, editsIn, type Scenario } from './scenarios.ts'
import { type Judged, type Method, type Score, scoreOf } from './score.ts'

export type Section = {
  readonly side: Side
  readonly spread: Scenario['spread'] | 'all'
  readonly rows: readonly { readonly method: Method; readonly score: Score }[]
  /** Failing tests that more than one of the faults breaks alone. */
  readonly severalCauses: number
}

const methods: readonly Method[] = ['one job per test', 'exact message', 'ours, no sources', 'ours']

export async function measure(sides: readonly Side[], perCount: number): Promise<Section[]> {
  const faults = allFaults()
  const scenarios = sides.flatMap((side) => drawScenarios(faults, side, perCount))
  const used = [...new Set(scenarios.flatMap((scenario) => scenario.faults))]
  const root = mkdtempSync(join(tmpdir(), 'treadle-grouping-'))
  try {
    const outcomes = await runProjects(root, [...used.map(aloneProject), ...scenarios.map(toProject)])
    const alone = new Map(used.map((fault) => [fault.id, new Set(idsIn(outcomes.get(aloneName(fault))))]))
    const judged = scenarios.map((scenario) => judge(scenario, outcomes.get(scenario.id), alone))
    return sides.flatMap((side) =>
      (['all', 'close', 'far'] as const).map((spread) => {
        return sectionOf(
          side,
          spread,
          judged.filter(({ scenario }) => {
            return scenario.side === side && (spread === 'all' || scenario.spread === spread)
          }),
        )
      }),
    )
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function aloneName({ id }: Fault): string {
  return `alone-${id}`
}

function aloneProject(fault: Fault): Project {
  const { runner, program, edit } = fault
  return { name: aloneName(fault), runner, modules: new Map([[program, [edit]]]) }
}

function toProject({ id, runner, programs, faults }: Scenario): Project {
  const modules = programs.map((program) => [program, editsIn(faults, program)] as const)
  return { name: id, runner, modules: new Map(modules) }
}

function idsIn(outcome: Outcome | undefined): string[] {
  const ids = outcome?.failures.map(({ id }) => id) ?? []
  if (ids.length === 0) throw new Error('a fault breaks no test: the set is not what it says')
  return ids
}

type Judgement = {
  readonly scenario: Scenario
  readonly causes: readonly ReadonlySet<string>[]
  readonly groups: ReadonlyMap<Method, readonly (string | number)[]>
}

function judge(
  scenario: Scenario,
  outcome: Outcome | undefined,
  alone: ReadonlyMap<string, ReadonlySet<string>>,
): Judgement {
  if (outcome === undefined) throw new Error(`${scenario.id} was not run`)
  const { failures, folder } = outcome
  const causes = failures.map(({ id }) => {
    const own = scenario.faults.filter((fault) => alone.get(fault.id)?.has(id)).map((fault) => fault.id)
    // Two faults together may break a test that neither breaks alone; then it belongs to the two.
    return new Set(own.length > 0 ? own : [scenario.faults.map((fault) => fault.id).join(' + ')])
  })
  const groups = new Map<Method, (string | number)[]>([
    ['one job per test', failures.map((_, at) => at)],
    ['exact message', failures.map(({ message }) => message)],
    ['ours, no sources', placesOf(failures, groupFailures(failures))],
    ['ours', placesOf(failures, groupFailures(failures, readFailureHints(folder, failures)))],
  ])
  return { scenario, causes, groups }
}

function placesOf(
  failures: readonly TestFailure[],
  groups: readonly { id: string; failures: readonly TestFailure[] }[],
): string[] {
  const ids = new Map(
    groups.flatMap((group) => group.failures.map((failure) => [failure, group.id] as const)),
  )
  return failures.map((failure) => ids.get(failure) ?? 'lost')
}

function sectionOf(side: Side, spread: Section['spread'], judged: readonly Judgement[]): Section {
  const rows = methods.map((method) => {
    const cases = judged.map(({ scenario, causes, groups }): Judged => {
      return { causes, groups: groups.get(method) ?? [], faults: scenario.faults.length }
    })
    return { method, score: scoreOf(cases) }
  })
  const severalCauses = judged.flatMap(({ causes }) => causes.filter(({ size }) => size > 1)).length
  return { side, spread, rows, severalCauses }
}
