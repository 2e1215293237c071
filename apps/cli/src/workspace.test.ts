import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { workspacePaths } from '@treadle/contracts/workspace'
import { expect, onTestFinished, test } from 'vitest'
import { prepareState } from './workspace.ts'

function makeScratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-state-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Repositories that two processes prepare at the same moment, one after the other. */
const ROUNDS = 60

/** Waits for the other before each round, without a pause: both are to come to the folder together. */
const PREPARE = `
import { existsSync, writeFileSync } from 'node:fs'
import { workspacePaths } from '@treadle/contracts/workspace'
import { prepareState } from ${JSON.stringify(new URL('./workspace.ts', import.meta.url).href)}
const [base, me, other] = process.argv.slice(1)
for (let round = 0; round < ${ROUNDS}; round += 1) {
  writeFileSync(base + '/' + me + round, '')
  while (!existsSync(base + '/' + other + round) && !existsSync(base + '/' + other + 'ended'));
  try {
    prepareState(workspacePaths(base + '/repository-' + round))
  } catch (error) {
    process.stdout.write('round ' + round + ': ' + error.message + '\\n')
  }
}
writeFileSync(base + '/' + me + 'ended', '')
`

test('two that prepare one workspace at the same moment do not stand in the way of each other', async () => {
  const base = makeScratch()
  for (let round = 0; round < ROUNDS; round += 1) mkdirSync(join(base, `repository-${round}`))
  const prepare = async (me: string, other: string) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', PREPARE, base, me, other], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const said = await text(child.stdout)
    const [code] = await ended
    return { code, said }
  }
  const both = await Promise.all([prepare('one-', 'two-'), prepare('two-', 'one-')])
  expect(both).toEqual([
    { code: 0, said: '' },
    { code: 0, said: '' },
  ])
})

test('a link to nowhere in the place of the folder is told', () => {
  const root = makeScratch()
  const paths = workspacePaths(root)
  symlinkSync(join(root, 'gone'), paths.state)
  expect(() => prepareState(paths)).toThrow(`is in the way at ${paths.state}`)
})
