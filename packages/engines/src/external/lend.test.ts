import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needSandbox } from '@treadle/sandbox/testing/need-sandbox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AcpProfile, profiles } from '../acp/settings.ts'
import { lendLogin } from '../claude-code/login.ts'
import { confineEngine } from '../confined.ts'
import { openPrices } from '../prices.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lend-')))
  for (const name of ['worktree', 'home']) mkdirSync(join(folder, name))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.for([
  ['codex', '.codex', 'config.toml', 'AGENTS.md', 'hooks.json hooks/x .env AGENTS.override.md'],
  ['gemini', '.gemini', 'GEMINI.md', 'settings.json', 'policies/x agents/x trustedFolders.json'],
  [
    'opencode',
    '.config/opencode',
    'AGENTS.md',
    'opencode.json',
    'plugin/x tool/x opencode.jsonc config.json',
  ],
] as const)('%s leaves the settings of the user as they are', async (given, context) => {
  if (!(await needSandbox(context))) return
  const [name, place, there, missing, run] = given
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
  const programs = [join(folder, '.cache/opencode'), join(folder, '.local/share/opencode')]
  for (const path of programs) mkdirSync(path, { recursive: true })
  const planted = [there, missing, ...run.split(' '), ...programs.map((path) => join(path, 'bin/x'))]
  const line = `cd ${own}; for file in ${planted.join(' ')}; do
    mkdir -p $(dirname $file); echo bad > $file; done; echo new > login`
  const found = await confineEngine({
    sandbox: { mode: 'required' },
    argv: ['/bin/sh', '-c', line],
    cwd: join(folder, 'worktree'),
    writable: profile.writable(start),
    env: { PATH: '/usr/bin:/bin', HOME: folder },
    binds: () => profile.lend?.(start) ?? [],
  })
  if (found.is === 'refused') throw new Error(found.why)
  const [program = '', ...args] = found.argv
  expect(spawnSync(program, args, { stdio: 'ignore' }).status).toBe(0)
  found.close()
  const texts = [there, 'login'].map((file) => readFileSync(join(own, file), 'utf8'))
  expect(texts).toEqual(['as it was', 'new\n'])
  const bad = spawnSync('grep', ['-rlx', 'bad', own, ...programs], { encoding: 'utf8' })
  expect(bad.stdout).toBe('')
})

test('a link in the home of an agent is replaced, and what it leads to is neither shown nor written', () => {
  const home = join(folder, 'home')
  mkdirSync(join(folder, '.claude'))
  writeFileSync(join(folder, '.claude.json'), 'state')
  mkdirSync(join(folder, 'secret'))
  writeFileSync(join(folder, 'secret/key'), 'SECRET')
  mkdirSync(join(home, 'claude-sessions'))
  symlinkSync(join(folder, 'secret'), join(home, 'claude-sessions/projects'))
  symlinkSync(join(folder, 'secret/key'), join(home, 'claude.json'))
  const binds = lendLogin({ from: folder, to: home })
  expect(binds.map(({ from }) => realpathSync(from)).filter((path) => path.includes('secret'))).toEqual([])
  expect(readFileSync(join(folder, 'secret/key'), 'utf8')).toBe('SECRET')
  expect(readFileSync(join(home, 'claude.json'), 'utf8')).toBe('state')
})
