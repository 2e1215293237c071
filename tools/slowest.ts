// Says at the end of a test command where its time went. Pure.
import type { FileResult, TierResults } from './trace-results.ts'

/** How busy the machine is, so that a reader can tell a slow test from a busy machine. */
type Machine = { load: number; cores: number }
type Duration = { name: string; ms: number }

const SLOWEST_MAX = 20
/** What takes less is not worth a line. */
const LISTED_MS_MIN = 500
/** A quick test that takes longer on a quiet machine belongs to the long ones, or wastes time. */
const QUICK_MS_MAX = 5_000

export function formatDurations({ tier, files }: TierResults, machine: Machine): string {
  const tests = slowest(testDurations(files))
  const slow = tier === 'quick' ? tests.filter(({ ms }) => ms > QUICK_MS_MAX) : []
  const lines = [
    ...section('Slowest files', slowest(Object.entries(files).map(([name, { ms }]) => ({ name, ms })))),
    ...section('Slowest tests', tests),
  ]
  if (slow.length > 0) lines.push(...warning(slow.length, machine), '')
  return lines.length > 0 ? `${lines.join('\n')}\n` : ''
}

function testDurations(files: Readonly<Record<string, FileResult>>): Duration[] {
  return Object.entries(files).flatMap(([file, { tests }]) =>
    tests.map(({ title, ms }) => ({ name: `${file}: ${title}`, ms })),
  )
}

function slowest(durations: readonly Duration[]): Duration[] {
  const listed = durations.filter(({ ms }) => ms >= LISTED_MS_MIN)
  return listed.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST_MAX)
}

function section(title: string, durations: readonly Duration[]): string[] {
  if (durations.length === 0) return []
  return [title, ...durations.map(({ name, ms }) => `${seconds(ms).padStart(9)}  ${name}`), '']
}

function warning(count: number, { load, cores }: Machine): string[] {
  const busy = load > cores ? 'so it may be the machine' : 'so it is the tests'
  const more = count === SLOWEST_MAX ? ' or more' : ''
  return [
    `Warning: quick tests that took longer than ${seconds(QUICK_MS_MAX)}: ${count}${more}.`,
    `         The load was ${load.toFixed(1)} on ${cores} cores, ${busy}.`,
  ]
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
