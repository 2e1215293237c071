// Says whether a green patch is right, and by what that is known. Green tests alone are no proof.
import { isTestFile, isTestPath, listSources } from '@treadle/repair/project/files'
import { applyPatch } from '@treadle/repair/validate'
import { type ChangedCopy, changeInputs } from './changed-inputs.ts'
import { findHeldOut, type HeldOut, type HeldOutSearch } from './held-out.ts'
import { textAt } from './history.ts'
import { testsNamedAfter } from './mine.ts'
import { runTests, type TestOutcome } from './run-tests.ts'
import { programOf } from './same-program.ts'

export interface Judgement {
  readonly verdict: 'correct' | 'wrong' | 'not_judged'
  readonly by:
    | 'identical'
    | 'held-out tests'
    | 'changed inputs'
    | 'held-out tests and changed inputs'
    | 'nothing'
  readonly detail: string
}

interface JudgeOptions extends HeldOutSearch {
  readonly failing: readonly string[]
}

/** Fewer changed inputs than these say too little to call a patch right. */
const CHANGED_MIN = 10
/** So many of them must show the fault: inputs that it does not concern prove nothing. */
const SHOWING_MIN = 3
const COPIED_MAX = 2
const OTHERS_MAX = 4

/** By their places. */
type Outcomes = ReadonlyMap<string, TestOutcome>

interface ChangedInputs {
  readonly copies: readonly ChangedCopy[]
  readonly human: Outcomes
  /** How many changes had an effect on the human fix. */
  readonly telling: number
  /** For how many of these the unfixed program gives another result. */
  readonly showing: number
}

export class PatchJudge {
  readonly #options: JudgeOptions
  #heldOut: Promise<readonly HeldOut[]> | null = null
  #changed: Promise<ChangedInputs | null> | null = null

  constructor(options: JudgeOptions) {
    this.#options = options
  }

  async judge(diff: string): Promise<Judgement> {
    if (this.#isIdentical(diff)) {
      return { verdict: 'correct', by: 'identical', detail: 'the same program as the human fix' }
    }
    const harm = await this.#againstOthers(diff)
    if (harm !== null) return harm
    this.#heldOut ??= findHeldOut(this.#options)
    const heldOut = await this.#heldOut
    const held = heldOut.length === 0 ? null : await this.#againstHeldOut(diff, heldOut)
    if (held?.verdict === 'wrong') return held
    this.#changed ??= this.#observeHuman()
    const changed = await this.#changed
    const same = changed === null ? null : await this.#againstChanged(diff, changed)
    if (same?.verdict === 'wrong') return same
    if (held === null || same === null)
      return held ?? same ?? { verdict: 'not_judged', by: 'nothing', detail: 'only the tests it was given' }
    const detail = `${held.detail}, ${same.detail}`
    return { verdict: 'correct', by: 'held-out tests and changed inputs', detail }
  }

  #isIdentical(diff: string): boolean {
    const { scratch, fix, human } = this.#options
    if (pathsIn(diff).some((path) => path !== fix.source)) return false
    this.#apply(diff)
    const patched = scratch.read(fix.source) ?? ''
    scratch.reset()
    const program = programOf(fix.source, patched)
    return program !== null && program === programOf(fix.source, human)
  }

  #apply(diff: string): void {
    const { scratch } = this.#options
    for (const path of pathsIn(diff)) scratch.touch(path)
    applyPatch(scratch.path, diff, [])
  }

  /** The tests of a file that the human left alone and the patch did not; null if they have nothing against it. */
  async #againstOthers(diff: string): Promise<Judgement | null> {
    const { scratch, fix, human, visible, run } = this.#options
    const all = listSources(scratch.path).filter((path) => isTestPath(path) && !visible.includes(path))
    const named = pathsIn(diff)
      .filter((path) => path !== fix.source)
      .flatMap((path) => testsNamedAfter(path, all))
      .filter((path) => isTestFile(scratch.path, path))
    const tests = [...new Set(named)].slice(0, OTHERS_MAX)
    if (tests.length === 0) return null
    scratch.write(fix.source, human)
    const fixed = await runTests(scratch.path, tests, { ...run, twice: false })
    scratch.reset()
    this.#apply(diff)
    const patched = await runTests(scratch.path, tests, { ...run, twice: false })
    scratch.reset()
    if (fixed.is === 'unable') return null
    const outcomes: Outcomes = patched.is === 'ran' ? byPlace(patched.tests) : new Map()
    const green = [...fixed.tests.values()].filter(({ passed }) => passed)
    const broken = green.filter(({ place }) => outcomes.get(place)?.passed !== true)
    if (broken.length === 0) return null
    return { verdict: 'wrong', by: 'held-out tests', detail: `breaks ${broken.length} tests of another file` }
  }

  async #againstHeldOut(diff: string, heldOut: readonly HeldOut[]): Promise<Judgement> {
    const { scratch, run } = this.#options
    this.#apply(diff)
    for (const { path, text } of heldOut) scratch.write(path, text)
    const paths = heldOut.map(({ path }) => path)
    const ran = await runTests(scratch.path, paths, { ...run, twice: false })
    scratch.reset()
    const outcomes: Outcomes = ran.is === 'ran' ? byPlace(ran.tests) : new Map()
    const wanted = heldOut.flatMap(({ tests }) => tests)
    const missed = wanted.filter((name) => outcomes.get(name)?.passed !== true)
    const unseen = heldOut.reduce((sum, found) => sum + found.unseen, 0)
    return missed.length > 0
      ? {
          verdict: 'wrong',
          by: 'held-out tests',
          detail: `fails ${missed.length} of ${wanted.length} later tests`,
        }
      : { verdict: 'correct', by: 'held-out tests', detail: `passes ${unseen} unseen tests or assertions` }
  }

  /** Null where nothing differs, but too little was compared. */
  async #againstChanged(diff: string, changed: ChangedInputs): Promise<Judgement | null> {
    const { copies, human, telling, showing } = changed
    this.#apply(diff)
    const patched = await this.#runCopies(copies)
    const differing = [...human].filter(([name, outcome]) => !isSame(outcome, patched?.get(name)))
    const by = 'changed inputs'
    if (differing.length > 0) {
      const detail = `differs from the human fix for ${copiesIn(differing)} of ${copies.length} changed inputs`
      return { verdict: 'wrong', by, detail }
    }
    if (telling < CHANGED_MIN || showing < SHOWING_MIN) return null
    const detail = `same results for ${telling} changed inputs, ${showing} of which show the fault`
    return { verdict: 'correct', by, detail }
  }

  /** Null where nothing can be compared. Twice, so that what differs by chance does not count. */
  async #observeHuman(): Promise<ChangedInputs | null> {
    const { scratch, fix, human } = this.#options
    const copies = await this.#makeCopies()
    if (copies.length === 0) return null
    const unfixed = await this.#runCopies(copies)
    scratch.write(fix.source, human)
    const first = await this.#runCopies(copies)
    scratch.write(fix.source, human)
    const second = await this.#runCopies(copies)
    if (first === null || second === null) return null
    const steady = new Map([...first].filter(([name, outcome]) => isSame(outcome, second.get(name))))
    const changed = [...steady].filter(([, { passed }]) => !passed)
    const shown = changed.filter(([name, outcome]) => !isSame(outcome, unfixed?.get(name)))
    return { copies, human: steady, telling: copiesIn(changed), showing: copiesIn(shown) }
  }

  async #makeCopies(): Promise<ChangedCopy[]> {
    const { git, fix, scratch, visible, failing } = this.#options
    const copies: ChangedCopy[] = []
    for (const path of visible.slice(0, COPIED_MAX)) {
      const text = scratch.read(path) ?? ''
      const before = (await textAt(git, fix.parent, path)) ?? ''
      copies.push(...changeInputs({ path, text, before, failing: failing.map(titleOf) }))
    }
    return copies
  }

  async #runCopies(copies: readonly ChangedCopy[]): Promise<Outcomes | null> {
    const { scratch, run } = this.#options
    for (const { path, text } of copies) scratch.write(path, text)
    const paths = copies.map(({ path }) => path)
    const ran = await runTests(scratch.path, paths, { ...run, twice: false })
    scratch.reset()
    return ran.is === 'ran' && ran.by === 'engine' ? byPlace(ran.tests) : null
  }
}

/** What the test itself is called, without its suites. */
function titleOf(key: string): string {
  return key.slice(Math.max(key.lastIndexOf(' > ') + 3, key.indexOf('|') + 1)).replace(/#\d+$/, '')
}

function byPlace(tests: ReadonlyMap<string, TestOutcome>): Outcomes {
  return new Map([...tests.values()].map((outcome) => [outcome.place, outcome]))
}

function copiesIn(outcomes: readonly (readonly [string, TestOutcome])[]): number {
  return new Set(outcomes.map(([name]) => name.split('|')[0])).size
}

function isSame(a: TestOutcome, b: TestOutcome | undefined): boolean {
  return b !== undefined && a.passed === b.passed && a.said === b.said
}

function pathsIn(diff: string): string[] {
  return [...diff.matchAll(/^\+\+\+ b\/(.*)$/gm)].flatMap((found) => found[1] ?? [])
}
