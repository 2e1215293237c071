// A test whose means are not on this machine says so instead of passing silently.
import type { TestContext } from 'vitest'
import { strict } from './env.ts'
import './verifies.ts'

export function notRun(context: TestContext, why: string, install: string): never {
  const note = `not run: ${why} (install: ${install})`
  if (strict) throw new Error(`${note}; TREADLE_STRICT=1 allows no test to be left out`)
  process.stdout.write(`${note}\n`)
  context.task.meta.notRun = why
  return context.skip(note)
}
