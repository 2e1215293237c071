import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const daemon = (word: string) => `
  import { answer } from '../../../packages/store/src/answer.ts'
  const marked = new Set<unknown>()
  function Mark(target: unknown): void { marked.add(target) }
  @Mark class Thing { readonly word = '${word}' }
  process.stdout.write([new Thing().word, marked.has(Thing), answer].join(' '))
`

function repository(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-build-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'apps/daemon/src'), { recursive: true })
  mkdirSync(join(folder, 'packages/store/src/driver'), { recursive: true })
  for (const name of ['tools/build.ts', 'tools/bundle.ts', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'packages/store/src/answer.ts'), 'export const answer: number = 42')
  writeFileSync(join(folder, 'packages/store/src/driver/pglite-worker.ts'), "process.stdout.write('worker')")
  writeFileSync(join(folder, 'apps/daemon/src/main.ts'), daemon('one'))
  return folder
}

const args = ['tools/build.ts', '--if-stale']
const build = (cwd: string) => spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
const start = (cwd: string, name = 'main') =>
  spawnSync(process.execPath, [`apps/daemon/dist/${name}.js`], { cwd, encoding: 'utf8' })

test('the daemon is built when its sources changed, and only then', () => {
  const folder = repository()
  expect(build(folder)).toMatchObject({
    status: 0,
    stdout: '',
    stderr: expect.stringMatching(/^built apps\/daemon in .* s\n$/),
  })
  expect(start(folder).stdout).toBe('one true 42')
  expect(start(folder, 'pglite-worker').stdout).toBe('worker')
  const before = statSync(join(folder, 'apps/daemon/dist/main.js')).ino
  expect(build(folder)).toMatchObject({ status: 0, stderr: '' })
  expect(statSync(join(folder, 'apps/daemon/dist/main.js')).ino).toBe(before)
  writeFileSync(join(folder, 'packages/store/src/answer.ts'), 'export const answer: number = 43')
  expect(build(folder).status).toBe(0)
  expect(start(folder).stdout).toBe('one true 43')
})

test('a built daemon finds the catalogue of questions beside itself', () => {
  const folder = repository()
  // Only the build is left to look at: the sources are put under another name after it.
  for (const name of ['questions', 'contracts']) {
    cpSync(join(root, `packages/${name}`), join(folder, `packages/${name}`), { recursive: true })
  }
  writeFileSync(
    join(folder, 'apps/daemon/src/main.ts'),
    `import { questionsFor } from '../../../packages/questions/src/questions-for.ts'
     const [asked] = questionsFor({ agent: 'ux', event: 'before_ux_testing', facts: {} })
     process.stdout.write(String(asked?.defaultOption))`,
  )
  expect(build(folder).status).toBe(0)
  renameSync(join(folder, 'packages'), join(folder, 'gone'))
  expect(start(folder)).toMatchObject({ stdout: 'First-time user', status: 0 })
})

test('a failing build leaves the last good one in place', () => {
  const folder = repository()
  build(folder)
  writeFileSync(join(folder, 'apps/daemon/src/main.ts'), 'export const a: = 1')
  expect(build(folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('PARSE_ERROR') })
  expect(start(folder).stdout).toBe('one true 42')
})

test('several builds at once end with a whole one and leave nothing behind', async () => {
  const folder = repository()
  const children = [1, 2, 3].map(() => spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' }))
  const ends = await Promise.all(children.map((child) => once(child, 'exit')))
  expect(ends).toEqual([
    [0, null],
    [0, null],
    [0, null],
  ])
  expect(start(folder).stdout).toBe('one true 42')
  expect(readdirSync(join(folder, '.cache/build'))).toEqual([])
})
