// Another user of the machine: who can be one, and what is handed over to it.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { notRun } from '@treadle/requirements/not-run'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { handOver } from './hand-over.ts'
import { findOtherUser, type OtherUser } from './other-user.ts'

let base: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'other-user-')))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const write = (path: string, mode = 0o644): string => {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'text\n')
  chmodSync(file, mode)
  return file
}

test.for([
  ['no-such-user', 'there is no user no-such-user'],
  ['-u root', 'there is no user -u root'],
  ['root', 'root is not another user'],
  [userInfo().username, userInfo().uid === 0 ? 'root is not another user' : 'is who runs this'],
])('%s is refused: %s', ([name = '', why = '']) => {
  expect(findOtherUser(name)).toMatchObject({ is: 'refused', why: expect.stringContaining(why) })
})

test('who is not root and may not become the user is told what to do', () => {
  const module = new URL('./other-user.ts', import.meta.url).href
  const script = `import { findOtherUser } from ${JSON.stringify(module)}; console.log(JSON.stringify(findOtherUser('daemon')))`
  const words = [process.execPath, '--input-type=module', '-e', script]
  const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--']
  const [program = '', ...args] = process.getuid?.() === 0 ? [...nobody, ...words] : words
  const found: unknown = JSON.parse(execFileSync(program, args, { encoding: 'utf8', cwd: '/' }))
  expect(found).toMatchObject({
    is: 'refused',
    why: expect.stringContaining('sudo -n -u daemon does not work'),
    hint: expect.stringContaining('sudoers'),
  })
})

/** Stands for sudo, which need not be installed: becomes whom it is told to, without a password. */
function makeSudo(folder: string): void {
  const program = join(folder, 'become')
  const [found = ''] = execFileSync('sh', ['-c', 'command -v setpriv'], { encoding: 'utf8' }).split('\n')
  copyFileSync(found, program)
  chmodSync(program, 0o4755)
  const lines = [
    '#!/bin/sh',
    'while [ "$1" != -- ]; do [ "$1" = -u ] && who=$2; shift; done; shift',
    `exec ${program} --reuid=$(id -u $who) --regid=$(id -g $who) --init-groups -- "$@"`,
  ]
  writeFileSync(join(folder, 'sudo'), lines.join('\n'))
  chmodSync(join(folder, 'sudo'), 0o755)
}

/** As an ordinary user: runs a command as another, ends it, and removes what it has made. */
const SUDO_RUN = (at: string, cwd: string) => `
import { rmSync } from 'node:fs'
import { once } from 'node:events'
import { confine } from '${at}/confine.ts'
import { spawnBound } from '${at}/../../process/src/spawn.ts'
import { killTree } from '${at}/../../process/src/tree.ts'
const line = 'id -un; cat ../../token 2>/dev/null; mv src/a.js src/b.js; mkdir made; touch made/f; echo ready; exec sleep 500'
const wanted = { mode: 'off', purpose: 'test', cwd: '${cwd}', network: 'host', env: { PATH: process.env.PATH } }
const confined = await confine({ ...wanted, argv: ['sh', '-c', line] })
if (confined.is === 'refused') throw new Error(confined.why)
const [program, ...args] = confined.argv
const child = spawnBound(program, args, { cwd: '${cwd}', env: confined.env })
let said = ''
while (!said.includes('ready')) said += (await once(child.stdout, 'data'))[0]
const left = await killTree(child.pid, 500)
rmSync('${cwd}', { recursive: true })
console.log(JSON.stringify({ said, left }))
`

test('an ordinary user becomes the other by sudo, ends what runs as it, and removes what it made', (context) => {
  if (process.getuid?.() !== 0)
    notRun(context, 'only root makes a program like sudo', 'run the tests as root')
  makeSudo(base)
  chmodSync(base, 0o755)
  write('home/.treadle/worktrees/agent-1/src/a.js')
  write('home/.treadle/token')
  const cwd = join(base, 'home/.treadle/worktrees/agent-1')
  execFileSync('chown', ['-R', '54321:54321', join(base, 'home')])
  const script = SUDO_RUN(dirname(fileURLToPath(import.meta.url)), cwd)
  const group = execFileSync('id', ['-g', 'nobody'], { encoding: 'utf8' }).trim()
  const owner = ['--reuid=54321', '--regid=54321', `--groups=54321,${group}`, '--']
  const node = [process.execPath, '--input-type=module', '-e', script]
  const ended = execFileSync('setpriv', [...owner, ...node], {
    encoding: 'utf8',
    env: { PATH: `${base}:/usr/bin:/bin:/usr/sbin:/sbin`, TREADLE_AS_USER: 'nobody' },
  })
  expect(JSON.parse(ended)).toEqual({ said: 'nobody\nready\n', left: [] })
  expect(existsSync(cwd)).toBe(false)
})

test('a worktree is handed over, and nothing that a link leads to, that has a second name or lies beside it', (context) => {
  if (process.getuid?.() !== 0) notRun(context, 'only root gives files away', 'run the tests as root')
  const found = findOtherUser('nobody')
  if (found.is === 'refused') throw new Error(found.why)
  const user: OtherUser = found.user
  const tree = join(base, '.treadle/worktrees/agent-1')
  const own = write('.treadle/worktrees/agent-1/src/a.js')
  const git = write('.treadle/worktrees/agent-1/.git')
  const token = write('.treadle/token', 0o644)
  const log = write('.treadle/logs/daemon.log')
  const outside = write('outside/file')
  symlinkSync(dirname(outside), join(tree, 'src/folder'))
  symlinkSync(outside, join(tree, 'src/link'))
  linkSync(outside, join(tree, 'src/second'))
  handOver(user, join(tree, 'src'), 'write')
  const uidOf = (path: string) => statSync(path).uid
  expect([own, join(tree, 'src')].map(uidOf)).toEqual([user.uid, user.uid])
  expect([tree, git, token, log, dirname(outside), outside].map(uidOf)).toEqual([0, 0, 0, 0, 0, 0])
  const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)
  expect([token, dirname(log), join(base, '.treadle'), tree].map(modeOf)).toEqual([
    '600',
    '700',
    '710',
    '770',
  ])
  // The checkout itself is nobody's to hand over.
  const checkout = write('checkout/a.js')
  handOver(user, dirname(checkout), 'write')
  expect(uidOf(checkout)).toBe(0)
  expect(existsSync(checkout)).toBe(true)
})
