// Runs once per test command: one real PostgreSQL for every test that asks for it with inject('postgresUrl'), and the
// embedded database compiled ahead.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type * as Templates from '../packages/store/src/testing/templates.ts'
import type {} from '../requirements/need-postgres.ts'
import { installByApt } from './apt.ts'
import { env } from './env.ts'
import { startPostgres } from './postgres.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  installSandbox()
  await compileDatabase()
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

/** The embedded database, compiled once for the tests of this machine; a checkout of the tools alone has none. */
async function compileDatabase(): Promise<void> {
  const templates = new URL('../packages/store/src/testing/templates.ts', import.meta.url)
  if (!existsSync(templates)) return
  const { prepareTemplates }: typeof Templates = await import(templates.href)
  await prepareTemplates()
}

/** The sandbox that engines are confined by. Tests that need it say so where it could not be had. */
function installSandbox(): void {
  const there = env.path.split(delimiter).some((folder) => existsSync(join(folder, 'bwrap')))
  if (there || process.platform !== 'linux') return
  try {
    installByApt('bubblewrap')
  } catch (error) {
    process.stderr.write(`bubblewrap could not be installed: ${String(error).split('\n', 1)[0]}\n`)
  }
}
