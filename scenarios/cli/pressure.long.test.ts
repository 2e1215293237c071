// What a person is told when the machine stands in the way: a slow start, a full or read-only disk, damaged settings.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { notRun } from '@treadle/requirements/not-run'
import { afterAll, expect, type TestContext, test } from 'vitest'
import { cleanEnv } from '../env.ts'
import { LAUNCHER, run, start } from '../kit/command.ts'
import { clearWorkspace, type Daemon, type Ended, startDaemon, stopDaemon } from '../kit/daemon.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'

const made: Workspace[] = []
afterAll(async () => {
  for (const workspace of made) await clearWorkspace(workspace)
})

function workspaceOf(): Workspace {
  const workspace = makeWorkspace()
  made.push(workspace)
  return workspace
}

const UP = ['up', '--detach', '--agents', '0']
const STARTED = [process.execPath, LAUNCHER, ...UP, '--die-with', String(process.pid)]
const STACK = /^\s+at /m

test('a treadle.json that cannot be parsed stops up and doctor, with line and column', async () => {
  const workspace = workspaceOf()
  workspace.write('treadle.json', '{\n  "tests": { "command": "true" }\n  "merge": {}\n}\n')
  const up = await run(workspace, UP)
  expect(up).toMatchObject({ code: 1, stdout: '' })
  expect(up.stderr).toContain(
    "treadle.json cannot be parsed: line 3, column 3: Expected ',' or '}' after property value.",
  )
  expect(up.stderr).toContain(`${workspace.root}/treadle.json:3:3`)
  expect(existsSync(workspace.paths.daemon)).toBe(false)
  const doctor = await run(workspace, ['doctor'])
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toContain('treadle.json cannot be parsed: line 3, column 3')
})

let running: Promise<Daemon> | undefined

/** One daemon for the tests that it outlives, and for the last of them, which stops it. */
function daemonOnce(): Promise<Daemon> {
  running ??= startDaemon(workspaceOf())
  return running
}

test('one that is damaged while the daemon runs leaves in force what was', async () => {
  const { workspace, client } = await daemonOnce()
  const sound = { tests: { command: 'true' }, merge: { approval: 'checks' } }
  workspace.setConfig(sound)
  const approval = async () => (await client.workspace()).config.merge.approval
  await expect.poll(approval).toBe('checks')
  workspace.write('treadle.json', '{ "merge": ')
  const again = await run(workspace, UP)
  expect(again.code).toBe(0)
  expect(await approval()).toBe('checks')
  workspace.setConfig(sound)
})

test('a daemon that needs more than a minute to start is waited for', { timeout: 300_000 }, async () => {
  const workspace = workspaceOf()
  const slow = `${workspace.home}/slow.mjs`
  // The clock of the command goes three times as fast as that of the daemon: a minute of its patience takes 20 seconds.
  writeFileSync(
    slow,
    `if (process.argv[1]?.endsWith('daemon/src/main.ts')) await new Promise((done) => setTimeout(done, 24_000))
    else {
      const now = Date.now
      const began = now()
      Date.now = () => began + 3 * (now() - began)
    }
    `,
  )
  const up = await run(workspace, UP, { added: { NODE_OPTIONS: `--import=${slow}` } })
  expect(up.stderr).toMatch(/The daemon \(process \d+\) is still starting, \d+ s so far\./)
  expect(up.stderr).not.toContain('did not start')
  expect(up).toMatchObject({ code: 0 })
  expect(up.stdout).toMatch(/^Running \(process \d+\)/)
})

test('a daemon that is too busy to answer is waited for, and not called away', {
  timeout: 120_000,
}, async () => {
  const { workspace, pid } = await daemonOnce()
  process.kill(pid, 'SIGSTOP')
  const list = start(workspace, ['list'])
  await sleep(12_000)
  process.kill(pid, 'SIGCONT')
  expect(await list.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('No items.') })
})

test('a port that is taken is left to whoever has it', async () => {
  const first = await daemonOnce()
  const { workspace } = first
  const port = Number(new URL(first.url).port)
  await stopDaemon(first)
  const other = createServer().listen(port, '127.0.0.1')
  const second = await startDaemon(workspace)
  expect(second.url).not.toBe(first.url)
  expect(await second.client.health()).toMatchObject({ ok: true })
  await stopDaemon(second)
  other.close()
})

/** Runs a command where `.treadle` is a disk of its own; it is only seen by the command. */
async function onDisk(
  { workspace, context }: { workspace: Workspace; context: TestContext },
  mount: string,
  command: readonly string[],
): Promise<Ended> {
  const can = spawnSync('unshare', ['-m', 'true']).status === 0
  if (!can) notRun(context, 'a disk of its own needs the right to mount', 'run the tests as root')
  mkdirSync(workspace.paths.state, { recursive: true })
  const script = `${mount.replaceAll('STATE', `'${workspace.paths.state}'`)} && exec "$@"`
  const child = spawn('unshare', ['-m', 'sh', '-c', script, 'sh', ...command], {
    cwd: workspace.root,
    env: cleanEnv(workspace.home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: child.exitCode, stdout, stderr }
}

test('a full disk at the start is called a full disk', async (context) => {
  const workspace = workspaceOf()
  const up = await onDisk({ workspace, context }, 'mount -t tmpfs -o size=1m tmpfs STATE', STARTED)
  expect(up.code).toBe(1)
  expect(up.stderr).toMatch(/The disk is full: \d\.\d MB are free for .*\.treadle/)
  expect(up.stderr).not.toMatch(STACK)
})

test('a disk that fills up while the daemon starts is called full, not a wrong address', async (context) => {
  const workspace = workspaceOf()
  const up = await onDisk({ workspace, context }, 'mount -t tmpfs -o size=20m tmpfs STATE', STARTED)
  expect(up.code).toBe(1)
  expect(up.stderr).toMatch(/disk (?:of the database )?is full|No space left|ENOSPC/)
  expect(up.stderr).not.toMatch(/DATABASE_URL|something else listening/)
  expect(up.stderr).not.toMatch(STACK)
})

test('a folder that can only be read is called that', async (context) => {
  const workspace = workspaceOf()
  const readOnly = 'mount -t tmpfs -o ro tmpfs STATE'
  const up = await onDisk({ workspace, context }, readOnly, STARTED)
  expect(up.code).toBe(1)
  expect(up.stderr).toMatch(/\.treadle\/.* is on a disk that can only be read\./)
  expect(up.stderr).not.toMatch(STACK)
})

test('a disk that is full while the daemon runs is called full, and work goes on when there is room', async (context) => {
  const workspace = workspaceOf()
  workspace.write('large.txt', randomBytes(40_000).toString('base64'))
  // One disk for all of it: each command sees what the others have written.
  const script = [
    `'${STARTED.join("' '")}' >/dev/null || exit 9`,
    `t() { '${process.execPath}' '${LAUNCHER}' "$@" 2>&1; echo "ended with $?"; }`,
    't add before',
    'dd if=/dev/zero of=.treadle/fill bs=64k 2>/dev/null',
    't add during --body-file large.txt',
    'rm .treadle/fill',
    't add after --body-file large.txt',
    't list',
    't down',
  ].join('\n')
  const { stdout } = await onDisk({ workspace, context }, 'mount -t tmpfs -o size=300m tmpfs STATE', [
    'sh',
    '-c',
    script,
  ])
  const [, during = '', after = '', list = ''] = stdout.split(/ended with \d\n/)
  expect(stdout.match(/ended with (\d)/g)).toEqual([0, 1, 0, 0, 0].map((code) => `ended with ${code}`))
  expect(during).toMatch(/the disk of the database is full: .*No space left/)
  expect(during).not.toMatch(/DATABASE_URL|something else listening/)
  expect(after).toContain('Added')
  expect(list).toContain('before')
  expect(list).not.toContain('during')
})

test('a file where the folder of the workspace should be is named', async () => {
  const workspace = workspaceOf()
  rmSync(workspace.paths.state, { recursive: true, force: true })
  writeFileSync(workspace.paths.state, 'in the way\n')
  const up = await run(workspace, UP)
  expect(up.code).toBe(1)
  expect(up.stderr).toMatch(/is in the way at .*\.treadle/)
  expect(up.stderr).not.toMatch(STACK)
  expect(readFileSync(workspace.paths.state, 'utf8')).toBe('in the way\n')
})
