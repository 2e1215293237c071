import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isAlive } from '@treadle/process/testing/alive'
import { descendants } from '@treadle/process/tree'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { needSandbox } from '../conformance/need-sandbox.ts'
import { openShell } from '../shell.ts'
import { wrap } from './bubblewrap.ts'
import { confine } from './sandbox.ts'

let folder: string
let worktree: string
let home: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-')))
  worktree = join(folder, 'worktree')
  home = join(folder, 'home')
  for (const path of [worktree, home]) mkdirSync(path)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function confined(line: string, isReadOnly = false, sshAgent?: string): Promise<readonly string[]> {
  const argv = ['/bin/sh', '-c', line]
  const found = await confine({
    mode: 'required',
    argv,
    cwd: worktree,
    writable: [home],
    isReadOnly,
    sshAgent,
  })
  if (found.is === 'refused') throw new Error(found.why)
  return found.argv
}

async function run(line: string, isReadOnly = false): Promise<string> {
  const [program = '', ...args] = await confined(line, isReadOnly)
  return execFileSync(program, args, { cwd: worktree, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

test('what is confined writes to its worktree and its home, and nowhere else', async (context) => {
  if (!(await needSandbox(context))) return
  writeFileSync(join(folder, 'outside'), 'as it was')
  // Not beside the sources, which may lie in a folder that the inside gets an empty one of.
  const outside = '/usr/share/treadle-written-from-inside'
  onTestFinished(() => rmSync(outside, { force: true }))
  await run(`echo in > inside; echo home > ${home}/settings`)
  expect(readFileSync(join(worktree, 'inside'), 'utf8')).toBe('in\n')
  expect(readFileSync(join(home, 'settings'), 'utf8')).toBe('home\n')
  await expect(run(`echo out > ${outside}`)).rejects.toThrow('Read-only file system')
  await run(`echo changed > ${folder}/outside; echo new > /tmp/sandbox-new; test -e /tmp/sandbox-new`)
  expect(readFileSync(join(folder, 'outside'), 'utf8')).toBe('as it was')
  expect([outside, '/tmp/sandbox-new'].some((path) => existsSync(path))).toBe(false)
})

test('the state of the workspace around a worktree is not to be seen', async (context) => {
  if (!(await needSandbox(context))) return
  worktree = join(folder, '.treadle/worktrees/agent-1')
  mkdirSync(worktree, { recursive: true })
  writeFileSync(join(folder, '.treadle/token'), 'secret')
  expect(await run('echo mine > a.txt; cat a.txt; ls ../..')).toBe('mine\nworktrees\n')
})

test('a reader changes nothing in the worktree either', async (context) => {
  if (!(await needSandbox(context))) return
  writeFileSync(join(worktree, 'a.txt'), 'text')
  expect(await run('cat a.txt', true)).toBe('text')
  await expect(run('echo more >> a.txt', true)).rejects.toThrow('Read-only file system')
})

/** A folder that is not in a temporary one: those are hidden anyway. */
function placeInSight(): string {
  const isFit = (path: string) => {
    if (/^\/(var\/)?tmp(\/|$)/.test(path)) return false
    try {
      accessSync(path, constants.W_OK)
      return true
    } catch {
      return false
    }
  }
  const found = [homedir(), import.meta.dirname, '/opt', '/srv', '/var/lib', '/usr/share'].find(isFit)
  if (found === undefined) throw new Error('there is no folder to write to')
  return found
}

/** A checkout in the temporary folder has its own Node there, which nobody inside can see. */
function nodeInSight(): string {
  const known = [process.execPath, '/usr/local/bin/node', '/usr/bin/node']
  const found = known.find((path) => existsSync(path) && !path.startsWith(`${tmpdir()}/`))
  if (found === undefined) throw new Error('there is no Node outside the temporary folder')
  return found
}

test('the key of the owner is out of sight', async (context) => {
  if (!(await needSandbox(context))) return
  const home = mkdtempSync(join(placeInSight(), 'home-'))
  vi.stubEnv('HOME', home)
  try {
    mkdirSync(join(home, '.config/treadle'), { recursive: true })
    writeFileSync(join(home, '.config/treadle/owner.key'), 'the key')
    writeFileSync(join(home, 'note.txt'), 'in sight')
    expect(await run(`cat ${home}/note.txt`)).toBe('in sight')
    expect(await run(`ls -A ${home}/.config/treadle`)).toBe('')
  } finally {
    vi.unstubAllEnvs()
    rmSync(home, { recursive: true, force: true })
  }
})

test('the sockets of the user are out of reach: his session bus, and his ssh agent wherever it is', async (context) => {
  if (!(await needSandbox(context))) return
  const place = mkdtempSync(join(placeInSight(), 'agent-'))
  const path = relative(process.cwd(), join(place, 's'))
  const server = createServer((socket) => socket.end('keys')).listen(path)
  try {
    await once(server, 'listening')
    const call = `require('net').connect('s').on('data', (d) => process.stdout.write(d)).on('error', () => process.stdout.write('none'))`
    const ask = `cd ${place}; ${nodeInSight()} -e "${call}"; ls -A /run/user 2> /dev/null`
    const reached = async (agent?: string) => {
      const [program = '', ...args] = await confined(`${ask}; true`, false, agent)
      return (await promisify(execFile)(program, args)).stdout
    }
    expect(await reached()).toBe('keys')
    expect(await reached(join(place, 's'))).toBe('none')
  } finally {
    server.close()
    rmSync(place, { recursive: true, force: true })
  }
})

test('no engine is told where the ssh agent of the user is', async () => {
  const opened = await openShell({
    cwd: worktree,
    env: { PATH: '/usr/bin:/bin', SSH_AUTH_SOCK: '/run/agent' },
    sandbox: 'off',
    isReadOnly: false,
  })
  if (opened.is === 'refused') throw new Error(opened.why)
  const { signal } = new AbortController()
  const { output } = await opened.shell.run({ argv: ['env'], timeoutMs: 200_000, signal })
  expect(output).toContain('PATH=')
  expect(output).not.toContain('SSH_AUTH_SOCK')
})

test('a linked worktree is readable to git, and only we can commit', async (context) => {
  if (!(await needSandbox(context))) return
  const git = (...args: string[]) => execFileSync('git', ['-C', join(folder, 'main'), ...args])
  mkdirSync(join(folder, 'main'))
  git('init', '-q')
  git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-q', '--allow-empty', '-m', 'first')
  rmSync(worktree, { recursive: true })
  git('worktree', 'add', '-q', '-b', 'work', worktree)
  expect(await run('git log --format=%s; echo a > a.txt; git status --short')).toBe('first\n?? a.txt\n')
  await expect(run('git add a.txt')).rejects.toThrow('Read-only file system')
})

/** The number of a process that starts one in a session of its own, which a kill of the group would not find. */
async function startTree(): Promise<{ child: ChildProcess; pids: number[] }> {
  const argv = await confined('setsid sleep 600 & echo ready; sleep 600')
  const starter = `require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: 'inherit' })`
  const child = spawn(process.execPath, ['-e', starter, ...argv], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const pids = descendants(child.pid ?? 0)
  return { child, pids }
}

test('SIGKILL of the parent leaves no process', async (context) => {
  if (!(await needSandbox(context))) return
  const { child, pids } = await startTree()
  expect(pids.length).toBeGreaterThan(3)
  child.kill('SIGKILL')
  for (let round = 0; round < 2_000 && pids.some(isAlive); round += 1) await sleep(50)
  expect(pids.filter(isAlive)).toEqual([])
})

test.each([
  ['auto', { is: 'ready', warning: expect.stringContaining('not confined') }],
  ['required', { is: 'refused', why: expect.stringContaining('apt-get install bubblewrap') }],
] as const)('without bubblewrap and %s', async (mode, expected) => {
  const bwrap = join(folder, 'no-such-bwrap')
  const argv = ['/bin/true']
  const found = await confine({ mode, argv, cwd: worktree, writable: [], isReadOnly: false, bwrap })
  expect(found).toMatchObject(expected)
})

test('off: the command line stays as it is', async () => {
  const argv = ['claude', '-p']
  const found = await confine({ mode: 'off', argv, cwd: worktree, writable: [], isReadOnly: false })
  expect(found).toEqual({ is: 'ready', argv, warning: null })
})

test('the worktree is bound after all that could cover it', () => {
  const room = {
    worktree: '/tmp/w',
    isReadOnly: false,
    writable: ['/h'],
    readable: ['/usr', '/tmp/x'],
    hidden: [],
  }
  const line = wrap('bwrap', ['true'], room).join(' ')
  expect(line.indexOf('--bind /tmp/w /tmp/w')).toBeGreaterThan(line.indexOf('--tmpfs /tmp'))
  expect(line).toContain('--ro-bind /tmp/x /tmp/x')
  expect(line).not.toContain('--ro-bind /usr /usr')
})
