import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isAlive } from '@treadle/process/testing/alive'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { unified } from './edits/patch.ts'
import { runCommand, ScratchCopy } from './validate.ts'

const env = { PATH: '/usr/local/bin:/usr/bin:/bin' }
let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'validate-'))
  for (const folder of ['.git', 'node_modules/a', 'packages/x/node_modules/b', 'src'])
    mkdirSync(join(cwd, folder), { recursive: true })
  writeFileSync(join(cwd, 'src/a.txt'), 'one\n')
  writeFileSync(join(cwd, 'packages/x/node_modules/b/c.txt'), 'b\n')
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

test('a copy has the sources, links the packages and takes patches back', () => {
  const copy = new ScratchCopy(cwd, { env, sandbox: { mode: 'auto' } })
  const diff = unified('src/a.txt', 'one\n', [{ start: 0, end: 3, text: 'two' }])
  copy.apply(diff)
  expect(readFileSync(join(copy.path, 'src/a.txt'), 'utf8')).toBe('two\n')
  expect(readFileSync(join(cwd, 'src/a.txt'), 'utf8')).toBe('one\n')
  copy.revert(diff)
  expect(readFileSync(join(copy.path, 'src/a.txt'), 'utf8')).toBe('one\n')
  expect(readFileSync(join(copy.path, 'packages/x/node_modules/b/c.txt'), 'utf8')).toBe('b\n')
  expect(existsSync(join(copy.path, '.git'))).toBe(false)
  copy.remove()
  expect(existsSync(copy.path)).toBe(false)
  expect(existsSync(join(cwd, 'node_modules/a'))).toBe(true)
})

test('packages and programs of the folders above are found from the copy, as they are from a worktree', async () => {
  const worktree = join(cwd, '.treadle/worktrees/one')
  mkdirSync(worktree, { recursive: true })
  writeFileSync(join(worktree, 'own.txt'), 'own\n')
  mkdirSync(join(cwd, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(cwd, 'node_modules/.bin/greet'), '#!/bin/sh\necho hello\n', { mode: 0o755 })
  mkdirSync(join(cwd, 'node_modules/far'), { recursive: true })
  writeFileSync(join(cwd, 'node_modules/far/index.js'), "module.exports = 'far'")
  const copy = new ScratchCopy(worktree, { env, sandbox: { mode: 'auto' } })
  const command = `cat own.txt && greet && "${process.execPath}" -p "require('far')"`
  expect(await runCommand(copy.path, command, { env, timeoutMs: 120_000 })).toEqual({
    is: 'passed',
    tail: 'own\nhello\nfar\n',
  })
  copy.remove()
  expect(existsSync(dirname(copy.path))).toBe(false)
})

test('a command passes, fails or runs out of time, and takes its tree along', async () => {
  const run = (command: string, timeoutMs = 120_000) => runCommand(cwd, command, { env, timeoutMs })
  expect(await run('cat src/a.txt')).toEqual({ is: 'passed', tail: 'one\n' })
  expect(await run('echo no >&2; exit 3')).toEqual({ is: 'failed', tail: 'no\n' })
  expect(await run('sleep 1000 & echo $! > pid; wait', 500)).toMatchObject({ is: 'timed_out' })
  const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
  expect(isAlive(pid)).toBe(false)
})

test('a command ends when whoever runs it is killed', async () => {
  const script = join(cwd, 'run.mjs')
  const module = JSON.stringify(new URL('./validate.ts', import.meta.url).href)
  const call =
    "await runCommand(process.cwd(), 'sleep 1000 & echo $! > pid; wait', { env: {}, timeoutMs: 60_000 })"
  writeFileSync(script, `import { runCommand } from ${module}\n${call}\n`)
  const parent = spawn(process.execPath, [script], { cwd, stdio: 'ignore' })
  const path = join(cwd, 'pid')
  await vi.waitUntil(() => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n'), 120_000)
  const pid = Number(readFileSync(path, 'utf8'))
  expect(isAlive(pid)).toBe(true)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  await vi.waitUntil(() => !isAlive(pid), 120_000)
})
