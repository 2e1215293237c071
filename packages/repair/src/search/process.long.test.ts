import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '@treadle/process/testing/alive'
import { descendants } from '@treadle/process/tree'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'process-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const STUCK = `import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
test('never ends', () => {
  writeFileSync(tmpdir() + '/stuck', '')
  ;/^(a+)+$/.test('a'.repeat(80) + 'b')
})
`
const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
const PARENT = `import { loadProject } from ${at('../project/load.ts')}
import { loadMessage } from ${at('./baseline.ts')}
import { RunnerProcess } from ${at('./process.ts')}
const [, , root, scratch] = process.argv
const runner = new RunnerProcess({ root, scratch: { path: scratch, before: [] }, confined: true }, 600_000, () => undefined)
runner.send(loadMessage(loadProject(root, null), { fuel: 1e9, testMs: 600_000 }))
runner.send({ is: 'baseline' })
`

test('a process that is stuck and hears nothing ends with whoever started it', async () => {
  const [root, scratch, script] = ['project', 'scratch', 'parent.mjs'].map((name) => join(folder, name))
  for (const path of [root, scratch]) mkdirSync(path ?? '')
  writeFileSync(join(root ?? '', 'package.json'), '{ "type": "module" }')
  writeFileSync(join(root ?? '', 'a.test.ts'), STUCK)
  writeFileSync(script ?? '', PARENT)
  const args = [script, root, scratch].map((path) => path ?? '')
  const parent = spawn(process.execPath, args, { stdio: 'ignore' })
  await vi.waitUntil(() => existsSync(join(scratch ?? '', 'stuck')), 30_000)
  const started = descendants(parent.pid ?? 0)
  expect(started.length).toBeGreaterThan(0)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  await vi.waitUntil(() => !started.some(isAlive), 30_000)
})
