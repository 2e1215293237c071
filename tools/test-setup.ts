// Runs once per test command: one real PostgreSQL for every test that asks for it with inject('postgresUrl').
import type { TestProject } from 'vitest/node'
import type {} from '../requirements/need-postgres.ts'
import { env } from './env.ts'
import { startPostgres } from './postgres.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (env.testDatabaseUrl) {
    project.provide('postgresUrl', env.testDatabaseUrl)
    return async () => undefined
  }
  const server = await startPostgres()
  if (server.is === 'running') {
    project.provide('postgresUrl', server.url)
    return server.stop
  }
  project.provide('postgresUrl', '')
  project.provide('postgresMissing', { why: server.why, install: server.install })
  return async () => undefined
}
