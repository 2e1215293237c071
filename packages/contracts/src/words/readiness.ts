// Whether the world is ready for work, in sentences.
import type { Baseline, ReadinessFound, StepProgress, Trouble } from '../readiness.ts'
import { duration } from './time.ts'

const STEPS = {
  installing: 'installing packages',
  building: 'building',
  testing: 'running the tests',
} as const

/** What is done at the moment: "running the tests, 12 of 30 test files". */
export function stepWords({ step, files }: StepProgress): string {
  return files === null ? STEPS[step] : `${STEPS[step]}, ${files.done} of ${files.of} test files`
}

/** What mends it, as one sentence. */
export function mendWords({ setting, value }: Pick<Trouble, 'setting' | 'value'>): string {
  return value === null
    ? `Look at ${setting} in treadle.json`
    : `Set ${setting} in treadle.json to \`${value}\``
}

/** What is wrong and what mends it, without the output. */
export function troubleWords(trouble: Trouble): string {
  return `${trouble.text} ${mendWords(trouble)}`
}

/** "`npm test` takes 4 s; 12 tests pass, 1 fails: adds two numbers". */
export function baselineWords({ command, tookMs, passed, failed, failing }: Baseline): string {
  const took = `\`${command}\` takes ${duration(tookMs)}`
  if (failed === 0) return passed === 0 ? `${took} and is green` : `${took}; ${tests(passed)}, none fails`
  const names = failing.slice(0, 3).join('; ')
  const more = failing.length > 3 ? '; …' : ''
  const fails = failed === 1 ? '1 fails' : `${failed} fail`
  return `${took}; ${passed === 0 ? '' : `${tests(passed)}, `}${fails}${names === '' ? '' : `: ${names}${more}`}`
}

const tests = (passed: number): string => (passed === 1 ? '1 test passes' : `${passed} tests pass`)

/** One sentence of what was found. */
export function foundWords(found: ReadinessFound): string {
  switch (found.is) {
    case 'ready':
      return baselineWords(found.baseline)
    case 'untested':
      return `Nothing could be tested (${found.why}): items are worked on, and what they deliver is unproven.`
    case 'not_ready':
      return troubleWords(found.trouble)
  }
}
