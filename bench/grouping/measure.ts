// Puts known faults into projects with real suites, runs them, and asks each method for groups.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestFailure } from '@treadle/contracts/gate'
import { groupFailures } from '@treadle/flow/verify/failure/group'
import { openGates } from '@treadle/gates/gates'
import { unconfined } from '@treadle/gates/run-command'
import { env as toolEnv } from '../../tools/env.ts'
import { nodeModules } from '../repair/materialise.ts'
import { type Fault, faultsOf, type Side } from './faults.ts'
import { commands, type Outcome, type Project, runProjects } from './project.ts'
import { drawScenarios, editsIn, type Scenario } from './scenarios.ts'
import { type Judged, type Method, type Score, scoreOf } from './score.ts'

export type Section = {
  readonly side: Side
  readonly spread: Scenario['spread'] | 'all'
  readonly rows: readonly { readonly method: Method; readonly score: Score }[]
  /** Failing tests that more than one of the faults breaks alone. */
  readonly severalCauses: number
  /** Scenarios in which more than one test failed, and those of them whose tests could be watched in time. */
  readonly toWatch: number
  readonly watched: number
}

export type Draw = {
  readonly sides: readonly Side[]
  /** Scenarios for each number of faults. */
  readonly perCount: number
  /** Another one puts others together, and picks others of the faults made by rule. */
  readonly seed: string
}

export async function measure(draw: Draw): Promise<Section[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-grouping-')))
  try {
    const sections: Section[] = []
    for (const side of draw.sides) {
      const judged = await measureSide(root, side, draw)
      for (const spread of ['all', 'close', 'far'] as const) {
        const some = judged.filter(({ scenario }) => spread === 'all' || scenario.spread === spread)
        sections.push(sectionOf(side, spread, some))
      }
    }
    return sections
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function measureSide(root: string, side: Side, { seed, perCount }: Draw): Promise<Judgement[]> {
  const draw = { side, seed, perCount }
  const all = faultsOf(side, seed)
  // A slip made by rule may change nothing that a test sees, or never end; then it is not drawn.
  const isMade = side === 'made' || side === 'fresh'
  const tried = isMade ? all : [...new Set(drawScenarios(all, draw).flatMap(({ faults }) => faults))]
  const alone = await runProjects(root, tried.map(aloneProject))
  const broken = new Map(tried.map((fault) => [fault.id, idsIn(alone.get(aloneName(fault)))]))
  const seen = isMade ? all.filter(({ id }) => (broken.get(id)?.size ?? 0) > 0) : all
  const scenarios = drawScenarios(seen, draw)
  const outcomes = await runProjects(root, scenarios.map(toProject))
  const judged: Judgement[] = []
  for (const scenario of scenarios) {
    const outcome = outcomes.get(scenario.id)
    if (outcome && !outcome.hung) judged.push(await judge({ root, scenario, outcome, broken }))
  }
  return judged
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

function idsIn(outcome: Outcome | undefined): Set<string> {
  return new Set(outcome?.failures.map(({ id }) => id))
}

type Judgement = {
  readonly scenario: Scenario
  readonly causes: readonly ReadonlySet<string>[]
  readonly groups: ReadonlyMap<Method, readonly (string | number)[]>
  readonly isWatched: boolean
}

type Run = {
  readonly root: string
  readonly scenario: Scenario
  readonly outcome: Outcome
  readonly broken: ReadonlyMap<string, ReadonlySet<string>>
}

async function judge({ root, scenario, outcome, broken }: Run): Promise<Judgement> {
  const { failures, folder, tookMs } = outcome
  const causes = failures.map(({ id }) => {
    const own = scenario.faults.filter((fault) => broken.get(fault.id)?.has(id)).map((fault) => fault.id)
    // Two faults together may break a test that neither breaks alone; then it belongs to the two.
    return new Set(own.length > 0 ? own : [scenario.faults.map((fault) => fault.id).join(' + ')])
  })
  const gates = openGates({
    evidenceDir: join(root, 'state', 'evidence'),
    env: { PATH: `${join(nodeModules, '.bin')}:${dirname(process.execPath)}:${toolEnv.path}`, HOME: root },
    tailBytes: 4_096,
    surroundings: unconfined('fixtures of ours'),
    trace: true,
  })
  const read = await gates.hints({ cwd: folder, failures })
  const run = { command: commands[scenario.runner], timeoutMs: 60_000, tookMs }
  const seen = await gates.hints({ cwd: folder, failures, run })
  const groups = new Map<Method, (string | number)[]>([
    ['one job per test', failures.map((_, at) => at)],
    ['exact message', failures.map(({ message }) => message)],
    ['ours, no sources', placesOf(failures, groupFailures(failures))],
    ['ours, not watched', placesOf(failures, groupFailures(failures, read))],
    ['ours', placesOf(failures, groupFailures(failures, seen))],
  ])
  return { scenario, causes, groups, isWatched: seen.parts !== undefined }
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
  const methods = [...(judged[0]?.groups.keys() ?? [])]
  const rows = methods.map((method) => {
    const cases = judged.map(({ scenario, causes, groups }): Judged => {
      return { causes, groups: groups.get(method) ?? [], faults: scenario.faults.length }
    })
    return { method, score: scoreOf(cases) }
  })
  const severalCauses = judged.flatMap(({ causes }) => causes.filter(({ size }) => size > 1)).length
  const toWatch = judged.filter(({ causes }) => causes.length > 1)
  const watched = toWatch.filter(({ isWatched }) => isWatched).length
  return { side, spread, rows, severalCauses, toWatch: toWatch.length, watched }
}
