// Real processes: a tree with a child in a session of its own, halted, woken and killed as one.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AGENT_MARK } from '@treadle/contracts/child-env'
import { isGone, isRunning, type ProcessId, startOf } from '@treadle/process/table'
import type { ProcessTree } from '@treadle/process/tree'
import { afterAll, expect, test } from 'vitest'
import { agentTree, crewTree, findAgent, markOf } from './processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'treadle-tree-'))
const trees: ProcessTree[] = []
afterAll(async () => {
  for (const tree of trees) await tree.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** The parent waits; its child leaves the session, loses its own parent, and counts into a file. */
function program(counts: string): string {
  const count = `while :; do echo x >> ${counts}; sleep 0.02; done`
  return `(setsid sh -c '${count}' &) ; sleep 600`
}

async function grow(
  name: string,
): Promise<{ root: ProcessId; tree: ProcessTree; counts: string; child: ChildProcess }> {
  const counts = join(folder, name)
  const mark = markOf('agent-1', `${folder}/${name}`)
  const child = spawn('/bin/sh', ['-c', program(counts)], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: '/usr/bin:/bin', [AGENT_MARK]: mark },
  })
  const pid = child.pid ?? 0
  const root = { pid, started: startOf(pid) ?? '' }
  const tree = agentTree(root, 'agent-1', `${folder}/${name}`)
  trees.push(tree)
  for (let tries = 0; linesIn(counts) === 0 && tries < 3_000; tries += 1) await sleep(20)
  return { root, tree, counts, child }
}

function linesIn(file: string): number {
  return existsSync(file) ? readFileSync(file, 'utf8').length : 0
}

/** Whether the file grows while one looks. */
async function grows(file: string): Promise<boolean> {
  const before = linesIn(file)
  await sleep(300)
  return linesIn(file) > before
}

test('what is left of an agent that is gone is found by its mark', async () => {
  const { root, counts, child } = await grow('left')
  child.kill('SIGKILL')
  expect(await isGone(root, 5_000)).toBe(true)
  await expect.poll(() => grows(counts), { timeout: 60_000 }).toBe(true)
  const left = agentTree(null, 'agent-1', `${folder}/left`)
  expect(await left.kill()).toEqual([])
  expect(await grows(counts)).toBe(false)
})

test('the crew of a workspace is found by its marks, and nobody of another', async () => {
  const [mine, other] = [await grow('mine'), await grow('other')]
  expect(await crewTree([], `${folder}/mine`).kill()).toEqual([])
  expect(isRunning(mine.root)).toBe(false)
  expect(isRunning(other.root)).toBe(true)
  expect(await other.tree.kill()).toEqual([])
})

test('a number in a lock folder that belongs to a stranger is no agent', () => {
  writeFileSync(join(folder, 'agent-7.pid'), `${process.pid}\n`)
  expect(findAgent(folder, 'agent-7', '/no/such/workspace')).toBeNull()
  expect(findAgent(folder, 'agent-8', '/no/such/workspace')).toBeNull()
})
