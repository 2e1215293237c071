// Turns what the search found into the result that people and machines read.

import { diffOf } from '../edits/patch.ts'
import type { Suspect } from '../localise/localise.ts'
import type { EndedBy, Patch, RepairResult } from '../result.ts'
import type { Rivals } from '../rivals/rivals.ts'
import type { TestResult } from '../run/protocol.ts'
import type { Budget } from '../search/budget.ts'
import { nullifies, type Ranked, rank, type Types } from '../search/rank.ts'
import type { CandidateResult } from '../search/round.ts'
import type { SearchResult } from '../search/search.ts'
import { confidenceOf, sentence } from './confidence.ts'

const SUSPECTS_SHOWN = 20
const PATCHES_MAX = 10
const PARTIAL_MAX = 5
/** A patch this much less likely than the best is no rival of it. */
const RIVAL_SHARE = 0.3

export interface Split {
  readonly failing: readonly TestResult[]
  readonly passing: readonly TestResult[]
}

export interface Conclusion {
  readonly split: Split
  readonly suspects: readonly Suspect[]
  readonly found: SearchResult
  readonly types: readonly Types[]
  readonly budget: Budget
  /** What tells the patches apart; left out: nobody looked. */
  readonly rivals?: Rivals
}

export function rankFound({ green }: SearchResult, types: readonly Types[]): Ranked[] {
  return rank(green.map((patch, index) => ({ found: patch, types: types[index] ?? 'unchecked' })))
}

export function conclude(conclusion: Conclusion): { result: RepairResult; ranked: Ranked[] } {
  const { split, suspects, found, types, budget, rivals } = conclusion
  const ranked = rivals?.ranked ?? rankFound(found, types)
  const patches = ranked.slice(0, PATCHES_MAX).map((patch) => patchOf(patch, ranked, conclusion))
  const result: RepairResult = {
    outcome: patches.length > 0 ? 'plausible' : 'none',
    reason: reasonOf(found.green.length, budget, suspects.length),
    patches,
    candidates: budget.tried,
    seconds: budget.seconds,
    firstGreen: budget.firstGreen,
    suspicious: suspects
      .slice(0, SUSPECTS_SHOWN)
      .map(({ file, line, score }) => ({ file: file.path, line, score })),
    tried: budget.families,
    partial: found.partial.slice(0, PARTIAL_MAX).map((partial) => partialOf(partial, split)),
    path: 'fast',
    cpuSeconds: budget.cpuSeconds,
    sameFailures: null,
    leftOut: 0,
    question: null,
    endedBy: budget.endedBy,
  }
  return { result, ranked }
}

function patchOf(patch: Ranked, all: readonly Ranked[], { split, suspects, rivals }: Conclusion): Patch {
  const { found, types, trust, special } = patch
  const alike = rivals?.alike(patch) ?? 0
  const sites = suspects.filter(({ file, node }) =>
    found.edits.some(
      (edit) => edit.file === file && node.start <= edit.site.start && edit.site.end <= node.end,
    ),
  )
  const exercisedBy = Math.max(0, ...sites.map((site) => site.failing + site.passing))
  const facts = {
    trust,
    special,
    nullifies: found.edits.some(nullifies),
    types,
    edits: found.edits.length,
    failing: split.failing.length,
    passing: split.passing.length,
    green: all.length,
    rivals: all.filter((other) => other !== patch && isRival(other, patch)).length,
    deletes: patch.deletes,
    alike,
  }
  return {
    diff: diffOf(found.edits),
    confidence: confidenceOf(facts),
    why: sentence(facts),
    kind: found.edits.map((edit) => edit.family).join(' + '),
    tests: split.failing.map((test) => test.name),
    exercisedBy,
    types,
    special,
    alike,
    isConfirmed: false,
  }
}

/** About as likely, and nothing speaks against it. */
export function isRival(other: Ranked, patch: Ranked): boolean {
  return (
    other.worth >= patch.worth * RIVAL_SHARE &&
    other.types !== 'unclean' &&
    !other.special &&
    other.deletes <= patch.deletes
  )
}

function partialOf(found: CandidateResult, split: Split) {
  return {
    diff: diffOf(found.edits),
    kind: found.edits.map((edit) => edit.family).join(' + '),
    fixed: split.failing.filter((test) => found.fixed.includes(test.key)).map((test) => test.name),
  }
}

const WHY_ENDED: Readonly<Record<EndedBy, string>> = {
  budget: 'its time was up',
  clock: 'its time on the clock was up',
  signal: 'it was interrupted',
}
const MORE: Readonly<Record<EndedBy, string>> = {
  budget: ' More time: engines.repair.budgetSeconds; the next attempt at the same has twice as much.',
  clock: ' More time: --seconds, or engines.repair.budgetSeconds on a machine with less to do.',
  signal: '',
}

function reasonOf(patches: number, budget: Budget, suspects: number): string {
  const tried = `${budget.tried} candidates in ${budget.seconds.toFixed(1)} s`
  if (patches > 0)
    return `${patches === 1 ? 'One patch makes' : `${patches} patches make`} all tests pass; tried ${tried}.`
  if (suspects === 0) return 'The failing tests run no code of the project that could be edited.'
  if (budget.endedBy !== null)
    return `No edit that was tried makes the failing tests pass, and ${WHY_ENDED[budget.endedBy]}; tried ${tried}.${MORE[budget.endedBy]}`
  return `No small edit makes the failing tests pass; tried ${tried}.`
}
