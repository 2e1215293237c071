import { expect, test } from 'vitest'
import { lockConcern } from './lock-file.ts'

const REGISTRY = 'https://registry.example.org'
const HASH = `sha512-${'A'.repeat(86)}==`

interface Entry {
  readonly [key: string]: unknown
}

const entry = (name: string, version: string, more: Entry = {}): Entry => ({
  version,
  resolved: `${REGISTRY}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`,
  integrity: HASH.replace('AAA', version.replaceAll('.', 'B')),
  ...more,
})

const manifest = (dependencies: Entry): string =>
  JSON.stringify({ name: 'x', version: '1.0.0', dependencies })

function lock(dependencies: Entry, packages: Record<string, Entry>, more: Entry = {}): string {
  return JSON.stringify({
    name: 'x',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name: 'x', version: '1.0.0', dependencies }, ...packages },
    ...more,
  })
}

const WAS = { pad: '^1.0.0', other: '^2.0.0' }
const IS = { pad: '^1.1.0', other: '^2.0.0' }
const PAD = entry('pad', '1.0.0', { dependencies: { deep: '^1.0.0' } })
const NEWER = entry('pad', '1.1.0', { dependencies: { deep: '^2.0.0' } })
const BEFORE = {
  'node_modules/pad': PAD,
  'node_modules/deep': entry('deep', '1.0.0'),
  'node_modules/other': entry('other', '2.0.0'),
}
const AFTER = { ...BEFORE, 'node_modules/pad': NEWER, 'node_modules/deep': entry('deep', '2.0.0') }

const concern = (after: string, wanted: Entry = IS, before = lock(WAS, BEFORE)): string | null =>
  lockConcern({ before, after, manifestBefore: manifest(WAS), manifestAfter: manifest(wanted) })

test('an update that package.json asks for brings its package and all that this needs', () => {
  expect(concern(lock(IS, AFTER))).toBeNull()
  const nested = {
    ...BEFORE,
    'node_modules/pad': NEWER,
    'node_modules/pad/node_modules/deep': entry('deep', '2.0.0'),
  }
  expect(concern(lock(IS, nested))).toBeNull()
  const removed = { 'node_modules/pad': PAD, 'node_modules/deep': BEFORE['node_modules/deep'] }
  expect(concern(lock({ pad: '^1.0.0' }, removed), { pad: '^1.0.0' })).toBeNull()
})

test('a lock file without places follows one without', () => {
  const bare = (packages: Record<string, Entry>) =>
    Object.fromEntries(Object.entries(packages).map(([at, { resolved: _, ...rest }]) => [at, rest]))
  expect(concern(lock(IS, bare(AFTER)), IS, lock(WAS, bare(BEFORE)))).toBeNull()
  const { resolved: _, ...placeless } = NEWER
  expect(concern(lock(IS, { ...AFTER, 'node_modules/pad': placeless }))).toMatch(/does not say where/)
})

test('a package with a scope, and one whose script was run before, are updated as others are', () => {
  const was = { 'node_modules/@a/b': entry('@a/b', '1.0.0', { hasInstallScript: true }) }
  const is = { 'node_modules/@a/b': entry('@a/b', '1.1.0', { hasInstallScript: true }) }
  const change = {
    manifestBefore: manifest({ '@a/b': '1.0.0' }),
    manifestAfter: manifest({ '@a/b': '1.1.0' }),
  }
  const texts = { before: lock({ '@a/b': '1.0.0' }, was), after: lock({ '@a/b': '1.1.0' }, is) }
  expect(lockConcern({ ...change, ...texts })).toBeNull()
})

const pad = (more: Entry): string => lock(IS, { ...AFTER, 'node_modules/pad': { ...NEWER, ...more } })

test.each<[what: string, after: string, said: RegExp]>([
  [
    'another registry',
    pad({ resolved: 'https://evil.example.net/pad/-/pad-1.1.0.tgz' }),
    /comes from elsewhere/,
  ],
  [
    'plain http',
    pad({ resolved: 'http://registry.example.org/pad/-/pad-1.1.0.tgz' }),
    /comes from elsewhere/,
  ],
  ['git', pad({ resolved: 'git+ssh://git@example.org/pad.git#0123' }), /comes from elsewhere/],
  ['a file', pad({ resolved: 'file:../pad' }), /comes from elsewhere/],
  [
    'a login',
    pad({ resolved: 'https://a:b@registry.example.org/pad/-/pad-1.1.0.tgz' }),
    /comes from elsewhere/,
  ],
  [
    'the place of another package',
    pad({ resolved: `${REGISTRY}/evil/-/evil-1.1.0.tgz` }),
    /place of another package/,
  ],
  ['another package by its name', pad({ name: 'evil' }), /another package by that name, evil/],
  ['no hash', pad({ integrity: undefined }), /no hash/],
  ['a weak hash', pad({ integrity: 'sha1-AAAA' }), /no hash/],
  ['a script of an install', pad({ hasInstallScript: true }), /newly runs a script/],
  ['a link', pad({ link: true }), /no package of a registry/],
  [
    'other contents of the same version',
    lock(IS, { ...AFTER, 'node_modules/deep': { ...entry('deep', '1.0.0'), integrity: HASH } }),
    /same version and other contents/,
  ],
  [
    'a package that nobody asked for',
    lock(IS, { ...AFTER, 'node_modules/other': entry('other', '2.1.0') }),
    /node_modules\/other was changed, and no change of package\.json asks/,
  ],
  ['a range that package.json does not have', lock({ ...IS, evil: '1' }, AFTER), /what package\.json says/],
  ['another notation', lock(IS, AFTER, { lockfileVersion: 1 }), /cannot be read/],
  ['more than packages', lock(IS, AFTER, { overrides: { deep: '3' } }), /more than packages/],
  [
    'another story for older versions of npm',
    lock(IS, AFTER, { dependencies: { pad: { ...PAD } } }),
    /cannot be read/,
  ],
  ['no JSON', 'x = 1\n', /cannot be read/],
])('%s is told', (_what, after, said) => {
  expect(concern(after)).toMatch(said)
})

test('a lock file that is new, gone, or changed without its manifest is told', () => {
  const texts = { manifestBefore: manifest(WAS), manifestAfter: manifest(WAS) }
  const [before, after] = [lock(WAS, BEFORE), lock(WAS, AFTER)]
  expect(lockConcern({ ...texts, before: null, after })).toBe('it is new')
  expect(lockConcern({ ...texts, before, after: null })).toBe('it was removed')
  expect(lockConcern({ ...texts, before, after })).toMatch(/no change of package\.json asks for it/)
})
