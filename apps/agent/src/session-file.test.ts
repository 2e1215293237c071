import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionFile } from '@treadle/contracts/session-file'
import type { Clock } from '@treadle/flow/ports/clock'
import { verifies } from '@treadle/requirements/verifies'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AgentSessionFile, sessionFilePath } from './session-file.ts'

let workspace: string
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'session-'))
})
afterEach(() => {
  if (existsSync(folder())) chmodSync(folder(), 0o755)
  rmSync(workspace, { recursive: true, force: true })
})

const folder = () => join(workspace, '.claude-sessions')
const path = (agentId = 'agent-1') => join(folder(), `${agentId}.session`)
const onDisk = (agentId = 'agent-1'): unknown => JSON.parse(readFileSync(path(agentId), 'utf8'))

const NOW = '2026-11-15T10:00:00.000Z'
const idle = {
  agentId: 'agent-1',
  status: 'idle',
  currentProjectNumber: null,
  currentPhase: null,
  branchName: null,
  lastHeartbeat: NOW,
  tasksCompleted: 0,
  currentTaskDescription: null,
  errorCount: 0,
  lastError: null,
}

/** A clock that stands still, and does `onSleep` instead of sleeping. */
function make(agentId = 'agent-1', onSleep: (ms: number) => void = () => undefined) {
  const slept: number[] = []
  const logged: string[] = []
  const clock: Clock = {
    now: () => new Date(NOW),
    sleep: async (ms) => {
      slept.push(ms)
      onSleep(ms)
    },
  }
  const file = new AgentSessionFile({ workspace, agentId, clock, log: (line) => logged.push(line) })
  return { file, slept, logged }
}

const source = JSON.stringify(new URL('./session-file.ts', import.meta.url).href)

/** Another process with the session file of an agent at hand, as `file`. */
function inChild(agentId: string, body: string): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const program = `
    import { AgentSessionFile } from ${source}
    import { readFileSync } from 'node:fs'
    const slept = [], logged = []
    const file = new AgentSessionFile({
      workspace: ${JSON.stringify(workspace)}, agentId: ${JSON.stringify(agentId)}, log: (line) => logged.push(line),
      clock: { now: () => new Date(), sleep: async (ms) => { slept.push(ms) } } })
    ${body}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return child as ChildProcess & { stdout: NodeJS.ReadableStream }
}

verifies('ORCH-1.2-1', 'the file of agent n is .claude-sessions/agent-n.session', async () => {
  for (const agentId of ['agent-1', 'agent-12']) await make(agentId).file.update({})
  const names = readdirSync(join(workspace, '.claude-sessions')).filter((name) => name.endsWith('.session'))
  expect(names.sort()).toEqual(['agent-1.session', 'agent-12.session'])
  expect(sessionFilePath(workspace, 'agent-12')).toBe(path('agent-12'))
})

verifies('ORCH-1.2-2', 'the file is JSON with exactly the fields of the format', async () => {
  const { file } = make()
  const working: Omit<SessionFile, 'agentId' | 'lastHeartbeat'> = {
    status: 'working',
    currentProjectNumber: 42,
    currentPhase: 'build',
    branchName: 'agent-1/project-42',
    tasksCompleted: 3,
    currentTaskDescription: 'Fix the sum',
    errorCount: 1,
    lastError: 'it broke',
  }
  expect(await file.update(working)).toEqual({ is: 'written' })
  expect(onDisk()).toEqual({ agentId: 'agent-1', lastHeartbeat: NOW, ...working })
  expect(Object.keys(onDisk() as object).sort()).toEqual(Object.keys(idle).sort())
  expect(await make().file.read()).toEqual(onDisk())
})

verifies('ORCH-1.2-3', 'a status is one of eight words, and no other is accepted', async () => {
  const accepted: string[] = []
  const words = ['idle', 'working', 'reviewing', 'ideating', 'paused', 'stopped', 'crashed', 'failed']
  for (const status of [...words, 'IDLE', 'draining', 'frozen', 'running', '']) {
    const { file, logged } = make()
    mkdirSync(folder(), { recursive: true })
    writeFileSync(path(), JSON.stringify({ ...idle, status }))
    const read = await file.read()
    if (logged.length === 0 && read.status === status) accepted.push(status)
  }
  expect(accepted).toEqual(words)
})

verifies('ORCH-1.2-4', 'exactly five fields may be null', async () => {
  const nullable: string[] = []
  for (const key of Object.keys(idle)) {
    const { file, logged } = make()
    mkdirSync(folder(), { recursive: true })
    const written = { ...idle, currentProjectNumber: 7, tasksCompleted: 5, [key]: null }
    writeFileSync(path(), JSON.stringify(written))
    const read = await file.read()
    if (logged.length > 0) continue
    expect(read).toEqual(written)
    nullable.push(key)
  }
  const five = ['currentProjectNumber', 'currentPhase', 'branchName', 'currentTaskDescription', 'lastError']
  expect(nullable.sort()).toEqual(five.sort())
})

verifies('ORCH-1.2-5', 'an update writes a second file and renames it over the first', async () => {
  const { file } = make()
  await file.update({ tasksCompleted: 1 })
  const old = openSync(path(), 'r')
  const seen = new Set<string>()
  const watcher = watch(folder(), (_, name) => seen.add(String(name)))
  try {
    await file.update({ tasksCompleted: 2 })
    // Whoever had the old file open still reads all of it.
    expect(JSON.parse(readFileSync(old, 'utf8'))).toMatchObject({ tasksCompleted: 1 })
    expect(onDisk()).toMatchObject({ tasksCompleted: 2 })
    await vi.waitUntil(() => seen.has(basename(path())), 60_000)
    expect([...seen].filter((name) => name.endsWith('.tmp'))).toHaveLength(1)
    expect(readdirSync(folder()).filter((name) => name.endsWith('.tmp'))).toEqual([])
  } finally {
    watcher.close()
    closeSync(old)
  }
})

verifies('ORCH-1.2-6', 'agents that write at the same time do not disturb each other', async () => {
  const agents = ['agent-1', 'agent-2', 'agent-3']
  const writers = agents.map((agentId) =>
    inChild(
      agentId,
      'for (let n = 1; n <= 40; n++) await file.update({ tasksCompleted: n }); console.log(logged.length)',
    ),
  )
  expect(await Promise.all(writers.map((writer) => text(writer.stdout)))).toEqual(['0\n', '0\n', '0\n'])
  for (const agentId of agents) expect(onDisk(agentId)).toMatchObject({ agentId, tasksCompleted: 40 })
})

verifies(
  'AC-1.2.b',
  'a reader never sees a broken file while a writer writes as fast as it can',
  async () => {
    await make().file.update({})
    const writer = inChild(
      'agent-1',
      'for (let n = 1; ; n++) await file.update({ tasksCompleted: n, lastError: "x".repeat(200_000 - (n % 7)) })',
    )
    const gone = once(writer, 'exit')
    const seen = new Set<number>()
    try {
      // Reading goes on until the writer has really been at work, so that reads and writes did meet.
      const end = Date.now() + 30_000
      while (seen.size < 40 && Date.now() < end) {
        const read = JSON.parse(readFileSync(path(), 'utf8')) as SessionFile
        seen.add(read.tasksCompleted)
        if (read.tasksCompleted > 0) expect(read.lastError?.length).toBe(200_000 - (read.tasksCompleted % 7))
      }
    } finally {
      writer.kill('SIGKILL')
      await gone
    }
    expect(seen.size).toBeGreaterThanOrEqual(40)
    // Killed in the middle of its work, it leaves a whole file.
    expect(onDisk()).toMatchObject({ agentId: 'agent-1' })
  },
)

test('what a killed process left half-written is removed, what a living one writes is not', async () => {
  mkdirSync(folder())
  const dead = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  await once(dead, 'exit')
  const left = ['agent-1', 'agent-11'].map((agentId) => `${agentId}.session.${dead.pid}.tmp`)
  const living = `agent-1.session.${process.ppid}.tmp`
  for (const name of [...left, living]) writeFileSync(join(folder(), name), '{')
  await make().file.update({})
  const others = readdirSync(folder()).filter((name) => name.endsWith('.tmp'))
  expect(others.sort()).toEqual([living, left[1]].sort())
})

verifies('ORCH-1.2-7', 'every read validates, and an invalid file becomes the idle default', async () => {
  const { file, logged } = make()
  const broken = [
    { ...idle, status: 'sleeping' },
    { ...idle, lastHeartbeat: 'yesterday' },
    { ...idle, tasksCompleted: -1 },
    { ...idle, mood: 'fine' },
    { ...idle, agentId: 'agent-2' },
    { status: 'idle' },
    [],
  ]
  await file.update({ status: 'working', tasksCompleted: 9 })
  for (const [index, content] of broken.entries()) {
    writeFileSync(path(), JSON.stringify(content))
    expect(await file.read()).toEqual(idle)
    expect(onDisk()).toEqual(idle)
    expect(logged).toHaveLength(index + 1)
  }
})

verifies('AC-1.2.c', 'a file that is no JSON is made anew as idle, and that is logged', async () => {
  const { file, logged } = make()
  mkdirSync(folder())
  for (const [index, content] of ['', '{ "agentId": "agent-1", "sta', '\0\0\0\0', 'hello'].entries()) {
    writeFileSync(path(), content)
    expect(await file.read()).toEqual(idle)
    expect(onDisk()).toEqual(idle)
    expect(logged).toHaveLength(index + 1)
    expect(logged[index]).toContain('corrupt')
    expect(logged[index]).toContain(path())
  }
})

verifies('AC-1.2.d', 'the folder is made before the first write, and git does not see it', async () => {
  expect(existsSync(folder())).toBe(false)
  const { file, logged } = make()
  await file.update({ status: 'working' })
  expect(onDisk()).toMatchObject({ status: 'working' })
  expect(readFileSync(join(folder(), '.gitignore'), 'utf8')).toBe('*\n')
  expect(logged).toEqual([])
  rmSync(folder(), { recursive: true })
  await file.update({ status: 'idle' })
  expect(onDisk()).toMatchObject({ status: 'idle' })
})

verifies('AC-1.2.e', 'no permission: logged, retried after 1, 2 and 4 seconds, then given up', async () => {
  chmodSync(workspace, 0o755)
  mkdirSync(folder())
  chmodSync(folder(), 0o555)
  // The bits mean nothing to root, so that the writer becomes somebody else when it is root.
  const writer = inChild(
    'agent-1',
    `if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534) }
     const written = await file.update({ status: 'working' })
     slept.length = 0; logged.length = 0
     const again = await file.update({ status: 'working' })
     console.log(JSON.stringify({ written, again, slept, logged }))`,
  )
  const { written, again, slept, logged } = JSON.parse(await text(writer.stdout))
  expect([written.is, again.is]).toEqual(['given_up', 'given_up'])
  expect(slept).toEqual([1_000, 2_000, 4_000])
  expect(logged).toHaveLength(4)
  for (const line of logged) expect(line).toContain('EACCES')
  expect(logged[3]).toContain('given up')
})

verifies('ORCH-1.2-8', 'an error of the file system is logged and retried, and stops nobody', async () => {
  // Something else in the folder's place keeps root out as well.
  writeFileSync(folder(), 'in the way')
  const blocked = make()
  expect(await blocked.file.update({ tasksCompleted: 1 })).toMatchObject({ is: 'given_up' })
  expect(await blocked.file.read()).toMatchObject({ tasksCompleted: 1 })
  expect(blocked.slept.slice(0, 3)).toEqual([1_000, 2_000, 4_000])
  expect(blocked.logged.length).toBeGreaterThan(0)

  // The third try finds the way free.
  const patient = make('agent-1', (ms) => {
    if (ms === 2_000) rmSync(folder(), { force: true })
  })
  expect(await patient.file.update({ tasksCompleted: 2 })).toEqual({ is: 'written' })
  expect(onDisk()).toMatchObject({ tasksCompleted: 2 })
  expect(patient.slept).toEqual([1_000, 2_000])

  // And the one that had given up goes on with what it knew.
  expect(await blocked.file.update({ errorCount: 1 })).toEqual({ is: 'written' })
  expect(onDisk()).toMatchObject({ tasksCompleted: 1, errorCount: 1 })
})

test('updates made together lose nothing and share writes', async () => {
  const { file } = make()
  await file.update({})
  let renames = 0
  const watcher = watch(folder(), (kind, name) => {
    if (kind === 'rename' && name === basename(path())) renames += 1
  })
  try {
    const updates = Array.from({ length: 100 }, (_, n) =>
      file.update(n % 2 === 0 ? { tasksCompleted: n } : { errorCount: n }),
    )
    expect(new Set((await Promise.all(updates)).map(({ is }) => is))).toEqual(new Set(['written']))
    expect(onDisk()).toMatchObject({ tasksCompleted: 98, errorCount: 99 })
    await vi.waitUntil(() => renames > 0, 60_000)
    await sleep(100)
    expect(renames).toBeLessThanOrEqual(5)
  } finally {
    watcher.close()
  }
})

test('the first updates of a new process are all kept, on top of what the file said', async () => {
  await make().file.update({ tasksCompleted: 7, lastError: 'old' })
  const { file } = make()
  await Promise.all([file.update({ status: 'working' }), file.update({ errorCount: 2 }), file.read()])
  expect(onDisk()).toEqual({ ...idle, status: 'working', tasksCompleted: 7, errorCount: 2, lastError: 'old' })
})

test('a read of a missing file makes it', async () => {
  expect(await make().file.read()).toEqual(idle)
  expect(onDisk()).toEqual(idle)
  expect(statSync(path()).size).toBeGreaterThan(0)
})

test('a file that is damaged while the agent works is written anew, and the log says so', async () => {
  const { file, logged } = make()
  await file.update({ status: 'working' })
  writeFileSync(path(), '{"agentId":')
  await file.update({ tasksCompleted: 1 })
  expect(onDisk()).toEqual({ ...idle, status: 'working', tasksCompleted: 1 })
  expect(logged).toEqual([expect.stringContaining('was corrupt and is written again')])
  await file.update({ tasksCompleted: 2 })
  expect(logged).toHaveLength(1)
})
