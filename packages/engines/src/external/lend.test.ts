import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needSandbox } from '@treadle/sandbox/testing/need-sandbox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AcpProfile, profiles } from '../acp/settings.ts'
import { confineEngine } from '../confined.ts'
import { openPrices } from '../prices.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lend-')))
  for (const name of ['worktree', 'home']) mkdirSync(join(folder, name))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.for([
  ['codex', '.codex', 'config.toml', 'AGENTS.md', ''],
  ['gemini', '.gemini', 'GEMINI.md', 'settings.json', '{}\n'],
  ['opencode', '.config/opencode', 'AGENTS.md', 'opencode.json', '{}\n'],
] as const)('%s leaves the settings of the user as they are', async (given, context) => {
  if (!(await needSandbox(context))) return
  const [name, place, there, missing, empty] = given
  const own = join(folder, place)
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, there), 'as it was')
  const env = { HOME: folder }
  const settings = {
    command: null,
    model: null,
    sandbox: 'required' as const,
    access: {},
    prices: openPrices({}),
    env,
  }
  const start = { settings, home: join(folder, 'home'), asks: false }
  const profile: AcpProfile = profiles[name]
  const found = await confineEngine({
    sandbox: { mode: 'required' },
    argv: ['/bin/sh', '-c', `cd ${own}; echo bad > ${there}; echo bad > ${missing}; echo new > login; true`],
    cwd: join(folder, 'worktree'),
    writable: profile.writable(start),
    env: { PATH: '/usr/bin:/bin', HOME: folder },
    binds: () => profile.lend?.(start) ?? [],
  })
  if (found.is === 'refused') throw new Error(found.why)
  const [program = '', ...args] = found.argv
  execFileSync(program, args, { stdio: 'ignore' })
  const texts = [there, missing, 'login'].map((file) => readFileSync(join(own, file), 'utf8'))
  expect(texts).toEqual(['as it was', empty, 'new\n'])
})
