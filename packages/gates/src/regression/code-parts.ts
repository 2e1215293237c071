// From what single tests ran to parts of functions: lines that every test ran together or not at all.
import type { CodePart } from '@treadle/contracts/failure'
import { z } from 'zod'
import { mayBeTest } from './world.ts'

/** Line, column, last line, last column, all from 0, and whether it ran. The first range is the whole function. */
const Range = z.tuple([z.int(), z.int(), z.int(), z.int(), z.boolean()])
type Range = z.infer<typeof Range>
const RanFunction = z.tuple([z.string(), z.array(Range).min(1)])
export const ReachRecord = z.array(
  z.object({
    file: z.string(),
    name: z.string(),
    ran: z.array(z.tuple([z.string(), z.array(RanFunction)])),
  }),
)
export type RanTest = z.infer<typeof ReachRecord>[number]

interface Run {
  readonly test: number
  readonly ranges: readonly Range[]
}
interface FunctionRuns {
  readonly path: string
  readonly name: string
  readonly whole: Range
  readonly runs: Run[]
}

function testId({ file, name }: Pick<RanTest, 'file' | 'name'>): string {
  return `${file} > ${name}`
}

/** Parts that no failing test ran say nothing about the failures and are left out. */
export function codeParts(tests: readonly RanTest[], failed: ReadonlySet<string>): CodePart[] {
  const ids = tests.map(testId)
  const functions = functionsIn(tests)
  return functions.flatMap((each) => {
    const fn = `${each.path}#${nameOf(each, functions)}`
    return partsOf(each).flatMap((ran): CodePart[] => {
      const failing = new Set(ran.map((test) => ids[test] ?? '').filter((id) => failed.has(id)))
      return failing.size === 0 ? [] : [{ fn, failing, passing: ran.length - failing.size }]
    })
  })
}

function functionsIn(tests: readonly RanTest[]): FunctionRuns[] {
  const found = new Map<string, FunctionRuns>()
  const note = (path: string, name: string, run: Run): void => {
    const [whole] = run.ranges
    // What a compiler puts in has no place in the text.
    if (whole === undefined || (whole[0] === whole[2] && whole[1] === whole[3])) return
    const key = JSON.stringify([path, whole[0], whole[1]])
    const known = found.get(key) ?? { path, name: name.replace(/^[gs]et /, ''), whole, runs: [] }
    known.runs.push(run)
    found.set(key, known)
  }
  for (const [test, { file, ran }] of tests.entries()) {
    for (const [path, functions] of ran) {
      if (path === file || mayBeTest(path)) continue
      for (const [name, ranges] of functions) note(path, name, { test, ranges })
    }
  }
  return [...found.values()]
}

/** A function without a name belongs to the closest around it that has one. */
function nameOf({ path, name, whole }: FunctionRuns, all: readonly FunctionRuns[]): string {
  if (/^[\w$#]+$/.test(name)) return name
  const around = all
    .filter(
      (each) => each.path === path && /^[\w$#]+$/.test(each.name) && holds(each.whole, whole[0], whole[1]),
    )
    .sort((a, b) => sizeOf(a.whole) - sizeOf(b.whole))
  return around[0]?.name ?? `line ${whole[0] + 1}`
}

/** The tests that ran each part, once for parts that the same tests ran. */
function partsOf({ runs }: FunctionRuns): number[][] {
  const places = new Map<string, readonly [number, number]>()
  for (const { ranges } of runs) {
    for (const [at, [line, column, lastLine, lastColumn]] of ranges.entries()) {
      places.set(`${line} ${column}`, [line, column])
      // What follows a part that was left out, such as the rest after an early return.
      if (at > 0) places.set(`${lastLine} ${lastColumn + 1}`, [lastLine, lastColumn + 1])
    }
  }
  const parts = new Map<string, number[]>()
  for (const place of places.values()) {
    const ran = [...new Set(runs.filter(({ ranges }) => ranAt(ranges, place)).map(({ test }) => test))]
    if (ran.length > 0) parts.set(ran.join(), ran)
  }
  return [...parts.values()]
}

function ranAt(ranges: readonly Range[], [line, column]: readonly [number, number]): boolean {
  let ran = false
  let size = Number.POSITIVE_INFINITY
  for (const range of ranges) {
    if (!holds(range, line, column) || sizeOf(range) > size) continue
    size = sizeOf(range)
    ran = range[4]
  }
  return ran
}

function holds([line, column, lastLine, lastColumn]: Range, atLine: number, atColumn: number): boolean {
  const begins = line < atLine || (line === atLine && column <= atColumn)
  return begins && (atLine < lastLine || (atLine === lastLine && atColumn <= lastColumn))
}

function sizeOf([line, column, lastLine, lastColumn]: Range): number {
  return (lastLine - line) * 10_000 + lastColumn - column
}
