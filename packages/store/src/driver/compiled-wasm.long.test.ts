import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { historyHash } from '../migrations/migrate.ts'
import { MODULES } from '../modules.ts'
import { migrationsOf } from '../nouns/module.ts'
import { openAt, temporaryDir, useTestDatabases } from '../testing/both-drivers.ts'
import { TEMPLATES } from '../testing/templates.ts'
import { PG_MAJOR } from './embedded.ts'
import { keepCompiled } from './keep-compiled.ts'
import { compiledPath, templatePath } from './template.ts'

const places = useTestDatabases('embedded')
const dir = temporaryDir()
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const history = historyHash(migrationsOf(MODULES))
const template = templatePath({ templateDir: TEMPLATES, schema: 'treadle', history })
const order = { dir, template, log: () => undefined }
const program = new URL('./compile-wasm.ts', import.meta.url)

/** In a process of its own: V8 takes compiled code only under the flags that it was made with, and tests have others. */
async function openedElsewhere(path: string, compiled: string): Promise<unknown> {
  const url = (file: string) => JSON.stringify(new URL(file, import.meta.url))
  const program = `(async () => {
    const { openData } = await import(${url('./embedded.ts')})
    const [path, compiled] = process.argv.slice(1)
    const workerUrl = new URL(${url('./pglite-worker.ts')})
    const data = { schema: 'treadle', workerUrl, compiled, watchdogMs: 120_000, log: () => undefined }
    const { thread, pool, close } = await openData(path, data)
    const { rows } = await pool.query('select count(*)::int as count from items')
    await close()
    console.log(JSON.stringify({ wasCompiled: thread.wasCompiled, rows }))
  })()`
  const args = ['--eval', program, path, compiled]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {} })
  return JSON.parse(stdout)
}

test('what was compiled once is taken by the next start, and not after a bit of it has changed', async (context) => {
  const place = places(context)
  // Makes the template, too.
  await (await openAt(place)).close()
  if (place.target.is !== 'embedded') throw new Error('not embedded')
  const path = join(place.target.dir, `db-${PG_MAJOR}`)
  const compiled = compiledPath(dir)
  const opened = () => openedElsewhere(path, compiled)
  const rows = [{ count: 0 }]
  expect(await opened()).toEqual({ wasCompiled: false, rows })

  await keepCompiled({ ...order, program, signal: new AbortController().signal })
  expect(readdirSync(dir)).toEqual([basename(compiled)])
  expect(await opened()).toEqual({ wasCompiled: true, rows })

  const bytes = readFileSync(compiled)
  const at = bytes.length >> 1
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(compiled, bytes)
  expect(await opened()).toEqual({ wasCompiled: false, rows })
  rmSync(compiled)
})

test('a Node that cannot compile ahead is asked once', async () => {
  const fails = join(dir, 'fails.mjs')
  writeFileSync(fails, 'process.abort()')
  await keepCompiled({ ...order, program: new URL(`file://${fails}`), signal: new AbortController().signal })
  expect(existsSync(compiledPath(dir))).toBe(false)
  expect(readFileSync(`${compiledPath(dir)}.refused`, 'utf8')).toBe('SIGABRT\n')
  await keepCompiled({ ...order, program, signal: new AbortController().signal })
  expect(existsSync(compiledPath(dir))).toBe(false)
})

test('a store that is closed leaves nothing half made', async () => {
  rmSync(`${compiledPath(dir)}.refused`, { force: true })
  const before = readdirSync(dir)
  const closing = new AbortController()
  const making = keepCompiled({ ...order, program, signal: closing.signal })
  setTimeout(() => closing.abort(), 500)
  await making
  expect(readdirSync(dir)).toEqual(before)
})
