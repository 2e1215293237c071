// Candidates and the test command of a search, confined by real bubblewrap.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { needSandbox } from '@treadle/sandbox/testing/need-sandbox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openScratch } from './confined.ts'
import { repair } from './repair.ts'
import { ScratchCopy } from './validate.ts'

let project: string
let worktree: string
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'repair-confined-')))
  worktree = join(project, '.treadle/worktrees/agent-1')
  write('.treadle/token', 'SECRET')
  write('packages/lib/index.js', 'module.exports = "the checkout of the owner"')
  write('.treadle/worktrees/agent-1/packages/lib/index.js', 'module.exports = "the change"')
  write('node_modules/dep/index.js', 'module.exports = "lent"')
  mkdirSync(join(project, 'node_modules/@p'))
  symlinkSync('../../packages/lib', join(project, 'node_modules/@p/lib'))
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), text)
}

const env = { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` }

test('what runs a candidate writes to its scratch folder alone and sees no state of the workspace', async (context) => {
  if (!(await needSandbox(context))) return
  const scratch = await openScratch(worktree, { mode: 'required' })
  if (scratch.is === 'refused') throw new Error(scratch.why)
  const line = `cat ${project}/.treadle/token; echo x > ${scratch.path}/a; echo x > ${worktree}/b; cat ${scratch.path}/a`
  const [program = '', ...args] = [...scratch.before, '/bin/sh', '-c', line]
  expect((await promisify(execFile)(program, args, { env })).stdout).toBe('x\n')
  expect(existsSync(join(worktree, 'b'))).toBe(false)
  scratch.remove()
  expect(existsSync(scratch.path)).toBe(false)
})

test('the test command runs in the place of the project, and all that leads back there leads to the copy', async (context) => {
  if (!(await needSandbox(context))) return
  const copy = new ScratchCopy(worktree, { env, sandbox: { mode: 'required' } })
  try {
    writeFileSync(join(copy.path, 'packages/lib/index.js'), 'module.exports = "the candidate"')
    const command = `pwd; node -e 'console.log(require("@p/lib"), require("dep"))'; cat ${project}/.treadle/token`
    const { tail } = await copy.run(command, { timeoutMs: 60_000 })
    expect(tail).toContain(`${worktree}\nthe candidate lent\n`)
    expect(tail).not.toContain('SECRET')
  } finally {
    copy.remove()
  }
})

test('required refuses where there is no sandbox, and runs nothing', async () => {
  write('.treadle/worktrees/agent-1/a.test.js', "require('node:fs').writeFileSync('ran', '')")
  const sandbox = { mode: 'required', bwrap: join(project, 'no-such-bwrap') } as const
  const result = await repair({ cwd: worktree, testCommand: 'node --test', env, sandbox })
  expect(result).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('bubblewrap') })
  expect(existsSync(join(worktree, 'ran'))).toBe(false)
})
