// Pruning npm's lock file, held against what npm itself writes.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { withoutDependency } from './npm-lock.ts'

const entry = (name: string, more: object = {}) => ({
  version: '1.0.0',
  resolved: `https://registry.example/${name}-1.0.0.tgz`,
  integrity: 'sha512-x',
  ...more,
})
const text = (lock: object) => `${JSON.stringify(lock, null, 2)}\n`
const locked = (root: object, packages: object, more: object = {}) =>
  text({
    name: 'shop',
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name: 'shop', ...root }, ...packages },
    ...more,
  })

test('a package goes with whatever only it needed, and the rest stays as it is', () => {
  const packages = {
    'node_modules/deep': entry('deep'),
    'node_modules/idle': entry('idle', { dependencies: { deep: '1', shared: '1' } }),
    'node_modules/idle/node_modules/shared': entry('shared', { dependencies: { nested: '1' } }),
    'node_modules/nested': entry('nested'),
    'node_modules/shared': entry('shared'),
    'node_modules/stray': entry('stray', { extraneous: true }),
    'node_modules/used': entry('used', { dependencies: { shared: '1' } }),
  }
  const before = locked({ dependencies: { idle: '1', used: '1' } }, packages)
  const { 'node_modules/shared': shared, 'node_modules/stray': stray, 'node_modules/used': used } = packages
  expect(withoutDependency(before, { folder: '', name: 'idle' })).toEqual({
    text: locked(
      { dependencies: { used: '1' } },
      { 'node_modules/shared': shared, 'node_modules/stray': stray, 'node_modules/used': used },
    ),
  })
})

test('what is only needed for development from now on is marked so, where npm marks it', () => {
  const packages = (mark: object) => ({
    'node_modules/shared': { ...entry('shared'), ...mark },
    'node_modules/tool': entry('tool', { dev: true, dependencies: { shared: '1' } }),
  })
  const idle = { 'node_modules/idle': entry('idle', { dependencies: { shared: '1' } }) }
  const devDependencies = { tool: '1' }
  const before = locked({ dependencies: { idle: '1' }, devDependencies }, { ...idle, ...packages({}) })
  const found = withoutDependency(before, { folder: '', name: 'idle' })
  expect(found).toEqual({ text: locked({ devDependencies }, packages({ dev: true })) })
})

test('version 2 says the same twice, and both lose it', () => {
  const packages = {
    'node_modules/deep': entry('deep'),
    'node_modules/idle': entry('idle', { dependencies: { deep: '1' } }),
  }
  const legacy = { deep: { version: '1.0.0' }, idle: { version: '1.0.0', requires: { deep: '1' } } }
  const two = { lockfileVersion: 2, dependencies: legacy }
  const before = locked({ dependencies: { idle: '1' } }, packages, two)
  const found = withoutDependency(before, { folder: '', name: 'idle' })
  expect(found).toEqual({ text: locked({}, {}, { ...two, dependencies: {} }) })
})

test('of a workspace only the package that asked loses it', () => {
  const packages = {
    'node_modules/@shop/a': { resolved: 'packages/a', link: true },
    'node_modules/both': entry('both'),
    'node_modules/idle': entry('idle'),
    'packages/a': { name: '@shop/a', dependencies: { both: '1', idle: '1' } },
  }
  const before = locked({ workspaces: ['packages/*'], dependencies: { both: '1' } }, packages)
  const found = withoutDependency(before, { folder: 'packages/a', name: 'both' })
  expect(found).toEqual({
    text: locked(
      { workspaces: ['packages/*'], dependencies: { both: '1' } },
      { ...packages, 'packages/a': { name: '@shop/a', dependencies: { idle: '1' } } },
    ),
  })
  const gone = withoutDependency(before, { folder: 'packages/a', name: 'idle' })
  expect('text' in gone && gone.text).not.toContain('node_modules/idle')
})

test('indent and line ends stay', () => {
  const packages = { 'node_modules/idle': entry('idle') }
  const data = { lockfileVersion: 3, packages: { '': { dependencies: { idle: '1' } }, ...packages } }
  const tabs = `${JSON.stringify(data, null, '\t').replaceAll('\n', '\r\n')}\r\n`
  const left = { lockfileVersion: 3, packages: { '': {} } }
  expect(withoutDependency(tabs, { folder: '', name: 'idle' })).toEqual({
    text: `${JSON.stringify(left, null, '\t').replaceAll('\n', '\r\n')}\r\n`,
  })
})

test.each([
  ['{', 'is no JSON'],
  ['[]', 'is no JSON'],
  [text({ lockfileVersion: 1, dependencies: {} }), 'has version 1'],
  [text({ lockfileVersion: 3, packages: { '': 1 } }), 'has version 3'],
  ['{"lockfileVersion":3, "packages":{}}', 'is not written as npm writes it'],
  [locked({}, {}), 'does not say that package.json asks for idle'],
  [locked({ dependencies: null }, {}), 'does not say that package.json asks for idle'],
])('%j is left alone', (lock, why) => {
  expect(withoutDependency(lock, { folder: '', name: 'idle' })).toEqual({ why: expect.stringContaining(why) })
})

test('a circle of packages and a name that leads nowhere do not hold it up', () => {
  const packages = {
    'node_modules/a': entry('a', { dependencies: { b: '1', gone: '1' } }),
    'node_modules/b': entry('b', { dependencies: { a: '1' } }),
  }
  const before = locked({ dependencies: { a: '1' } }, packages)
  expect(withoutDependency(before, { folder: '', name: 'a' })).toEqual({ text: locked({}, {}) })
})

test('of the lock file of this repository, each package can go, and what stays is as npm wrote it', () => {
  const file = fileURLToPath(new URL('../../../package-lock.json', import.meta.url))
  const before = readFileSync(file, 'utf8')
  const { packages } = JSON.parse(before) as {
    packages: Record<string, Record<string, Record<string, string>>>
  }
  const root = packages['']
  for (const name of Object.keys({ ...root?.dependencies, ...root?.devDependencies })) {
    const found = withoutDependency(before, { folder: '', name })
    expect(found).toEqual({ text: expect.any(String) })
    const lines = new Set(before.split('\n').map((line) => line.replace(/,$/, '')))
    const marks = /^ {6}"(?:dev|optional|peer|devOptional)": true$/
    const fresh = ('text' in found ? found.text : '')
      .split('\n')
      .map((line) => line.replace(/,$/, ''))
      .filter((line) => !lines.has(line) && !marks.test(line))
    expect(fresh).toEqual([])
  }
})
