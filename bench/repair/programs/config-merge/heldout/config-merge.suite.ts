import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandConfig } from '../src/expand.ts'
import { type Config, isConfig, mergeConfig, readPath, type Value, writePath } from '../src/merge.ts'

let state = 61
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

function randomValue(depth: number): Value {
  const kind = random(depth === 0 ? 5 : 8)
  if (kind === 0) return null
  if (kind === 1) return random(3)
  if (kind === 2) return ['', 'x', 'y'][random(3)] ?? ''
  if (kind === 3) return random(2) === 0
  if (kind === 4) return [random(3), 'i']
  return randomConfig(depth - 1)
}

function randomConfig(depth: number): Config {
  const keys = ['a', 'b', 'c'].filter(() => random(3) > 0)
  return Object.fromEntries(keys.map((key) => [key, randomValue(depth)]))
}

// Leaves by path, in layers: a leaf removes whatever is at, above or below its path.
function overlay(target: Map<string, string>, value: Value, path: string): void {
  if (!isConfig(value)) {
    for (const key of [...target.keys()]) if (key === path || key.startsWith(`${path}.`)) target.delete(key)
    if (value !== null) target.set(path, JSON.stringify(value))
    return
  }
  const parts = path.split('.')
  for (let end = 1; end <= parts.length; end += 1) {
    const above = parts.slice(0, end).join('.')
    if (target.get(above) !== '{}') target.delete(above)
  }
  target.set(path, '{}')
  for (const [key, inner] of Object.entries(value)) overlay(target, inner, `${path}.${key}`)
}

function leaves(value: Value, path: string, found: Map<string, string>): Map<string, string> {
  found.set(path, isConfig(value) ? '{}' : JSON.stringify(value))
  if (isConfig(value))
    for (const [key, inner] of Object.entries(value)) leaves(inner, `${path}.${key}`, found)
  return found
}

const byPath = (map: Map<string, string>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))

test('random layers merge by path', () => {
  for (let round = 0; round < 400; round += 1) {
    const layers = Array.from({ length: random(3) + 1 }, () => randomConfig(2))
    const copy = structuredClone(layers)
    const expected = new Map([['$', '{}']])
    for (const layer of layers) overlay(expected, layer, '$')
    const merged = mergeConfig(...layers)
    assert.deepEqual(byPath(leaves(merged, '$', new Map())), byPath(expected))
    assert.deepEqual(layers, copy)
  }
  assert.deepEqual(mergeConfig(), {})
})

test('nothing is shared with the layers', () => {
  const inner = { list: [{ a: 1 }], map: { k: 'v' } }
  const merged = mergeConfig(inner)
  const list = merged.list
  const map = merged.map
  if (Array.isArray(list)) list.push(9)
  if (isConfig(map)) map.k = 'changed'
  assert.deepEqual(inner, { list: [{ a: 1 }], map: { k: 'v' } })
})

test('reading and writing paths', () => {
  const config: Config = { a: { b: false, n: null, s: '' }, zero: 0, list: [1, 2] }
  assert.equal(readPath(config, 'a.b', true), false)
  assert.equal(readPath(config, 'a.s', 'x'), '')
  assert.equal(readPath(config, 'a.n', 'x'), 'x')
  assert.equal(readPath(config, 'zero', 1), 0)
  assert.equal(readPath(config, 'zero.more', 1), 1)
  assert.equal(readPath(config, 'list.0', 'x'), 'x')
  assert.equal(readPath(config, 'a.constructor', 'x'), 'x')
  assert.equal(readPath(config, 'missing'), null)
  assert.deepEqual(readPath(config, 'a'), config.a)
  for (const path of ['a', 'a.b', 'a.b.c', 'new', 'new.deep.er', 'list.x']) {
    const copy = structuredClone(config)
    assert.equal(readPath(writePath(config, path, 42), path), 42)
    assert.deepEqual(config, copy)
  }
  assert.deepEqual(writePath({ a: { b: 1 } }, 'a.c', 2), { a: { b: 1, c: 2 } })
})

test('expanding', () => {
  assert.deepEqual(
    expandConfig({
      A_B: 'x',
      flag: false,
      n: 0,
      out: '%(A_B)%(A_B)-%(flag)-%(n)',
      empty: '[%(gone:)]',
      words: '%(gone:a b:c)',
      deep: { list: ['%(n)', { k: '%(out)' }, 7, null] },
      plain: '$A_B {n} %()',
    }),
    {
      A_B: 'x',
      flag: false,
      n: 0,
      out: 'xx-false-0',
      empty: '[]',
      words: 'a b:c',
      deep: { list: ['0', { k: 'xx-false-0' }, 7, null] },
      plain: '$A_B {n} %()',
    },
  )
  const chain = { a: 'end', b: '%(a)', c: '%(b)', d: '%(c)', e: '%(d)', f: '%(e)', g: '%(f)' }
  assert.throws(() => expandConfig(chain), /refers to itself/)
  const { g: _, ...short } = chain
  assert.equal(expandConfig(short).f, 'end')
  assert.throws(() => expandConfig(short, 4), /refers to itself/)
  assert.throws(() => expandConfig({ x: { y: ['%(p.q)'] } }), /no value for p\.q/)
})
