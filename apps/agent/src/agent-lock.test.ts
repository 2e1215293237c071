import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AgentLock, takeAgentLock } from './agent-lock.ts'

let folder: string
const started: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'))
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function release(lock: AgentLock): void {
  if (lock.is === 'taken') lock.release()
}

/** Another process that tries to take the lock, says how it went and stays. */
async function other(agentId: string, then = ''): Promise<{ child: ChildProcess; said: string }> {
  const program = `
    import { takeAgentLock } from ${JSON.stringify(new URL('./agent-lock.ts', import.meta.url).href)}
    import { spawn } from 'node:child_process'
    const lock = takeAgentLock(${JSON.stringify(folder)}, ${JSON.stringify(agentId)})
    ${then}
    process.stdout.write(lock.is + '\\n')
    setInterval(() => lock, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  const [said] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, said: String(said).trim() }
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

test('the lock is taken once, and again after its release', () => {
  const first = takeAgentLock(folder, 'agent-1')
  expect(first.is).toBe('taken')
  expect(takeAgentLock(folder, 'agent-1').is).toBe('held')
  release(first)
  release(first)
  const again = takeAgentLock(folder, 'agent-1')
  expect(again.is).toBe('taken')
  release(again)
})

test("agents do not stand in each other's way, and the folder is made", () => {
  const inner = join(folder, 'deep', 'er')
  const locks = [
    takeAgentLock(inner, 'agent-1'),
    takeAgentLock(inner, 'agent-2'),
    takeAgentLock(inner, 'review-agent'),
  ]
  expect(locks.map((lock) => lock.is)).toEqual(['taken', 'taken', 'taken'])
  locks.forEach(release)
})

test('a second process is refused while the first lives, frozen or not', async () => {
  const owner = await other('agent-1')
  expect(owner.said).toBe('taken')
  expect(takeAgentLock(folder, 'agent-1').is).toBe('held')
  expect((await other('agent-1')).said).toBe('held')
  owner.child.kill('SIGSTOP')
  expect(takeAgentLock(folder, 'agent-1').is).toBe('held')
  owner.child.kill('SIGCONT')
})

test('the lock is free after SIGKILL, also while a child of the owner lives on', async () => {
  const spawnChild = `
    const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
    process.stdout.write(child.pid + ' ')`
  const owner = await other('agent-1', spawnChild)
  const [pid, said] = owner.said.split(' ')
  try {
    expect(said).toBe('taken')
    await kill(owner.child)
    const lock = takeAgentLock(folder, 'agent-1')
    expect(lock.is).toBe('taken')
    release(lock)
    expect(process.kill(Number(pid), 0)).toBe(true)
  } finally {
    process.kill(Number(pid), 'SIGKILL')
  }
})

test('of many processes that start at once exactly one takes the lock', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => other('agent-1')))
  expect(all.map(({ said }) => said).sort()).toEqual(['held', 'held', 'held', 'taken'])
  await Promise.all(all.map(({ child }) => kill(child)))
  await vi.waitFor(() => {
    const lock = takeAgentLock(folder, 'agent-1')
    expect(lock.is).toBe('taken')
    release(lock)
  })
})
