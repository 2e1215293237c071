// A run whose process is killed outright leaves nothing behind, not even what had left the group; output has no size.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { env as toolEnv } from '../../../tools/env.ts'
import { runCommand, unconfined } from './run-command.ts'

const waitMsMax = 60_000

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // The dead whom nobody has collected yet do not count.
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
  return !/\) [ZX] /.test(stat)
}

async function until(what: () => boolean): Promise<void> {
  const end = performance.now() + waitMsMax
  while (!what()) {
    if (performance.now() > end) throw new Error('it did not come about')
    await sleep(30)
  }
}

test('kill -9 of the parent ends the tests, their children, and those that began a session of their own', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'treadle-killed-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const node = JSON.stringify(process.execPath)
  const away = `require('node:child_process').spawn(${node.replaceAll('"', "'")}, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })`
  const options = {
    command: `sleep 300 & echo $! > child.pid
      ${node} -e "const child = ${away}; require('node:fs').writeFileSync('away.pid', String(child.pid)); setInterval(() => {}, 1000)" &
      echo $! > near.pid; wait`,
    cwd: dir,
    env: { PATH: toolEnv.path },
    timeoutMs: 300_000,
    evidenceDir: join(dir, 'evidence'),
    tailBytes: 10,
  }
  const script = `
    import { runCommand, unconfined } from ${JSON.stringify(new URL('./run-command.ts', import.meta.url).href)}
    await runCommand({ ...${JSON.stringify(options)}, surroundings: unconfined('test') })`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
  const pidIn = (name: string) => {
    const file = join(dir, `${name}.pid`)
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  }
  const pids = () => ['child', 'near', 'away'].map(pidIn)
  await until(() => pids().every((pid) => pid > 0))
  const started = pids()
  onTestFinished(() => {
    for (const pid of started.filter(isAlive)) process.kill(pid, 'SIGKILL')
  })
  expect(started.map(isAlive)).toEqual([true, true, true])
  parent.kill('SIGKILL')
  await until(() => !started.some(isAlive))
})

test('300 MB of output pass through without being held', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'treadle-output-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const before = process.memoryUsage.rss()
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 50)
  const ended = await runCommand({
    command: 'yes "a line of some length, as a chatty build would print it" | head -c 314572800; echo last',
    cwd: dir,
    env: { PATH: toolEnv.path },
    timeoutMs: 600_000,
    evidenceDir: join(dir, 'evidence'),
    tailBytes: 1_000,
    outputBytesMax: 1024 ** 3,
    surroundings: unconfined('test'),
  })
  clearInterval(watch)
  expect(ended).toMatchObject({ exitCode: 0, timedOut: false, outputBytes: 314_572_805 })
  expect(ended.tail.endsWith('last\n')).toBe(true)
  expect(ended.tail.length).toBeLessThanOrEqual(1_000)
  expect(peak - before).toBeLessThan(200 * 1024 * 1024)
})
