// What foreign code leaves in folders that are read, written and removed from outside: links out, pipes, locked folders.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { confine } from './confine.ts'
import { readForeign, removeForeign, writeForeign } from './foreign-files.ts'
import { needSandbox } from './testing/need-sandbox.ts'

let folder: string
let root: string
let secret: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'foreign-')))
  root = join(folder, 'root')
  mkdirSync(root)
  secret = join(folder, 'owner.key')
  writeFileSync(secret, 'SECRET\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a plain file is read, also through a link that stays inside; no link out, pipe, device or large file is', () => {
  writeFileSync(join(root, 'plain'), 'text')
  symlinkSync('plain', join(root, 'inner'))
  symlinkSync(secret, join(root, 'outer'))
  symlinkSync('/dev/zero', join(root, 'endless'))
  symlinkSync(folder, join(root, 'above'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  const read = (name: string, bytesMax = 10) =>
    readForeign(root, join(root, name), bytesMax)?.toString() ?? null
  expect([read('plain'), read('inner'), read('plain', 4)]).toEqual(['text', 'text', 'text'])
  const refused = ['outer', 'endless', 'above/owner.key', 'pipe', 'missing', '.']
  expect(refused.map((name) => read(name))).toEqual(refused.map(() => null))
  expect(read('plain', 3)).toBeNull()
})

test('a file is put in the place of a link or a folder, never through it', () => {
  symlinkSync(secret, join(root, 'link'))
  mkdirSync(join(root, 'folder/inner'), { recursive: true })
  symlinkSync(folder, join(root, 'above'))
  for (const name of ['link', 'folder']) {
    writeForeign(root, join(root, name), 'ours', 0o755)
    expect(lstatSync(join(root, name)).isFile()).toBe(true)
    expect(readFileSync(join(root, name), 'utf8')).toBe('ours')
  }
  expect(statSync(join(root, 'link')).mode & 0o777).toBe(0o755)
  expect(() => writeForeign(root, join(root, 'above/owner.key'), 'ours')).toThrow('does not lead to a place')
  expect(readFileSync(secret, 'utf8')).toBe('SECRET\n')
})

test('a folder that was locked is removed, and what its links lead to is not', () => {
  mkdirSync(join(root, 'a/b'), { recursive: true })
  writeFileSync(join(root, 'a/b/file'), '')
  symlinkSync(folder, join(root, 'a/above'))
  chmodSync(join(root, 'a/b'), 0)
  chmodSync(join(root, 'a'), 0o500)
  removeForeign(root)
  expect([existsSync(root), existsSync(secret)]).toEqual([false, true])
})

test('links in the git folder of a sandbox lead nowhere when it is brought up to date', async (context) => {
  if (!(await needSandbox(context))) return
  const home = join(folder, 'home')
  mkdirSync(home)
  writeFileSync(join(home, '.profile'), 'mine\n')
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home }
  const outside = (line: string) =>
    execFileSync('/bin/sh', ['-ec', line], { cwd: root, env, encoding: 'utf8' })
  outside(`git init -qb main .; echo one > a; git add -A
    git -c user.name=t -c user.email=t@example.org commit -qm first; git branch other
    git worktree add -q ../tree -b tree`)
  const cwd = join(folder, 'tree')
  const confined = await confine({ mode: 'required', purpose: 'test', argv: [], cwd, network: 'own', env })
  if (confined.is === 'refused') throw new Error(confined.why)
  const inside = (line: string): string => {
    const [program = '', ...args] = [...confined.before, '/bin/sh', '-c', line]
    const { stdout, stderr } = spawnSync(program, args, { cwd, env: confined.env, encoding: 'utf8' })
    return stdout + stderr
  }
  try {
    inside(`echo two > b; git add b; git -c user.name=t -c user.email=t@example.org stash -q
      cd /run/git/work; mkdir kept; mv refs kept/refs; rm -rf config info
      ln -s ${root}/.git/refs refs; ln -s ${home}/.profile config; ln -s ${home} info`)
    await confined.refresh()
    expect(readFileSync(join(home, '.profile'), 'utf8')).toBe('mine\n')
    expect(existsSync(join(home, 'exclude'))).toBe(false)
    expect(outside('git for-each-ref --format="%(refname:short)"')).toBe('main\nother\ntree\n')
    expect(inside('git log --format=%s; git status --short')).toBe('first\n')
  } finally {
    confined.close()
  }
})

test('while links come and go, nothing outside is read or written', async () => {
  writeFileSync(join(root, 'plain'), 'text')
  mkdirSync(join(root, 'real'))
  // As a command of the same session does that runs at the same time.
  const flip = `for (const end = Date.now() + 500; Date.now() < end;)
    for (const [from, at] of [['${secret}', 'file'], ['plain', 'file'], ['${folder}', 'way'], ['real', 'way']]) {
      try { fs.symlinkSync(from, 'next-' + at) } catch {}
      try { fs.renameSync('next-' + at, at) } catch {}
    }`
  const child = spawn(process.execPath, ['-e', flip], { cwd: root, stdio: 'inherit' })
  const read = new Set<string | null>()
  while (child.exitCode === null) {
    for (let i = 0; i < 200; i += 1) {
      read.add(readForeign(root, join(root, 'file'), 10)?.toString() ?? null)
      try {
        writeForeign(root, join(root, 'way/owner.key'), 'ours')
      } catch (error) {
        expect(String(error)).toMatch(/does not lead|ENOENT|ENOTDIR/)
      }
    }
    await setImmediate()
  }
  expect(read.has('SECRET\n')).toBe(false)
  expect(readFileSync(secret, 'utf8')).toBe('SECRET\n')
})
