// What a step in a stream of faults is, and what a stream with and without memory comes to.
import { type Count, median, type Ratios, ratioOf, ratiosOf } from './comparison.ts'

// A repeat is a slip that was met before with the same failure; anything else is new to the memory.
export type Role = 'repeat' | 'novel'

export type Met = { slip: string; signatures: readonly string[] }

export type Step = { id: string; role: Role; signatures: readonly string[]; without: Count; with: Count }

export function roleOf({ slip, signatures }: Met, met: readonly Met[]): Role {
  const same = met.filter((one) => one.slip === slip)
  const known = same.some((one) => one.signatures.some((signature) => signatures.includes(signature)))
  return known ? 'repeat' : 'novel'
}

export type LessonSummary = Ratios & {
  role: Role
  medianWithout: number | null
  medianWith: number | null
  // The largest with memory over without: what a wrong memory cost at most.
  worst: number | null
}

// Steps where neither found anything say nothing.
export function lessonsOf(role: Role, steps: readonly Step[]): LessonSummary {
  const own = steps.filter((step) => step.role === role && (step.without.green || step.with.green))
  const pairs = own.map((step) => ({ theirs: step.without.candidates, ours: step.with.candidates }))
  const costs = pairs.flatMap(({ theirs, ours }) => ratioOf(ours, theirs) ?? [])
  return {
    role,
    medianWithout: median(pairs.map(({ theirs }) => theirs)),
    medianWith: median(pairs.map(({ ours }) => ours)),
    worst: costs.length === 0 ? null : Math.max(...costs),
    ...ratiosOf(pairs),
  }
}
