// What a measure asks for and what it said, in words.
import type { Measure, MeasureFound } from '../measure.ts'

export function measureWords({ command, better }: Measure): string {
  return `${command} (${better === null ? 'fails before, succeeds after' : `${better} is better`})`
}

export function measuredWords(found: MeasureFound): string {
  if (found.is === 'unknown') return `the measure says nothing: ${found.why}`
  const { before, after, better } = found
  const change =
    better === null
      ? `ended with exit code ${before} before and ${after} after`
      : `was ${before} before and ${after} after (${better} is better)`
  return found.is === 'improved'
    ? `the measure ${change}${broughtWords(found)}`
    : `the measure did not improve: it ${change}`
}

function broughtWords({ brought = [] }: Extract<MeasureFound, { is: 'improved' }>): string {
  if (brought.length === 0) return ''
  const count = brought.length === 1 ? '1 new finding' : `${brought.length} new findings`
  return `, but the change brought ${count}: ${brought.join('; ')}`
}
