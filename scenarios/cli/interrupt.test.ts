// Ctrl-C on treadle up in the foreground: everything stops in good order, whatever Node started the launcher.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { notRun } from '@treadle/requirements/not-run'
import { expect, test } from 'vitest'
import { searchPath } from '../env.ts'
import { start } from '../kit/command.ts'
import { everythingIn, processesOf } from '../kit/processes.ts'
import { useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import { upAndInterrupt } from './up-and-interrupt.ts'

const shop = useShops()

test('Ctrl-C stops the engine at work, the agents and the daemon', async () => {
  await upAndInterrupt(shop, 'SIGINT')
})

test('Ctrl-C reaches it through a launcher that an older Node runs', async (context) => {
  const older = olderNode() ?? notRun(context, 'no Node older than 24 is on the PATH', 'Node 20')
  await upAndInterrupt(shop, 'SIGINT', older)
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
