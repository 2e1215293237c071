import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { atSomePace } from '@treadle/requirements/pace'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, test } from 'vitest'
import { env as toolEnv } from '../../../tools/env.ts'
import { readEvidence } from './evidence.ts'
import { type CommandRun, runCommand, unconfined } from './run-command.ts'

function setUp() {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-gates-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const evidenceDir = join(dir, 'evidence')
  const run = (command: string, more: Partial<CommandRun> = {}) =>
    runCommand({
      command,
      cwd: dir,
      env: { PATH: toolEnv.path },
      // Less than the 300 seconds that what hangs takes here, and more than anything else does.
      timeoutMs: 200_000,
      evidenceDir,
      tailBytes: 1_000,
      surroundings: unconfined('test'),
      graceMs: 500,
      ...more,
    })
  const text = async (sha256: string) => (await readEvidence(evidenceDir, sha256, 1_000_000))?.text
  return { dir, evidenceDir, run, text }
}

function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return existsSync('/proc') ? false : process.kill(pid, 0)
  }
}

const pidsIn = (folder: string): number[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.pid'))
    .map((name) => Number(readFileSync(join(folder, name), 'utf8')))

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 5_000 && !condition(); tries += 1) await pause(20)
  expect(condition()).toBe(true)
}

verifies(
  'META-TEST-2',
  'both streams, the exit code and the hash of the whole output are captured',
  async () => {
    const { run, text, evidenceDir } = setUp()
    const ended = await run('echo out; echo err >&2; exit 3')
    expect(ended).toMatchObject({
      exitCode: 3,
      signal: null,
      timedOut: false,
      aborted: false,
      outputBytes: 8,
    })
    const stored = (await text(ended.output)) ?? ''
    expect(stored.split('\n').sort()).toEqual(['', 'err', 'out'])
    expect(ended.tail).toBe(stored)
    expect(ended.output).toBe(createHash('sha256').update(stored).digest('hex'))
    expect(readdirSync(evidenceDir)).toEqual([ended.output.slice(0, 2)])
  },
)

test('the same output is stored once; a hash that is not there or not one reads as nothing', async () => {
  const { run, evidenceDir } = setUp()
  const first = await run('echo same')
  const second = await run('printf "same\\n"')
  expect(second.output).toBe(first.output)
  expect(readdirSync(join(evidenceDir, first.output.slice(0, 2)))).toEqual([first.output])
  expect(await readEvidence(evidenceDir, 'f'.repeat(64), 10)).toBeNull()
  expect(await readEvidence(evidenceDir, '../../etc/passwd', 10)).toBeNull()
  expect(await readEvidence(evidenceDir, first.output, 3)).toEqual({
    text: 'me\n',
    bytes: 5,
    complete: false,
  })
})

test('a command that ends by a signal, cannot be found, or reads its input', async () => {
  const { run } = setUp()
  expect(await run('kill -SEGV $$')).toMatchObject({ exitCode: null, signal: 'SIGSEGV' })
  // Where a folder of PATH may not be searched, a shell says "Permission denied" instead of "not found".
  expect(await run('no-such-command-here')).toMatchObject({
    exitCode: 127,
    tail: expect.stringContaining('no-such-command-here'),
  })
  expect(await run('cat; echo end')).toMatchObject({ exitCode: 0, tail: 'end\n' })
  await expect(run('true', { cwd: '/no/such/folder' })).rejects.toThrow('does not exist')
})

test('the command sees only the environment it was given, and no child it did not start', async () => {
  const { run } = setUp()
  const ended = await run('env | cut -d= -f1 | sort | tr "\\n" " "; wait', {
    env: { PATH: toolEnv.path, GIVEN: 'x' },
  })
  const names = ended.tail.split('\n')[0]?.split(' ') ?? []
  expect(names).toEqual(expect.arrayContaining(['GIVEN', 'PATH']))
  expect(names).not.toContain('HOME')
  expect(ended.exitCode).toBe(0)
})

verifies(
  'META-TEST-7',
  'a time-out ends the whole tree, also those that ignore SIGTERM or left the group',
  () =>
    atSomePace(async (unitMs) => {
      const { run, dir } = setUp()
      const tree = `
    echo $$ > top.pid
    (trap '' TERM; echo stubborn; sh -c 'echo $$ > stubborn.pid; trap "" TERM; while :; do sleep 1; done') &
    setsid sh -c 'echo $$ > session.pid; trap "" TERM; sleep 300 & echo $! > grandchild.pid; wait; sleep 300' &
    (setsid sh -c 'echo $$ > daemon.pid; exec sleep 300' &)
    trap '' TERM
    while :; do sleep 1; done`
      const ended = await run(tree, { timeoutMs: 4 * unitMs })
      const pids = pidsIn(dir)
      expect(pids).toHaveLength(5)
      expect(ended).toMatchObject({
        timedOut: true,
        exitCode: null,
        signal: 'SIGKILL',
        tail: 'stubborn\n',
      })
      expect(pids.filter(isAlive)).toEqual([])
    }),
)

test('a command that cleans up on SIGTERM gets the time to', () =>
  atSomePace(async (unitMs) => {
    const { run } = setUp()
    const ended = await run(`trap 'sleep 0.3; echo cleaned; exit 0' TERM; sleep 300 & wait`, {
      timeoutMs: 2 * unitMs,
      graceMs: 100_000,
    })
    expect(ended).toMatchObject({ timedOut: true, exitCode: 0, tail: 'cleaned\n' })
  }))

test('what a command leaves running is ended, and does not keep the result waiting', async () => {
  const { run, dir } = setUp()
  const ended = await run(`
    sleep 300 & echo $! > one.pid
    setsid sh -c 'echo $$ > two.pid; exec sleep 300' &
    while [ ! -s two.pid ]; do sleep 0.02; done
    echo done`)
  expect(ended).toMatchObject({ exitCode: 0, timedOut: false, tail: 'done\n' })
  expect(pidsIn(dir)).toHaveLength(2)
  expect(pidsIn(dir).filter(isAlive)).toEqual([])
})

test('an abort ends it like a time-out does, also one that came before the start', async () => {
  const { run, dir } = setUp()
  const stop = new AbortController()
  const running = run('sleep 300 & echo $! > child.pid; wait', { signal: stop.signal })
  await until(() => pidsIn(dir)[0] !== undefined && pidsIn(dir)[0] !== 0)
  stop.abort()
  expect(await running).toMatchObject({ aborted: true, timedOut: false })
  expect(pidsIn(dir).filter(isAlive)).toEqual([])
  expect(await run('sleep 300', { signal: AbortSignal.abort() })).toMatchObject({ aborted: true })
})

test('the command dies with the process that runs it, even by kill -9', async () => {
  const { dir, evidenceDir } = setUp()
  const options = {
    command: 'sleep 300 & echo $! > child.pid; wait',
    cwd: dir,
    env: { PATH: toolEnv.path },
    timeoutMs: 60_000,
    evidenceDir,
    tailBytes: 10,
  }
  const script = `
    import { runCommand, unconfined } from ${JSON.stringify(new URL('./run-command.ts', import.meta.url).href)}
    await runCommand({ ...${JSON.stringify(options)}, surroundings: unconfined('test') })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
  await until(() => existsSync(join(dir, 'child.pid')) && pidsIn(dir)[0] !== 0)
  const [pid = 0] = pidsIn(dir)
  expect(isAlive(pid)).toBe(true)
  child.kill('SIGKILL')
  await until(() => !isAlive(pid))
})

test('output without end is cut on disk, and the rest of the run still counts', async () => {
  const { run, text } = setUp()
  const ended = await run('yes x | head -c 500000; echo the end; exit 4', { outputBytesMax: 10_000 })
  expect(ended.exitCode).toBe(4)
  expect(ended.tail).toContain('the end')
  expect(ended.outputBytes).toBeLessThan(10_200)
  expect(ended.printedBytes).toBe(500_008)
  const kept = await text(ended.output)
  expect(kept).toMatch(
    /^(?:x\n){3750}\n\[output cut here: 490008 of 500008 bytes are not kept\]\n(?:x\n){1246}the end\n$/,
  )
  const whole = await run('yes x | head -c 9990; echo the end', { outputBytesMax: 10_000 })
  expect([whole.outputBytes, whole.printedBytes]).toEqual([9_998, undefined])
})

test('the tail is text: no control sequences, no null bytes, whole characters', async () => {
  const { run } = setUp()
  const ended = await run(`printf 'aäöü\\033[31mred\\033[0m\\000\\377end'`, { tailBytes: 500 })
  expect(ended.tail).toBe('aäöüred␀\ufffdend')
  const short = await run(`printf 'ääää'`, { tailBytes: 5 })
  expect(short.tail).toBe('ää')
})

test('secrets do not reach the evidence, not even in pieces', async () => {
  const { run, text } = setUp()
  const secrets = [
    'sk-abcdefghijklmnopqrstuvwxyz0123',
    'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    'AKIAABCDEFGHIJKLMNOP',
    'my-own-$ecret-value',
  ]
  const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\nMIIEdef\n-----END RSA PRIVATE KEY-----'
  const ended = await run(
    `for s in ${secrets.map((secret) => `'${secret}'`).join(' ')}; do echo "before $s after"; printf '%s' "$s" | fold -w 7 | tr -d '\\n'; echo; done
     printf 'tok: ghp_abcdefghijklmnop'; sleep 0.2; printf 'qrstuvwxyz0123456789\\n'
     echo 'Authorization: Bearer abcdefghijklmnop.qrstuv'
     echo '${key}'; echo after the key`,
    { secrets: ['my-own-$ecret-value', ''] },
  )
  const stored = (await text(ended.output)) ?? ''
  for (const secret of [...secrets, 'abcdefghijklmnop', 'MIIE']) expect(stored).not.toContain(secret)
  expect(stored).toContain('before [redacted] after')
  expect(stored).toContain('Authorization: Bearer [redacted]')
  expect(stored).toContain('after the key')
  const harmless = await run(
    'echo "task-1 sk-short risk-abc bearer of news AKIA AKIAlowercase ghp_x 0xdeadbeef"',
  )
  expect(harmless.tail).toBe('task-1 sk-short risk-abc bearer of news AKIA AKIAlowercase ghp_x 0xdeadbeef\n')
})

test('evidence that cannot be written is a fault, and the command is ended', async () => {
  const { run, dir } = setUp()
  await expect(run('sleep 300', { evidenceDir: '/dev/null/evidence' })).rejects.toThrow('could not be kept')
  expect(pidsIn(dir)).toEqual([])
})
