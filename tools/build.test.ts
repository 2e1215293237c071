import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
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

const page = (word: string) => `
  import { answer } from '../../../packages/contracts/src/answer.ts'
  document.title = [${JSON.stringify(word)}, answer].join(' ') as string
`

function repository(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-build-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'apps/dashboard/src'), { recursive: true })
  mkdirSync(join(folder, 'packages/contracts/src'), { recursive: true })
  for (const name of ['tools/build.ts', 'tools/bundle.ts', 'tsconfig.json', 'apps/dashboard/vite.config.ts'])
    cpSync(join(root, name), join(folder, name))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'apps/dashboard/index.html'),
    '<!doctype html><title>page</title><script type="module" src="./src/main.tsx"></script>',
  )
  writeFileSync(join(folder, 'packages/contracts/src/answer.ts'), 'export const answer: number = 42')
  writeFileSync(join(folder, 'apps/dashboard/src/main.tsx'), page('one'))
  return folder
}

const args = ['tools/build.ts', '--if-stale']
const build = (cwd: string) => spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
const built = (folder: string) => readFileSync(join(folder, 'apps/dashboard/dist/app.js'), 'utf8')

test('the dashboard is built when its sources changed, and only then', () => {
  const folder = repository()
  expect(build(folder)).toMatchObject({
    status: 0,
    stdout: '',
    stderr: expect.stringMatching(/^dashboard: .*\nbuilt apps\/dashboard in .* s\n$/),
  })
  expect(built(folder)).toContain('one')
  expect(built(folder)).toContain('42')
  const before = statSync(join(folder, 'apps/dashboard/dist/app.js')).ino
  expect(build(folder)).toMatchObject({ status: 0, stderr: '' })
  expect(statSync(join(folder, 'apps/dashboard/dist/app.js')).ino).toBe(before)
  writeFileSync(join(folder, 'packages/contracts/src/answer.ts'), 'export const answer: number = 43')
  expect(build(folder).status).toBe(0)
  expect(built(folder)).toContain('43')
})

test('a failing build leaves the last good one in place', () => {
  const folder = repository()
  build(folder)
  writeFileSync(join(folder, 'apps/dashboard/src/main.tsx'), 'export const a: = 1')
  expect(build(folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('Unexpected token') })
  expect(built(folder)).toContain('42')
})

test('several builds at once end with a whole one and leave nothing behind', {
  timeout: 180_000,
}, async () => {
  const folder = repository()
  const children = [1, 2, 3].map(() => spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' }))
  const ends = await Promise.all(children.map((child) => once(child, 'exit')))
  expect(ends).toEqual([
    [0, null],
    [0, null],
    [0, null],
  ])
  expect(built(folder)).toContain('42')
  expect(readdirSync(join(folder, '.cache/build'))).toEqual([])
})
