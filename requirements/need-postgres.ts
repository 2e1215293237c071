// The PostgreSQL of this test run, for tests that need a real server.
import { inject, type TestContext } from 'vitest'
import { notRun } from './not-run.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Empty where no server could be found, installed or started. */
    postgresUrl: string
    postgresMissing?: { why: string; install: string }
  }
}

export function needPostgres(context: TestContext): string {
  const url = inject('postgresUrl')
  if (url) return url
  const { why, install } = inject('postgresMissing') ?? { why: 'no PostgreSQL', install: 'postgresql' }
  return notRun(context, why, install)
}
