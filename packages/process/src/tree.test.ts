import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startOf } from './table.ts'
import { descendants, endTree, killTree } from './tree.ts'

/** A process that nobody has collected yet counts as dead. */
const isAlive = (pid: number) => startOf(pid) !== null

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tree-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const PATH = '/usr/local/bin:/usr/bin:/bin'

function shell(script: string, env: Record<string, string> = {}) {
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: folder,
    env: { PATH, ...env },
    detached: true,
    stdio: 'ignore',
  })
  if (child.pid === undefined) throw new Error('no shell')
  return { child, pid: child.pid }
}

/** The number that a script wrote into a file once the process was there. */
async function pidIn(name: string): Promise<number> {
  const path = join(folder, name)
  await vi.waitUntil(() => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n'), 60_000)
  return Number(readFileSync(path, 'utf8'))
}

test('descendants are found down to the grandchildren, strangers are not', async () => {
  const tree = shell('sh -c "sleep 1000 & echo \\$! > deep; wait" & wait')
  const stranger = shell('sleep 1000')
  const deep = await pidIn('deep')
  const found = descendants(tree.pid)
  expect(found).toContain(deep)
  expect(found).toHaveLength(2)
  expect(found).not.toContain(stranger.pid)
  await killTree(tree.pid, 1_000)
  expect(isAlive(stranger.pid)).toBe(true)
  await killTree(stranger.pid, 1_000)
})

test('the whole tree ends, one that left the group too', async () => {
  const tree = shell('sleep 1000 & echo $! > plain; setsid sh -c "echo \\$\\$ > own; exec sleep 1000" & wait')
  const pids = [tree.pid, await pidIn('plain'), await pidIn('own')]
  expect(pids.map(isAlive)).toEqual([true, true, true])
  expect(await killTree(tree.pid, 2_000)).toEqual([])
  expect(pids.map(isAlive)).toEqual([false, false, false])
})

test('what ignores SIGTERM is killed when the grace is over, what obeys may tidy up', async () => {
  const stubborn = shell('trap "" TERM; echo $$ > up; while :; do sleep 0.05; done')
  const tidy = shell('trap "echo bye > farewell; exit 0" TERM; echo $$ > ready; while :; do sleep 0.05; done')
  await pidIn('up')
  await pidIn('ready')
  expect(await killTree(stubborn.pid, 200)).toEqual([])
  expect(isAlive(stubborn.pid)).toBe(false)
  await killTree(tidy.pid, 10_000)
  expect(readFileSync(join(folder, 'farewell'), 'utf8')).toBe('bye\n')
})

test('children of a leader that is already dead end with its group', async () => {
  const tree = shell('sleep 1000 & echo $! > left')
  await once(tree.child, 'exit')
  const left = await pidIn('left')
  expect(isAlive(left)).toBe(true)
  expect(await killTree(tree.pid, 1_000)).toEqual([])
  expect(isAlive(left)).toBe(false)
})

test('a dead process without children is no fault', async () => {
  const { child, pid } = shell('exit 0')
  await once(child, 'exit')
  expect(await killTree(pid, 100)).toEqual([])
  await expect(killTree(process.pid, 100)).rejects.toThrow('refusing')
})

// Only Linux shows the environment of another process.
test.runIf(process.platform === 'linux')('a mark finds what left both group and parent', async () => {
  const tree = shell('setsid sh -c "echo \\$\\$ > away; exec sleep 1000" &', { MARK: `m-${process.pid}` })
  const away = await pidIn('away')
  await vi.waitUntil(() => !isAlive(tree.pid), 60_000)
  await killTree(tree.pid, 100)
  await sleep(50)
  expect(isAlive(away)).toBe(true)
  expect(await killTree(tree.pid, 1_000, `MARK=m-${process.pid}`)).toEqual([])
  expect(isAlive(away)).toBe(false)
})

test.runIf(process.platform === 'linux')('where there is no leader, the mark alone counts', async () => {
  const mark = { MARK: `alone-${process.pid}` }
  const marked = shell('trap "" TERM; echo $$ > up; while :; do sleep 0.05; done', mark)
  const stranger = shell('sleep 1000')
  await pidIn('up')
  expect(await endTree({ pid: 0, mark: `MARK=${mark.MARK}` }, 100)).toEqual([])
  expect(isAlive(marked.pid)).toBe(false)
  expect(isAlive(stranger.pid)).toBe(true)
  await killTree(stranger.pid, 1_000)
})

test('a program that is spoken to ends with us, even when we are killed', async () => {
  const tree = new URL('spawn.ts', import.meta.url).pathname
  const starter = `import { spawnTalking } from ${JSON.stringify(tree)}
const child = spawnTalking('/bin/sh', ['-c', 'read -r line; echo "$line"; sleep 600 & echo $!; wait'], { cwd: '/' })
child.stdout.pipe(process.stdout)
child.stdin.write('hello\\n')`
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', starter], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const text of parent.stdout.setEncoding('utf8')) {
    said += text
    if (/hello\n\d+\n/.test(said)) break
  }
  const pid = Number(said.split('\n')[1])
  expect(isAlive(pid)).toBe(true)
  parent.kill('SIGKILL')
  for (let round = 0; round < 4_000 && isAlive(pid); round += 1) await sleep(25)
  expect(isAlive(pid)).toBe(false)
})
