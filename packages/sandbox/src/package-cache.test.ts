import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPackageCache, settingsWithoutLogins } from './package-cache.ts'
import { openSurroundings } from './surroundings.ts'
import { needSandbox } from './testing/need-sandbox.ts'

function home(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-home-')))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const NPMRC = `registry=https://packages.example/
cafile=/etc/ssl/certs/ca.crt
//packages.example/:_authToken=abc
_auth=YWJj
email=me@example
https-proxy=http://me:secret@proxy.example
key=abc
`

test('settings of npm are lent without their logins', () => {
  const file = join(home(), '.npmrc')
  writeFileSync(file, NPMRC)
  expect(settingsWithoutLogins(file).trim()).toBe(
    'registry=https://packages.example/\ncafile=/etc/ssl/certs/ca.crt',
  )
  expect(settingsWithoutLogins('/nowhere')).toBe('')
})

test('pnpm is told of its store by the names that it reads, which are others since version 11', () => {
  const { folder, env } = openPackageCache('/project', { HOME: home() })
  expect(env).toMatchObject({
    npm_config_store_dir: join(folder, 'pnpm'),
    pnpm_config_store_dir: join(folder, 'pnpm'),
    pnpm_config_cache_dir: join(folder, 'pnpm-cache'),
  })
})

test('a command that is no set-up is told to install nothing, with a sandbox and without', async (context) => {
  const owner = home()
  const env = { HOME: home(), PATH: '/usr/bin:/bin' }
  const told = async (mode: 'off' | 'required', isSetup: boolean) => {
    const options = { command: 'true', cwd: owner, env, network: false, writable: [], marks: [] }
    const entered = await openSurroundings({ mode, owner, show: [] }).enter({ ...options, isSetup })
    entered.close()
    return entered.env.pnpm_config_verify_deps_before_run
  }
  expect([await told('off', false), await told('off', true)]).toEqual(['false', undefined])
  if (!(await needSandbox(context))) return
  expect([await told('required', false), await told('required', true)]).toEqual(['false', undefined])
})

test('a link that an install left in the place of the settings has nothing written through it', () => {
  const env = { HOME: home() }
  const profile = join(env.HOME, '.profile')
  writeFileSync(profile, 'mine\n')
  writeFileSync(join(env.HOME, '.npmrc'), NPMRC)
  const { folder } = openPackageCache('/project', env)
  rmSync(join(folder, 'npmrc'))
  symlinkSync(profile, join(folder, 'npmrc'))
  openPackageCache('/project', env)
  expect(readFileSync(profile, 'utf8')).toBe('mine\n')
  expect(readFileSync(join(folder, 'npmrc'), 'utf8')).toContain('registry=')
})

test('a confined install writes to the cache of its workspace, and the next one finds it', async (context) => {
  if (!(await needSandbox(context))) return
  const owner = home()
  const env = { HOME: home(), PATH: '/usr/bin:/bin' }
  writeFileSync(join(env.HOME, '.npmrc'), NPMRC)
  const surroundings = openSurroundings({ mode: 'required', owner, show: [] })
  const run = async (command: string, network: boolean) => {
    const { execFileSync } = await import('node:child_process')
    const entered = await surroundings.enter({ command, cwd: owner, env, network, writable: [], marks: [] })
    const [program = '', ...args] = entered.argv
    try {
      return execFileSync(program, args, { env: entered.env, encoding: 'utf8' })
    } finally {
      entered.close()
    }
  }
  await run('mkdir -p "$npm_config_cache" && echo kept > "$npm_config_cache/a"', true)
  expect(await run('cat "$npm_config_cache/a" "$npm_config_userconfig"', true)).toMatch(/^kept\nregistry=/)
  const { folder } = openPackageCache(owner, env)
  expect(readFileSync(join(folder, 'npm/a'), 'utf8')).toBe('kept\n')
  // What tests run gets neither.
  expect(await run(`cat ${folder}/npm/a 2>&1 || true`, false)).toContain('No such file')
  expect(existsSync(join(env.HOME, '.npm'))).toBe(false)
})
