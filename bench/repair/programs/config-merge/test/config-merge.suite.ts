import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandConfig } from '../src/expand.ts'
import { mergeConfig, readPath, writePath } from '../src/merge.ts'

test('later layers win and objects are merged', () => {
  const merged = mergeConfig(
    { name: 'app', log: { level: 'info', color: true } },
    { log: { level: 'debug' }, port: 80 },
  )
  assert.deepEqual(merged, { name: 'app', log: { level: 'debug', color: true }, port: 80 })
})

test('lists are replaced and null takes away', () => {
  const merged = mergeConfig(
    { tags: ['a', 'b'], old: 1, db: { pass: 'x' } },
    { tags: ['c'], old: null, db: 'none' },
  )
  assert.deepEqual(merged, { tags: ['c'], db: 'none' })
})

test('layers are not changed by a merge or by its result', () => {
  const base = { list: [1], deep: { a: { b: 1 } } }
  const merged = mergeConfig(base, { deep: { a: { c: 2 } } })
  const list = merged.list
  if (Array.isArray(list)) list.push(2)
  assert.deepEqual(base, { list: [1], deep: { a: { b: 1 } } })
})

test('paths are read with a fallback', () => {
  const config = { a: { b: { c: 0 } }, list: [1] }
  assert.equal(readPath(config, 'a.b.c', 5), 0)
  assert.equal(readPath(config, 'a.x.c', 5), 5)
  assert.equal(readPath(config, 'list.length'), null)
  assert.equal(readPath(config, 'toString', 'no'), 'no')
})

test('paths are written into a copy', () => {
  const config = { a: { b: 1 }, z: 1 }
  assert.deepEqual(writePath(config, 'a.c.d', 2), { a: { b: 1, c: { d: 2 } }, z: 1 })
  assert.deepEqual(writePath(config, 'z.y', 2), { a: { b: 1 }, z: { y: 2 } })
  assert.deepEqual(config, { a: { b: 1 }, z: 1 })
})

test('references are expanded', () => {
  const config = {
    host: 'local',
    port: 80,
    url: 'http://%(host):%(port)/%(site.name)/',
    site: { name: 'shop', title: '%(site.name)!', tags: ['%(host)'] },
    level: '%(log.level:info)',
    again: '<%(url)>',
  }
  assert.deepEqual(expandConfig(config), {
    host: 'local',
    port: 80,
    url: 'http://local:80/shop/',
    site: { name: 'shop', title: 'shop!', tags: ['local'] },
    level: 'info',
    again: '<http://local:80/shop/>',
  })
})

test('missing values and circles are refused', () => {
  assert.throws(() => expandConfig({ a: '%(nothing)' }), /no value for nothing/)
  assert.throws(() => expandConfig({ a: '%(b)', b: '%(a)' }), /refers to itself/)
})
