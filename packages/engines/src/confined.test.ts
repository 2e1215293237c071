// What engines start, confined by real bubblewrap: what it may write, what it cannot reach, and that it ends with us.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
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
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Engine, EngineEvent, TurnEnd } from '@treadle/flow/ports/engine'
import { isAlive } from '@treadle/process/testing/alive'
import { descendants } from '@treadle/process/tree'
import { needSandbox } from '@treadle/sandbox/testing/need-sandbox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCommand } from './command/engine.ts'
import { confineEngine } from './confined.ts'
import { openScripted } from './scripted/engine.ts'
import { openShell } from './shell.ts'

let folder: string
let root: string
let worktree: string
let home: string
let closing: (() => void)[] = []
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'confined-')))
  root = join(folder, 'project')
  worktree = join(root, '.treadle/worktrees/agent-1')
  home = join(folder, 'user')
  for (const path of [worktree, join(home, '.ssh'), join(root, '.claude-sessions')])
    mkdirSync(path, { recursive: true })
  writeFileSync(join(root, '.treadle/token'), 'SECRET token')
  writeFileSync(join(home, '.ssh/id_ed25519'), 'SECRET key')
})
afterEach(() => {
  for (const close of closing) close()
  closing = []
  rmSync(folder, { recursive: true, force: true })
})

const env = () => ({ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, SSH_AUTH_SOCK: join(home, 'agent') })

async function confined(line: string, isReadOnly = false): Promise<readonly string[]> {
  const own = join(folder, 'engine-home')
  mkdirSync(own, { recursive: true })
  const argv = ['/bin/sh', '-c', line]
  const wanted = { sandbox: { mode: 'required' }, argv, cwd: worktree, env: env() } as const
  const found = await confineEngine({ ...wanted, writable: [own], isReadOnly })
  if (found.is === 'refused') throw new Error(found.why)
  closing.push(() => found.close())
  return found.argv
}

async function run(line: string, isReadOnly = false): Promise<string> {
  const [program = '', ...args] = await confined(line, isReadOnly)
  return execFileSync(program, args, {
    cwd: worktree,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: env(),
  })
}

test('what is confined writes to its worktree and the engine home, and nowhere else', async (context) => {
  if (!(await needSandbox(context))) return
  writeFileSync(join(folder, 'outside'), 'as it was')
  const outside = '/usr/share/treadle-written-from-inside'
  await run(`echo in > inside; echo home > ${folder}/engine-home/settings`)
  expect(readFileSync(join(worktree, 'inside'), 'utf8')).toBe('in\n')
  expect(readFileSync(join(folder, 'engine-home/settings'), 'utf8')).toBe('home\n')
  await expect(run(`echo out > ${outside}`)).rejects.toThrow('Read-only file system')
  await run(`echo new > /tmp/confined-new; echo changed > ${folder}/outside || test -e /tmp/confined-new`)
  expect(readFileSync(join(folder, 'outside'), 'utf8')).toBe('as it was')
  expect([outside, '/tmp/confined-new'].some((path) => existsSync(path))).toBe(false)
})

test('a reader changes nothing in the worktree either', async (context) => {
  if (!(await needSandbox(context))) return
  writeFileSync(join(worktree, 'a.txt'), 'text')
  expect(await run('cat a.txt', true)).toBe('text')
  await expect(run('echo more >> a.txt', true)).rejects.toThrow('Read-only file system')
})

test('an answer that is a link to the owner’s key says nothing', async (context) => {
  if (!(await needSandbox(context))) return
  const key = join(home, '.config/treadle/owner.key')
  mkdirSync(dirname(key), { recursive: true })
  writeFileSync(key, 'SECRET owner')
  const end = await turn(command(`ln -s ${key} "$TREADLE_RESPONSE_FILE"`))
  expect(end).toMatchObject({ outcome: 'done', text: '' })
  expect(JSON.stringify(end.events)).not.toContain('SECRET')
  expect(existsSync(responseFile())).toBe(false)
})

test('sockets of the user are out of reach, wherever they are', async (context) => {
  if (!(await needSandbox(context))) return
  const place = mkdtempSync(join(homedir(), 'agent-'))
  const server = createServer((socket) => socket.end('keys')).listen(join(place, 's'))
  try {
    await once(server, 'listening')
    const call = `require('net').connect('${place}/s').on('data', (d) => process.stdout.write(d)).on('error', () => process.stdout.write('none'))`
    const ask = ['-e', call]
    const { stdout: reached } = await promisify(execFile)(process.execPath, ask)
    expect(reached).toBe('keys')
    const wanted = { sandbox: { mode: 'required' }, cwd: worktree, env: env() } as const
    for (const show of [[], [place]]) {
      const argv = [process.execPath, ...ask]
      const sandbox = { mode: 'required' as const, show }
      const agent = { ...env(), SSH_AUTH_SOCK: join(place, 's') }
      const found = await confineEngine({ ...wanted, sandbox, argv, env: agent })
      if (found.is === 'refused') throw new Error(found.why)
      const [program = '', ...args] = found.argv
      const { stdout } = await promisify(execFile)(program, args, { env: { ...found.env } })
      found.close()
      expect(stdout).toBe('none')
    }
  } finally {
    server.close()
    rmSync(place, { recursive: true, force: true })
  }
})

test('no engine is told where the ssh agent of the user is', async () => {
  const sandbox = { mode: 'off' } as const
  const opened = await openShell({ cwd: worktree, env: env(), sandbox, isReadOnly: false })
  if (opened.is === 'refused') throw new Error(opened.why)
  const { signal } = new AbortController()
  const { output } = await opened.shell.run({ argv: ['env'], timeoutMs: 200_000, signal })
  expect(output).toContain('PATH=')
  expect(output).not.toContain('SSH_AUTH_SOCK')
})

test('git inside a linked worktree works and reaches nothing', async (context) => {
  if (!(await needSandbox(context))) return
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      encoding: 'utf8',
    })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'first')
  rmSync(worktree, { recursive: true })
  git('worktree', 'add', '-q', '-b', 'work', worktree)
  expect(await run('git log --format=%s; echo a > a.txt; git add a.txt; git status --short')).toBe(
    'first\nA  a.txt\n',
  )
  expect(git('-C', worktree, 'status', '--short')).toBe('?? a.txt\n')
})

/** The number of a process that starts one in a session of its own, which a kill of the group would not find. */
async function startTree(): Promise<{ child: ChildProcess; pids: number[] }> {
  const argv = await confined('setsid sleep 600 & echo ready; sleep 600')
  const starter = `require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: 'inherit' })`
  const child = spawn(process.execPath, ['-e', starter, ...argv], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return { child, pids: descendants(child.pid ?? 0) }
}

test('SIGKILL of the parent leaves no process', async (context) => {
  if (!(await needSandbox(context))) return
  const { child, pids } = await startTree()
  expect(pids.length).toBeGreaterThan(3)
  child.kill('SIGKILL')
  for (let round = 0; round < 2_000 && pids.some(isAlive); round += 1) await sleep(50)
  expect(pids.filter(isAlive)).toEqual([])
})

/** All that an attack on the owner needs: his token, his keys, his agent, his checkout, a process that stays. */
const ATTACK = (mark: string) =>
  `cat ${root}/.treadle/token ${home}/.ssh/id_ed25519 > stolen 2>&1; echo "agent: $SSH_AUTH_SOCK" >> stolen; echo x > ${root}/PWNED; setsid -f env -i /bin/sleep ${mark}; true`

const responseFile = () => join(root, '.claude-sessions/agent-1.response.md')
function writeScenario(line: string): string {
  const steps = [[{ run: { command: line } }]]
  const scenario = join(folder, 'scenario.json')
  writeFileSync(scenario, JSON.stringify({ version: 1, items: [{ match: { number: 1 }, attempts: steps }] }))
  return scenario
}
const scripted = (line: string) =>
  openScripted({ scenario: writeScenario(line), sandbox: { mode: 'required' } })
const command = (line: string) =>
  openCommand({ run: line, responseFile: responseFile(), sandbox: { mode: 'required' } })

async function turn(engine: Engine): Promise<TurnEnd & { events: EngineEvent[] }> {
  const events: EngineEvent[] = []
  const session = await engine.open({
    cwd: worktree,
    env: env(),
    stallMs: 200_000,
    onEvent: (event) => void events.push(event),
    onQuestion: async () => ({ text: '' }),
  })
  const item = { projectNumber: 1, number: 1, title: 'a', body: '', acceptance: [] }
  const task = { text: 'go', item, attempt: 1, testCommand: null, failures: [], evidence: [] }
  const end = await session.prompt(task as never)
  await session.stop(1_000)
  return { ...end, events }
}

test.for([
  ['command', command],
  ['scripted', scripted],
] as const)(
  '%s: what it starts reads no secret, writes nothing outside and leaves no process',
  async ([name, engine], context) => {
    if (!(await needSandbox(context))) return
    const mark = `97${process.pid}${name.length}`
    const end = await turn(engine(ATTACK(mark)))
    expect(end.outcome).toBe('done')
    const stolen = readFileSync(join(worktree, 'stolen'), 'utf8')
    expect(stolen).not.toContain('SECRET')
    expect(stolen).toMatch(/^agent: $/m)
    expect(existsSync(join(root, 'PWNED'))).toBe(false)
    const alive = () =>
      execFileSync('/bin/sh', ['-c', `ps axo args | grep -c '^/bin/[s]leep ${mark}' || true`], {
        encoding: 'utf8',
      })
    await expect.poll(alive).toBe('0\n')
  },
)

test.each([
  [
    'command',
    (bwrap: string) =>
      openCommand({ run: 'touch ran', responseFile: responseFile(), sandbox: { mode: 'required', bwrap } }),
  ],
  [
    'scripted',
    (bwrap: string) =>
      openScripted({ scenario: writeScenario('touch ran'), sandbox: { mode: 'required', bwrap } }),
  ],
] as const)('%s: required starts nothing where there is no sandbox', async (_, engine) => {
  const end = await turn(engine(join(folder, 'no-such-bwrap')))
  expect(end).toMatchObject({
    outcome: 'invalid',
    text: expect.stringContaining('apt-get install bubblewrap'),
  })
  expect(existsSync(join(worktree, 'ran'))).toBe(false)
})

test('the command engine is told its request and answers in its own file, of which people have a copy', async (context) => {
  if (!(await needSandbox(context))) return
  writeFileSync(responseFile().replace('.response.md', '.session'), '{"status":"working"}')
  writeFileSync(join(root, '.claude-sessions/agent-2.session'), 'SECRET')
  const line = `cat "$TREADLE_PROMPT_FILE" > told; ls .. ${root}/.claude-sessions > seen; cat "\${TREADLE_RESPONSE_FILE%.response.md}.session" >> seen; printf 'All well.\\nTreadle: done\\n' > "$TREADLE_RESPONSE_FILE"`
  expect(await turn(command(line))).toMatchObject({ outcome: 'done', text: 'All well.' })
  expect(readFileSync(join(worktree, 'told'), 'utf8')).toContain('/project-start 1')
  const seen = readFileSync(join(worktree, 'seen'), 'utf8')
  expect(seen).toContain('working')
  expect(seen).not.toContain('agent-2')
  expect(readFileSync(responseFile(), 'utf8')).toContain('All well.')
})
