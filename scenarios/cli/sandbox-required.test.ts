// sandbox.mode: required, on a machine without bubblewrap: what runs foreign code without a crew refuses in words, and
// has started nothing.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { searchPath } from '../env.ts'
import { run } from '../kit/command.ts'
import { useShops } from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()
const AGAIN = fileURLToPath(new URL('../../apps/agent/src/verify/again.ts', import.meta.url))
const REFUSED = /sandbox.* is required, but bubblewrap is not installed/

/** A workspace that requires a sandbox, the PATH of a machine that has none, and a file that its tests would leave. */
function withoutBubblewrap() {
  const workspace = shop({ scripts: [], settings: { sandbox: { mode: 'required', show: [] } } })
  const programs = join(workspace.home, 'programs')
  mkdirSync(programs)
  for (const name of ['sh', 'git', 'touch', 'node']) symlinkSync(programNamed(name), join(programs, name))
  return { workspace, path: programs, ran: join(workspace.home, 'ran') }
}

function programNamed(name: string): string {
  if (name === 'node') return process.execPath
  const found = searchPath()
    .split(':')
    .map((folder) => join(folder, name))
    .find(existsSync)
  if (found === undefined) throw new Error(`no ${name} in PATH`)
  return found
}

test.each([
  ['a search that changes nothing', ['--engine', 'repair', '--dry-run']],
  ['a fix', ['--engine', 'repair']],
])('%s', async (_, options) => {
  const { workspace, path, ran } = withoutBubblewrap()
  const ended = await run(workspace, ['fix', ...options, '--test-command', `touch ${ran}; false`], {
    added: { PATH: path },
  })
  expect(ended.code).toBe(1)
  expect(ended.stdout + ended.stderr).toMatch(REFUSED)
  expect(ended.stdout + ended.stderr).not.toMatch(/^\s+at /m)
  expect(existsSync(ran)).toBe(false)
})

test.each([
  ['with its checks alone', null],
  ['with its set-up command', 'touch'],
])('a merge is not executed again, %s', (_, program) => {
  const { workspace, path, ran } = withoutBubblewrap()
  const gate = { gate: 'tests_pass', is: 'passed', command: `touch ${ran}`, tests: null }
  const install = program === null ? null : `${program} ${ran}`
  const checks = verifyAgain(workspace, path, { install, merged: [gate], submodules: [] })
  expect(checks).toMatchObject([{ what: 'checks', is: 'missing', words: expect.stringMatching(REFUSED) }])
  expect(existsSync(ran)).toBe(false)
})

/** What `treadle verify` does with a receipt, in a process of its own that has that PATH. */
function verifyAgain({ root, home, git }: Workspace, path: string, predicate: object): unknown {
  const env = { PATH: path, HOME: home }
  const again = {
    repository: root,
    commit: git('rev-parse', 'HEAD'),
    receipt: { predicate },
    env,
    timeoutMs: 60_000,
    sandbox: { mode: 'required', show: [], reach: [], logins: [] },
  }
  const program = `import { executeAgain } from ${JSON.stringify(AGAIN)}
const again = { ...JSON.parse(process.argv[1]), signal: new AbortController().signal, tell: () => undefined }
process.stdout.write(JSON.stringify(await executeAgain(again)))`
  const words = ['--input-type=module', '-e', program, JSON.stringify(again)]
  return JSON.parse(execFileSync(process.execPath, words, { cwd: root, env, encoding: 'utf8' }))
}
