// Ctrl-C on treadle up in the foreground: everything stops in good order, whatever Node started the launcher.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { notRun } from '@treadle/requirements/not-run'
import { expect, test } from 'vitest'
import { searchPath } from '../env.ts'
import { start } from '../kit/command.ts'
import { everythingIn, processesOf } from '../kit/processes.ts'
import { slowRepair, told, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()

test('Ctrl-C stops the engine at work, the agents and the daemon', async () => {
  await upAndInterrupt('SIGINT')
})

test('so does SIGTERM', async () => {
  await upAndInterrupt('SIGTERM')
})

test('Ctrl-C reaches it through a launcher that an older Node runs', async (context) => {
  const older = olderNode() ?? notRun(context, 'no Node older than 24 is on the PATH', 'Node 20')
  await upAndInterrupt('SIGINT', older)
})

test('Ctrl-C while the daemon is still starting leaves none behind', async () => {
  const workspace = shop({ scripts: [] })
  const started = start(workspace, ['up'])
  await eventually('a daemon under way', () => (processesOf(workspace).length > 0 ? true : undefined))
  started.child.kill('SIGINT')
  const ended = await started.ended
  expect(ended.stderr).not.toMatch(/\n\s+at /)
  await eventually('no process', () => (everythingIn(workspace).length === 0 ? true : undefined))
})

async function upAndInterrupt(signal: NodeJS.Signals, node: string = process.execPath): Promise<void> {
  const workspace = shop({ scripts: [slowRepair(1)] })
  const started = start(workspace, ['up', '--agents', '2'], { node })
  await eventually('the link to the dashboard', () =>
    started.seen().includes('Dashboard: ') ? true : undefined,
  )
  await told(workspace, 'add', 'Repair module 1')
  await eventually('an engine at work', () => {
    const said = started.seen()
    return said.includes('agent-1 claimed #1') || said.includes('agent-2 claimed #1') ? true : undefined
  })
  started.child.kill(signal)
  const ended = await started.ended
  expect(ended).toMatchObject({ code: 0, signal: null })
  expect(ended.stderr).toContain('Stopped. Work in hand goes on with the next: treadle up')
  expect(everythingIn(workspace)).toEqual([])
}

function olderNode(): string | null {
  const found = searchPath()
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .filter((file) => existsSync(file))
  return found.find((file) => Number.parseInt(versionOf(file), 10) < 24) ?? null
}

function versionOf(node: string): string {
  return execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
}
