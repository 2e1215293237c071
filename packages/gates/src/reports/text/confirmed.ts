// Counts that agree with what was printed of each test: those are a run's own, whatever its tests print in between.
import type { End, Marks, TextRunner } from './text-runner.ts'

/** A run between the line that it begins on and the line of its counts. */
export interface Span extends End {
  readonly begin: number
}

/** The last of the counts that can be a run's own, by where it would have to begin. */
type Search = (start: number) => Span | null

/** Every run that can be told for certain, in order; none lies in another. */
export function confirmedIn(lines: readonly string[], ends: readonly End[]): Span[] {
  const runners = [...new Set(ends.map(({ runner }) => runner))]
  const searches = runners.flatMap((runner) => searchesOf(lines, runner, ends))
  const spans: Span[] = []
  let start = 0
  while (start < lines.length) {
    const found = searches.flatMap((search) => search(start) ?? [])
    const first = found.reduce<Span | null>((a, b) => (a === null || b.begin < a.begin ? b : a), null)
    if (first === null) return spans
    spans.push(first)
    start = Math.max(first.at + 1, first.runner.closes(lines, first.at))
  }
  return spans
}

function searchesOf(lines: readonly string[], runner: TextRunner, ends: readonly End[]): Search[] {
  const own = ends.filter((end) => end.runner === runner)
  const sums = (runner.marks ?? []).map((marks) => sumUp(lines, marks, own))
  return runner.announced
    ? [searchAnnounced(lines, { runner, ends: own, sums })]
    : sums.map((each) => searchByMarks(each))
}

const lineCharsMax = 2_000
const keyOf = (counts: readonly number[]): string => counts.join(' ')

interface Sums {
  /** The lines that have marks. */
  readonly places: readonly number[]
  /** What had been added up before each of these lines. */
  readonly before: readonly string[]
  /** For each of the counts what must have been added up before its run began; null if they count nothing. */
  readonly needs: ReadonlyMap<End, string | null>
}

function sumUp(lines: readonly string[], marks: Marks, ends: readonly End[]): Sums {
  const width = ends[0] === undefined ? 0 : marks.claimed(lines, ends[0].at).length
  let sum: number[] = new Array<number>(width).fill(0)
  const places: number[] = []
  const before: string[] = []
  const needs = new Map<End, string | null>()
  let next = 0
  lines.forEach((line, at) => {
    const end = ends[next]
    if (end?.at === at) {
      next += 1
      const claimed = marks.claimed(lines, at)
      const isEmpty = claimed.every((count) => count === 0)
      needs.set(end, isEmpty ? null : keyOf(sum.map((count, index) => count - (claimed[index] ?? 0))))
      return
    }
    const counts = line.length <= lineCharsMax ? marks.on(line) : null
    if (counts === null) return
    places.push(at)
    before.push(keyOf(sum))
    sum = sum.map((count, index) => count + (counts[index] ?? 0))
  })
  return { places, before, needs }
}

/** The runs whose counts are the sum of the marks before them. Of counts for the same first mark the last are the run's. */
function searchByMarks({ places, before, needs }: Sums): Search {
  const begins = new Map(before.map((key, index) => [key, places[index] ?? 0]))
  const byBegin = new Map<number, Span>()
  for (const [end, need] of needs) {
    const begin = need === null ? undefined : begins.get(need)
    if (begin !== undefined && begin < end.at) byBegin.set(begin, { ...end, begin })
  }
  const spans = [...byBegin.values()].sort((a, b) => a.begin - b.begin)
  return inOrder(spans)
}

/** The first of the spans from a start on; the starts come in order. */
function inOrder(spans: readonly Span[]): Search {
  let next = 0
  return (start) => {
    while ((spans[next]?.begin ?? start) < start) next += 1
    return spans[next] ?? null
  }
}

/** The last counts before the next announcement; those that agree with marks, or have a form of their own, come first. */
function searchAnnounced(
  lines: readonly string[],
  { runner, ends, sums }: { runner: TextRunner; ends: readonly End[]; sums: readonly Sums[] },
): Search {
  const begins: number[] = []
  lines.forEach((line, at) => {
    if (line.length <= lineCharsMax && runner.begins.test(line)) begins.push(at)
  })
  const places = ends.map(({ at }) => at)
  const spans = begins.flatMap((begin, index): Span[] => {
    const own = ends.slice(firstFrom(places, begin), firstFrom(places, begins[index + 1] ?? lines.length))
    const agrees = (end: End): boolean =>
      sums.some((sum) => {
        const need = sum.needs.get(end)
        return need !== null && need === sum.before[firstFrom(sum.places, begin)]
      })
    const end =
      own.findLast(agrees) ??
      own.findLast(({ at }) => runner.genuine?.(lines, at)) ??
      worstOf(lines, own, begin)
    return end === undefined || isPrinted(lines, end, begin) ? [] : [{ ...end, begin }]
  })
  return inOrder(spans)
}

/** The counts are not in the form that the runner always gives them, and green: a test printed them. */
export function isPrinted(lines: readonly string[], { runner, at }: End, begin: number): boolean {
  if (!runner.isAlwaysGenuine || runner.genuine?.(lines, at)) return false
  return (runner.failedIn?.(lines[at] ?? '', lines[begin] ?? '') ?? 0) === 0
}

/** The last of the counts with the most failures: what is printed after those of a red run does not take their place. */
function worstOf(lines: readonly string[], ends: readonly End[], begin: number): End | undefined {
  const failedIn = ({ runner, at }: End): number =>
    runner.failedIn?.(lines[at] ?? '', lines[begin] ?? '') ?? 0
  return ends.reduce<End | undefined>(
    (worst, end) => (worst === undefined || failedIn(end) >= failedIn(worst) ? end : worst),
    undefined,
  )
}

/** Where the first of the places from a line on is, by halving: they are in order. */
export function firstFrom(places: readonly number[], line: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < line) low = middle + 1
    else high = middle
  }
  return low
}
