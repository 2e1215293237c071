// Both flows on the same failures with the same luck, many times.
import assert from 'node:assert/strict'
import { workOn } from '@treadle/agent/work'
import { drawNumber, drawOrder } from '../repair/draw.ts'
import { type Chances, type Reach, ScriptedEngine, type Tree } from './engine.ts'
import { runLoopV2, type TestCalls } from './loop-v2.ts'
import type { Project } from './project.ts'
import type { Scenario } from './scenarios.ts'
import { benchOf, hasFailures, heldItem, PLACE } from './world.ts'

export interface Setting {
  readonly chances: Chances
  readonly reach: Reach
}

/** One run of a flow. */
interface Tally {
  readonly calls: number
  readonly fixes: number
  /** Fixes for the cause that breaks most tests. */
  readonly sharedFixes: number
  /** Fixes for what was mended already. */
  readonly idleFixes: number
  readonly testsRun: number
  /** Tests that pass in what the flow leaves behind. */
  readonly passing: number
}
export interface SeedTally extends Tally {
  readonly marked: number
  readonly otherPrompts: number
  readonly kinds: Readonly<TestCalls>
}
export interface OurTally extends Tally {
  readonly suiteRuns: number
  readonly givenUp: boolean
  /** Tests that passed in the last run before the end, delivered or not. */
  readonly passingLast: number
}

export interface Pair {
  readonly seed004: SeedTally
  readonly ours: OurTally
}

interface Round {
  readonly project: Project
  readonly scenario: Scenario
  readonly setting: Setting
  readonly brokenBy: ReadonlyMap<string, string>
  readonly shared: string | null
  readonly tests: readonly string[]
  readonly seed: string
}

export async function measure(
  project: Project,
  scenario: Scenario,
  { setting, seeds }: { setting: Setting; seeds: number },
): Promise<Pair[]> {
  const brokenBy = await project.brokenBy(scenario)
  const { total } = await project.state(scenario, new Set())
  const green = Array.from({ length: total - brokenBy.size }, (_, at) => `green ${at}`)
  const tests = [...brokenBy.keys(), ...green]
  const shared = mostCommon([...brokenBy.values()])
  const pairs: Pair[] = []
  for (let at = 0; at < seeds; at += 1) {
    const seed = `loop economy ${at}`
    const round = { project, scenario, setting, brokenBy, shared, tests, seed }
    pairs.push({ seed004: seedRound(round), ours: await ourRound(round) })
  }
  return pairs
}

function mostCommon(causes: readonly string[]): string | null {
  const groups = [...Map.groupBy(causes, (cause) => cause).values()]
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0] ?? null
}

function engineFor({ scenario, setting, seed }: Round): { tree: Tree; engine: ScriptedEngine } {
  const tree: Tree = { left: new Set(scenario.causes.map(({ id }) => id)), edits: 0 }
  const engine = new ScriptedEngine({ ...setting, tree, luck: (key) => drawNumber(seed, key) })
  return { tree, engine }
}

function fixesOf(engine: ScriptedEngine, shared: string | null) {
  const sharedFixes = shared === null ? 0 : (engine.askedAbout.get(shared) ?? 0)
  return { fixes: engine.calls, sharedFixes, idleFixes: engine.idle }
}

function passingIn({ tests, brokenBy }: Round, tree: Tree): number {
  return tests.filter((test) => !tree.left.has(brokenBy.get(test) ?? '')).length
}

function seedRound(round: Round): SeedTally {
  const { scenario, brokenBy, shared, seed } = round
  const { tree, engine } = engineFor(round)
  let thrown = 0
  const dice = () => drawNumber(seed, `spot ${thrown++}`)
  const tests = drawOrder(seed, round.tests, (test) => test)
  const end = runLoopV2({ tests, brokenBy, tree, engine, limits: scenario.limits, dice })
  const { run, fix, again, regression, spot, sweep } = end.calls
  assert(fix === engine.calls, 'every fix is a call')
  const testsRun = run + again + regression + spot + sweep
  return {
    calls: testsRun + fix,
    ...fixesOf(engine, shared),
    testsRun,
    passing: passingIn(round, tree),
    marked: end.marked,
    otherPrompts: end.otherPrompts,
    kinds: end.calls,
  }
}

async function ourRound(round: Round): Promise<OurTally> {
  const { project, scenario, brokenBy, shared } = round
  const { tree, engine } = engineFor(round)
  let suiteRuns = 0
  let testsRun = 0
  let passingLast = 0
  const bench = benchOf({
    project,
    scenario,
    brokenBy,
    tree,
    engine,
    onTests: ({ total, failing }) => {
      suiteRuns += 1
      testsRun += total
      passingLast = total - failing.length
    },
  })
  const worked = await workOn(bench, heldItem(), {
    workingCopy: PLACE,
    signal: new AbortController().signal,
    isEnough: (baseline) => (hasFailures(baseline) ? null : 'no test fails'),
  })
  assert(worked.is === 'ended', 'nobody stops this agent')
  return {
    calls: engine.calls,
    ...fixesOf(engine, shared),
    testsRun,
    passing: passingIn(round, tree),
    suiteRuns,
    passingLast,
    givenUp: worked.item.state === 'escalated',
  }
}
