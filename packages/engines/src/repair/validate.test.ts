import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unified } from './rank/patch.ts'
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

/** One that nobody has collected yet counts as dead. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

test('a copy has the sources, links the packages and takes patches back', () => {
  const copy = new ScratchCopy(cwd)
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

test('a command passes, fails or runs out of time, and takes its tree along', async () => {
  const run = (command: string, timeoutMs = 20_000) => runCommand(cwd, command, { env, timeoutMs })
  expect(await run('cat src/a.txt')).toEqual({ is: 'passed', tail: 'one\n' })
  expect(await run('echo no >&2; exit 3')).toEqual({ is: 'failed', tail: 'no\n' })
  expect(await run('sleep 1000 & echo $! > pid; wait', 500)).toMatchObject({ is: 'timed_out' })
  const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
  expect(isAlive(pid)).toBe(false)
})
