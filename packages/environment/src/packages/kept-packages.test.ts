// Packages of one tree in others: the same files, links into the project that mean the new tree, nothing shared where
// nothing may be.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { KeptPackages } from './kept-packages.ts'
import { packageKey } from './package-key.ts'
import { plainInstall, scriptsAfter } from './plain-install.ts'

function makeRoot(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-kept-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** A tree of a workspace as an install leaves it. */
function installed(root: string, name: string): string {
  const tree = join(root, name)
  write(join(tree, 'packages/lib/index.js'), `module.exports = '${name}'\n`)
  write(join(tree, 'node_modules/left/index.js'), 'module.exports = 1\n')
  write(join(tree, 'node_modules/left/bin.js'), '#!/usr/bin/env node\n')
  write(join(tree, 'packages/lib/node_modules/deep/index.js'), 'module.exports = 2\n')
  mkdirSync(join(tree, 'node_modules/.bin'))
  symlinkSync('../left/bin.js', join(tree, 'node_modules/.bin/left'))
  symlinkSync('../packages/lib', join(tree, 'node_modules/lib'))
  symlinkSync(join(tree, 'packages/lib'), join(tree, 'node_modules/absolute'))
  return tree
}

function bare(root: string, name: string): string {
  const tree = join(root, name)
  write(join(tree, 'packages/lib/index.js'), `module.exports = '${name}'\n`)
  return tree
}

test.each(['shared', 'own'] as const)(
  'taken %s, they are the same, and links mean the new tree',
  async (way) => {
    const root = makeRoot()
    const kept = new KeptPackages(join(root, 'kept'))
    await kept.keep(installed(root, 'target'), 'key')
    const tree = bare(root, 'other')
    expect(await kept.take(tree, 'key', way)).toMatchObject({ files: 3 })
    expect(readFileSync(join(tree, 'node_modules/left/index.js'), 'utf8')).toBe('module.exports = 1\n')
    expect(readFileSync(join(tree, 'packages/lib/node_modules/deep/index.js'), 'utf8')).toContain('2')
    for (const name of ['lib', 'absolute'])
      expect(realpathSync(join(tree, 'node_modules', name))).toBe(join(tree, 'packages/lib'))
    expect(readlinkSync(join(tree, 'node_modules/.bin/left'))).toBe('../left/bin.js')
    // Whoever has packages of its own keeps them, and what nobody has kept is not taken.
    expect(await kept.take(tree, 'key', way)).toBeNull()
    expect(await kept.take(bare(root, 'third'), 'another', way)).toBeNull()
  },
)

test('what is written in a worktree reaches neither what is kept nor what is taken for a decision', async () => {
  const root = makeRoot()
  const kept = new KeptPackages(join(root, 'kept'))
  await kept.keep(installed(root, 'target'), 'key')
  const [one, two, own] = [bare(root, 'one'), bare(root, 'two'), bare(root, 'own')]
  await kept.take(one, 'key', 'shared')
  const file = 'node_modules/left/index.js'
  appendFileSync(join(one, file), 'poison\n')
  await kept.take(own, 'key', 'own')
  await kept.take(two, 'key', 'shared')
  for (const tree of [own, two]) expect(readFileSync(join(tree, file), 'utf8')).toBe('module.exports = 1\n')
  const [mine, its] = [lstatSync(join(own, file)), lstatSync(join(one, file))]
  expect(mine.ino).not.toBe(its.ino)
})

test('the key changes with lock file and manifests, and with nothing else', () => {
  const root = makeRoot()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' })
  git('init', '--quiet')
  for (const file of ['package.json', 'package-lock.json', 'src/a.js', 'packages/a/package.json'])
    write(join(root, file), '{}')
  git('add', '--all')
  const before = packageKey(root, 'npm ci')
  write(join(root, 'src/a.js'), 'changed')
  expect(packageKey(root, 'npm ci')).toBe(before)
  for (const file of ['package-lock.json', 'packages/a/package.json']) {
    write(join(root, file), '{"changed":true}')
    expect(packageKey(root, 'npm ci')).not.toBe(before)
    write(join(root, file), '{}')
  }
  expect(packageKey(root, 'npm ci --ignore-scripts')).not.toBe(before)
})

test('an install that copies what lies in the project, or makes something of it, is run as it is', () => {
  const root = makeRoot()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' })
  git('init', '--quiet')
  write(join(root, 'vendored/left/package.json'), '{}')
  write(join(root, 'vendored/left.tgz'), 'x')
  write(join(root, 'packages/a/package.json'), '{}')
  write(join(root, 'package.json'), '{}')
  write(join(root, '.npmrc'), '')
  write(join(root, 'pnpm-workspace.yaml'), '')
  git('add', '--all')
  const isTaken = (manifest: object, command = 'npm ci', at = 'package.json') => {
    write(join(root, at), JSON.stringify(manifest))
    const key = packageKey(root, command)
    write(join(root, at), '{}')
    return key !== null
  }
  const left = (spec: string) => ({ dependencies: { left: spec } })
  const pnpm = 'pnpm install --frozen-lockfile'
  expect(isTaken(left('^1.0.0'))).toBe(true)
  // Links into the tree, which mean each tree's own.
  for (const spec of ['file:vendored/left', './vendored/left', 'file:./vendored/left'])
    expect(isTaken(left(spec)), spec).toBe(true)
  expect(isTaken(left('link:vendored/left'), pnpm)).toBe(true)
  expect(isTaken(left('workspace:*'), pnpm)).toBe(true)
  expect(isTaken(left('file:../../vendored/left'), 'npm ci', 'packages/a/package.json')).toBe(true)
  // Copies, archives, and links out of the tree.
  for (const spec of ['file:vendored/left.tgz', './vendored/left.tgz', 'file:../left', '../left', '~/left'])
    expect(isTaken(left(spec)), spec).toBe(false)
  expect(isTaken(left('file:vendored/left'), pnpm)).toBe(false)
  expect(isTaken(left('file:vendored/left'), 'yarn install --immutable')).toBe(false)
  expect(isTaken(left('link:../left'), pnpm)).toBe(false)
  expect(isTaken({ pnpm: { overrides: { left: 'file:vendored/left' } } }, pnpm)).toBe(false)
  expect(isTaken({ resolutions: { left: 'file:vendored/left' } }, 'yarn install --immutable')).toBe(false)
  const injected = { ...left('workspace:*'), dependenciesMeta: { left: { injected: true } } }
  expect(isTaken(injected, pnpm)).toBe(false)
  // What is generated of files of the project.
  const prisma = { dependencies: { '@prisma/client': '^6.0.0' } }
  expect(isTaken(prisma)).toBe(false)
  expect(isTaken(prisma, 'npm ci', 'packages/a/package.json')).toBe(false)
  expect(isTaken(prisma, 'npm ci --ignore-scripts')).toBe(true)
  // Settings by which links become copies.
  write(join(root, '.npmrc'), 'install-links=true\n')
  expect(isTaken(left('file:vendored/left'))).toBe(false)
  write(join(root, '.npmrc'), '')
  write(join(root, 'pnpm-workspace.yaml'), 'injectWorkspacePackages: true\n')
  expect(isTaken(left('workspace:*'), pnpm)).toBe(false)
  write(join(root, 'pnpm-workspace.yaml'), 'overrides:\n  left: "file:vendored/left"\n')
  expect(isTaken({}, pnpm)).toBe(false)
})

test.each([
  ['npm ci', { install: 'npm ci', after: null, manager: 'npm' }],
  ['npm ci && npm run build', { install: 'npm ci', after: 'npm run build', manager: 'npm' }],
  [
    'pnpm install --frozen-lockfile',
    { install: 'pnpm install --frozen-lockfile', after: null, manager: 'pnpm' },
  ],
  ['npm ci; rm -rf src', null],
  ['npm install left-pad', null],
  ['make deps', null],
])('%s', (command, plain) => {
  expect(plainInstall(command)).toEqual(plain)
})

test('what an install of the project itself runs is run again', () => {
  const plain = { install: 'npm ci', after: null, manager: 'npm' }
  const scripts = { prepare: 'husky', test: 'x', postinstall: 'node patch.js' }
  expect(scriptsAfter({ scripts }, plain)).toBe('npm run postinstall && npm run prepare')
  expect(scriptsAfter({ scripts: { test: 'x' } }, plain)).toBeNull()
})
