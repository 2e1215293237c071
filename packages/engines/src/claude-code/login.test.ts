import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needSandbox } from '@treadle/sandbox/testing/need-sandbox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { confineEngine } from '../confined.ts'
import { lendLogin } from './login.ts'

let folder: string
let user: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'login-')))
  user = join(folder, 'user')
  for (const name of ['worktree', 'home', 'user/.claude/projects'])
    mkdirSync(join(folder, name), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const own = (name: string) => join(user, '.claude', name)

async function run(line: string): Promise<string> {
  const found = await confineEngine({
    sandbox: { mode: 'required' },
    argv: ['/bin/sh', '-c', `cd ${user}/.claude; ${line}`],
    cwd: join(folder, 'worktree'),
    env: { PATH: '/usr/bin:/bin', HOME: user },
    binds: () => lendLogin({ from: user, to: join(folder, 'home') }),
  })
  if (found.is === 'refused') throw new Error(found.why)
  const [program = '', ...args] = found.argv
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

test('with the login of the user: nothing is left that runs in his own sessions', async (context) => {
  if (!(await needSandbox(context))) return
  writeFileSync(own('settings.json'), '{"model":"x"}')
  writeFileSync(own('line.sh'), 'echo mine')
  writeFileSync(own('projects/theirs.jsonl'), 'a conversation')
  writeFileSync(join(user, '.claude.json'), '{"mcpServers":{}}')
  mkdirSync(own('tools'))
  const targets = [
    'settings.json',
    'settings.local.json',
    'CLAUDE.md',
    'line.sh',
    'tools/run',
    'hooks/new.sh',
    'commands/new.md',
    'skills/new.md',
    'projects/theirs.jsonl',
    'shell-snapshots/new.sh',
    '../.claude.json',
  ]
  await run(
    `${targets.map((name) => `echo bad > ${name}`).join('; ')}; mv settings.json old; rm -rf hooks; true`,
  )
  const bad = targets.filter(
    (name) => existsSync(own(name)) && readFileSync(own(name), 'utf8').includes('bad'),
  )
  expect(bad).toEqual([])
  expect(readFileSync(own('settings.json'), 'utf8')).toBe('{"model":"x"}')
})

test('with the login of the user: it is seen, kept up to date, and conversations are found again', async (context) => {
  if (!(await needSandbox(context))) return
  writeFileSync(own('.credentials.json'), 'old')
  writeFileSync(own('settings.json'), '{"model":"x"}')
  writeFileSync(join(user, '.claude.json'), '{"a":1}')
  expect(await run('cat settings.json ../.claude.json')).toBe('{"model":"x"}{"a":1}')
  await run(
    'echo new > .credentials.tmp; mv .credentials.tmp .credentials.json; echo said > projects/mine.jsonl',
  )
  expect(readFileSync(own('.credentials.json'), 'utf8')).toBe('new\n')
  expect(await run('cat projects/mine.jsonl')).toBe('said\n')
})
