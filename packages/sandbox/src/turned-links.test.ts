import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { borrowedPackages } from './borrowed-packages.ts'
import { turnedLocations } from './plug-n-play.ts'
import { turnLinks } from './turned-links.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

type Files = Readonly<Record<string, string>>

function folder(files: Files): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-links-')))
  folders.push(root)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

const manifest = (name: string) => `{"name":"${name}","main":"index.js"}`

/** A workspace with a package `@p/lib`, a package from outside, and a tree in which `@p/lib` says something else. */
function workspace() {
  const own = { 'packages/lib/package.json': manifest('@p/lib'), 'packages/app/index.js': '' }
  const owner = folder({
    ...own,
    'packages/lib/index.js': 'module.exports = "owner"',
    'node_modules/far/package.json': manifest('far'),
    'node_modules/far/index.js': 'module.exports = "far"',
  })
  mkdirSync(join(owner, 'node_modules/@p'))
  symlinkSync('../../packages/lib', join(owner, 'node_modules/@p/lib'))
  const tree = folder({ ...own, 'packages/lib/index.js': 'module.exports = "tree"' })
  return { owner, tree }
}

const load = (cwd: string, name: string) =>
  execFileSync(process.execPath, ['-p', `require('${name}')`], { cwd, encoding: 'utf8' }).trim()

test('a package of the workspace means the tree, one from outside the owner’s copy of it', () => {
  const { owner, tree } = workspace()
  turnLinks(owner, tree)
  expect(load(tree, '@p/lib')).toBe('tree')
  expect(load(join(tree, 'packages/app'), '@p/lib')).toBe('tree')
  expect(load(tree, 'far')).toBe('far')
  turnLinks(owner, tree)
  expect(load(tree, '@p/lib')).toBe('tree')
})

test('packages of each folder are borrowed too, as pnpm lays them out', () => {
  const { owner, tree } = workspace()
  mkdirSync(join(owner, 'packages/app/node_modules/@p'), { recursive: true })
  symlinkSync('../../../lib', join(owner, 'packages/app/node_modules/@p/lib'))
  expect(borrowedPackages(owner, tree).sort()).toEqual(['node_modules', 'packages/app/node_modules'])
  turnLinks(owner, tree)
  expect(load(join(tree, 'packages/app'), '@p/lib')).toBe('tree')
})

test('what is borrowed is ignored as it is in the checkout; what the tree has installed itself stays its own', () => {
  const { owner, tree } = workspace()
  turnLinks(owner, tree)
  writeFileSync(join(tree, '.gitignore'), 'node_modules/\n')
  execFileSync('git', ['init', '-q'], { cwd: tree })
  const untracked = execFileSync('git', ['status', '--porcelain'], { cwd: tree, encoding: 'utf8' })
  expect(untracked).not.toContain('node_modules')
  const other = folder({ 'node_modules/own/index.js': '' })
  expect(borrowedPackages(owner, other)).toEqual([])
})

test('an editable install of Python means the tree, by path file and by finder', () => {
  const owner = folder({ 'src/pk/__init__.py': 'x = "owner"', '.venv/pyvenv.cfg': '' })
  const tree = folder({ 'src/pk/__init__.py': 'x = "tree"' })
  const site = '.venv/lib/python3.11/site-packages'
  mkdirSync(join(owner, site), { recursive: true })
  writeFileSync(join(owner, site, '__editable__.pk.pth'), `${owner}/src\n`)
  expect(turnLinks(owner, tree).env).toEqual({ PYTHONPATH: join(tree, 'src') })
  rmSync(join(owner, site, '__editable__.pk.pth'))
  const finder = `MAPPING: dict[str, str] = {'pk': '${owner}/src/pk'}\n`
  writeFileSync(join(owner, site, '__editable___pk_1_0_finder.py'), finder)
  expect(turnLinks(owner, tree).env).toEqual({ PYTHONPATH: join(tree, 'src') })
})

test.each([
  ['./', './'],
  ['./packages/lib/', './packages/lib/'],
  ['./.yarn/__virtual__/lib-virtual-1/1/packages/lib/', './.yarn/__virtual__/lib-virtual-1/1/packages/lib/'],
  ['./.yarn/cache/a.zip/node_modules/a/', '../../../.yarn/cache/a.zip/node_modules/a/'],
  ['./.yarn/unplugged/a/node_modules/a/', '../../../.yarn/unplugged/a/node_modules/a/'],
  ['./.yarn/__virtual__/a-virtual-1/0/cache/a.zip/', '../../../.yarn/__virtual__/a-virtual-1/0/cache/a.zip/'],
  [
    './.yarn/__virtual__/a-virtual-1/2/.yarn/berry/cache/a.zip/',
    '../../../.yarn/__virtual__/a-virtual-1/2/.yarn/berry/cache/a.zip/',
  ],
  ['../.yarn/berry/cache/a.zip/node_modules/a/', '../../../../.yarn/berry/cache/a.zip/node_modules/a/'],
])('of Plug’n’Play, %s is found from a worktree at %s', (location, expected) => {
  const text = (at: string) => `'{\\\n "packageLocation": "${at}",\\\n "linkType": "HARD"}'`
  expect(turnedLocations(text(location), '../../..')).toBe(text(expected))
})

test('a file of Plug’n’Play follows a new install of the owner’s, and gives way to one of the tree', () => {
  const owner = folder({ '.pnp.cjs': 'one', '.yarn/cache/a.zip': '', '.yarn/install-state.gz': 'state' })
  const tree = folder({ 'package.json': '{}' })
  const text = () => readFileSync(join(tree, '.pnp.cjs'), 'utf8').trim()
  expect(borrowedPackages(owner, tree).sort()).toEqual(['.pnp.cjs', '.yarn/cache', '.yarn/install-state.gz'])
  turnLinks(owner, tree)
  expect(text()).toBe('one')
  expect(readFileSync(join(tree, '.yarn/install-state.gz'), 'utf8')).toBe('state')
  writeFileSync(join(owner, '.pnp.cjs'), 'two')
  utimesSync(join(owner, '.pnp.cjs'), 9e9, 9e9)
  turnLinks(owner, tree)
  expect(text()).toBe('two')
  // A copy that means the tree is covered where the tree stands elsewhere.
  expect(borrowedPackages(owner, tree)).toContain('.pnp.cjs')
  writeFileSync(join(tree, '.pnp.cjs'), 'own')
  turnLinks(owner, tree)
  expect(text()).toBe('own')
  expect(borrowedPackages(owner, tree)).not.toContain('.pnp.cjs')
})

test('the owner’s checkout borrows nothing of itself', () => {
  const { owner } = workspace()
  expect(turnLinks(owner, owner).env).toEqual({})
  expect(borrowedPackages(owner, owner)).toEqual([])
})
