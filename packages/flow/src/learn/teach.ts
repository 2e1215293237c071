// What a run teaches beyond its own fixes: what to avoid from failures, what to do again from success.
import { type Lesson, NewLesson } from '@treadle/contracts/lesson'
import type { Retrospective } from '@treadle/contracts/retrospective'
import type { Run } from '@treadle/contracts/run'
import { helpedBy } from '@treadle/memory/remedy'
import { DISCOVERED } from './confidence.ts'
import type { RunFailure } from './failures.ts'
import { decideGotcha, type GotchaChoice } from './gotcha.ts'
import { isTestFile } from './planned.ts'

const PATTERNS_MAX = 3
/** What took several attempts is no example yet. */
const NOT_AT_FIRST = 0.6
const SURER_BY = 0.05
const SUREST = 0.85
const FOLDERS_MAX = 3
const DIFF_SHOWN_MAX = 2_000

interface Origin {
  readonly run: Pick<Run, 'id' | 'item'>
  readonly commit: string | null
}

function originOf({ run, commit }: Origin, attempt: number) {
  return {
    provenance: { runId: run.id, attempt, commit },
    seenAt: `${run.item.projectNumber}/${run.item.number}`,
    discoveredBy: 'sia',
    action: 'build',
  }
}

export interface GotchaFacts extends Origin {
  readonly failure: RunFailure
  /** Lessons of other runs under the same signature. */
  readonly known: readonly Pick<Lesson, 'provenance'>[]
  /** Earlier retrospectives that speak of it. */
  readonly past: readonly Pick<Retrospective, 'learned'>[]
}

/** With the lesson, if the failure is worth one. */
export function gotchaOf(facts: GotchaFacts): { choice: GotchaChoice; lesson: NewLesson } {
  const { failure, known, past, run } = facts
  const { group, mendedBy } = failure
  const told = past.some(({ learned }) => learned.some(({ text }) => text.includes(headOf(group.cause))))
  const choice = decideGotcha({
    selfCorrected: mendedBy !== null,
    seenBefore: told || known.some(({ provenance }) => provenance.runId !== run.id),
    errorType: failure.errorType,
    reproducible: failure.times > 1,
  })
  const remedy = mendedBy === null ? '' : ` ${helpedBy(mendedBy.changes)}`
  return {
    choice,
    lesson: NewLesson.parse({
      ...originOf(facts, failure.attempt),
      type: 'gotcha',
      content: `Avoid: ${headOf(group.cause)}${remedy}`.slice(0, 4_000),
      glob: globOf(failure.files),
      topic: headOf(group.cause).slice(0, 200) || null,
      signature: group.signature,
      confidence: DISCOVERED,
      payload: {
        avoid: headOf(group.cause),
        why: choice.why,
        // How it was built when it held: what the change was, not what was said of it.
        ...(mendedBy === null
          ? {}
          : { recommended: mendedBy.diff.slice(0, DIFF_SHOWN_MAX), said: headOf(mendedBy.summary) }),
      },
    }),
  }
}

/** One pattern for all, as far as they have an ending in common. */
export function globOf(files: readonly string[]): string | null {
  const sources = files.filter((path) => !isTestFile(path))
  const globs = new Set((sources.length === 0 ? files : sources).map(endingOf))
  const [only] = globs
  return globs.size === 1 && only !== undefined && only !== null ? only : null
}

function endingOf(path: string): string | null {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]
  return ending === undefined ? null : `*.${ending}`
}

export interface PatternFacts extends Origin {
  readonly attempts: number
  readonly files: readonly string[]
  /** Earlier retrospectives with the same outcome. */
  readonly past: readonly Pick<Retrospective, 'learned'>[]
}

/** Of a run that passed. */
export function patternsOf(facts: PatternFacts): NewLesson[] {
  const { files, past, attempts } = facts
  const found = [...testsBeside(files), ...goTogether(files)]
  return found.slice(0, PATTERNS_MAX).map(({ content, glob, topic }) => {
    const before = past.filter(({ learned }) => learned.some(({ text }) => text === content)).length
    const confidence = attempts === 1 ? Math.min(SUREST, DISCOVERED + SURER_BY * before) : NOT_AT_FIRST
    return NewLesson.parse({
      ...originOf(facts, attempts),
      type: 'pattern',
      content,
      glob,
      topic,
      confidence,
      payload: {},
    })
  })
}

interface DerivedLesson {
  readonly content: string
  readonly glob: string | null
  readonly topic: string
}

function testsBeside(files: readonly string[]): DerivedLesson[] {
  const tests = files.filter(isTestFile)
  const glob = globOf(files.filter((path) => !isTestFile(path)))
  if (tests.length === 0 || glob === null || tests.length === files.length) return []
  const places = [...new Set(tests.map(folderGlob))].slice(0, FOLDERS_MAX).join(' and ')
  return [{ content: `A change to ${glob} comes with a test in ${places}.`, glob, topic: 'tests' }]
}

function goTogether(files: readonly string[]): DerivedLesson[] {
  // What lies at the top has no folder that would say what it is about.
  const sources = files.filter((path) => path.includes('/') && !isTestFile(path))
  const folders = [...new Set(sources.map(folderGlob))].sort()
  if (folders.length < 2 || folders.length > FOLDERS_MAX) return []
  const [first = '', ...others] = folders
  return [
    {
      content: `A change to ${first} goes together with one to ${others.join(' and ')}.`,
      glob: first,
      topic: 'files that change together',
    },
  ]
}

function folderGlob(path: string): string {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : ''
  return `${folder}${endingOf(path) ?? '*'}`
}

function headOf(text: string): string {
  return (text.split('\n', 1)[0] ?? '').trim().slice(0, 300)
}
