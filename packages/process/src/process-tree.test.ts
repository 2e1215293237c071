// Real processes: a tree with a child in a session of its own, halted, woken and killed as one.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { isGone, isHalted, isRunning, type ProcessId, startOf } from './table.ts'
import { ProcessTree } from './tree.ts'

const folder = mkdtempSync(join(tmpdir(), 'treadle-tree-'))
const trees: ProcessTree[] = []
const MARK = 'PROCESS_TREE_TEST'
const treeOf = (roots: readonly ProcessId[], mark: string) =>
  new ProcessTree(roots, { name: MARK, is: (found) => found === mark })
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
  const mark = `${folder}/${name}`
  const child = spawn('/bin/sh', ['-c', program(counts)], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: '/usr/bin:/bin', [MARK]: mark },
  })
  const pid = child.pid ?? 0
  const root = { pid, started: startOf(pid) ?? '' }
  const tree = treeOf([root], mark)
  trees.push(tree)
  for (let tries = 0; linesIn(counts) === 0 && tries < 500; tries += 1) await sleep(20)
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

test('a child that left the group is halted, woken and killed with the rest', async () => {
  const { root, tree, counts } = await grow('counts')
  await expect.poll(() => tree.members().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(3)
  await expect.poll(() => grows(counts), { timeout: 60_000 }).toBe(true)
  tree.freeze()
  // A process that runs on the other processor takes the signal a moment later.
  await expect.poll(() => isHalted(root), { timeout: 60_000 }).toBe(true)
  const states = () => [...new Set(tree.members().map(({ state }) => state))]
  await expect.poll(states, { timeout: 60_000 }).toEqual(['T'])
  expect(await grows(counts)).toBe(false)
  tree.thaw()
  await expect.poll(() => grows(counts), { timeout: 60_000 }).toBe(true)
  expect(await tree.kill()).toEqual([])
  expect(isRunning(root)).toBe(false)
  expect(await grows(counts)).toBe(false)
})

test('what is left of a root that is gone is found by its mark', async () => {
  const { root, counts, child } = await grow('left')
  child.kill('SIGKILL')
  expect(await isGone(root, 5_000)).toBe(true)
  await expect.poll(() => grows(counts), { timeout: 60_000 }).toBe(true)
  const left = treeOf([], `${folder}/left`)
  expect(await left.kill()).toEqual([])
  expect(await grows(counts)).toBe(false)
})

test('a number with another start is another process', () => {
  const started = startOf(process.pid) ?? ''
  expect(isRunning({ pid: process.pid, started })).toBe(true)
  expect(isRunning({ pid: process.pid, started: `${started}0` })).toBe(false)
  expect(startOf(0x7f_ff_ff_ff)).toBeNull()
})
