import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile, match, type Params, splitPath } from '../src/pattern.ts'
import { Router } from '../src/router.ts'

test('a table of matches', () => {
  const table: [string, string, Params | null][] = [
    ['/', '/', {}],
    ['/', '/a', null],
    ['/a/b', '/a/b/', {}],
    ['/a/b', '//a//b', {}],
    ['/a/b', '/b/a', null],
    ['/a/b', '/a', null],
    ['/:x/:y', '/1/2', { x: '1', y: '2' }],
    ['/:x/:y', '/1', null],
    ['/:x/b/:y', '/1/b/3?b=2', { x: '1', y: '3' }],
    ['/:x/b/:y', '/1/c/3', null],
    ['/p/:x', '/p/%C3%A9%2F', { x: 'é/' }],
    ['/p/*all', '/p/a%20b/c', { all: 'a b/c' }],
    ['/p/*all', '/p', { all: '' }],
    ['/p/*', '/p/q#r/s', { rest: 'q' }],
    ['/p/:x/*y', '/p/1/2/3', { x: '1', y: '2/3' }],
    ['/p/:x/*y', '/p', null],
    ['/p/*all', '/q/a', null],
  ]
  for (const [pattern, path, expected] of table) {
    assert.deepEqual(match(compile(pattern), path), expected, `${pattern} ${path}`)
  }
  assert.deepEqual(splitPath('/a//b/?c=/d'), ['a', 'b'])
  assert.throws(() => compile('/*a/*b'), SyntaxError)
  assert.equal(compile('/x/*y').source, '/x/*y')
})

test('fixed text beats a parameter, a parameter beats a rest, the earlier segment decides', () => {
  const sources = ['/*all', '/a/*all', '/:x/b', '/a/:y', '/a/b', '/:x/:y', '/:x/*all']
  const order = ['/a/b', '/a/:y', '/a/*all', '/:x/b', '/:x/:y', '/:x/*all', '/*all']
  for (let skip = 0; skip < order.length; skip += 1) {
    const kept = new Set(order.slice(skip))
    for (const list of [sources, [...sources].reverse()]) {
      const router = new Router()
      for (const source of list) if (kept.has(source)) router.add('GET', source, source)
      const found = router.find('GET', '/a/b')
      assert.equal(found.is === 'found' && found.name, order[skip])
    }
  }
})

test('the first of two equal routes wins', () => {
  const router = new Router().add('GET', '/:a', 'first').add('GET', '/:b', 'second')
  assert.deepEqual(router.find('GET', '/x'), { is: 'found', name: 'first', params: { a: 'x' } })
})

test('methods', () => {
  const router = new Router()
    .add('post', '/x', 'p')
    .add('Get', '/x', 'g')
    .add('GET', '/:any', 'any')
    .add('PUT', '/x', 'u')
  assert.deepEqual(router.find('pOsT', '/x'), { is: 'found', name: 'p', params: {} })
  assert.deepEqual(router.find('DELETE', '/x'), { is: 'wrong_method', allow: ['GET', 'POST', 'PUT'] })
  assert.deepEqual(router.find('DELETE', '/y'), { is: 'wrong_method', allow: ['GET'] })
  assert.deepEqual(router.find('GET', '/x/y'), { is: 'missing' })
  assert.deepEqual(new Router().find('GET', '/'), { is: 'missing' })
})

test('urls round trip', () => {
  const router = new Router()
    .add('GET', '/a/:x/:y', 'two')
    .add('GET', '/r/:x/*tail', 'tail')
    .add('GET', '/', 'home')
  for (const x of ['1', 'a b', 'ü', '50%', 'a/b', '?']) {
    for (const y of ['z', '#', '&=']) {
      const path = router.url('two', { x, y })
      assert.deepEqual(router.find('GET', path), { is: 'found', name: 'two', params: { x, y } })
    }
    assert.deepEqual(router.find('GET', router.url('tail', { x, tail: 'm/n' })), {
      is: 'found',
      name: 'tail',
      params: { x, tail: 'm/n' },
    })
  }
  assert.equal(router.url('home'), '/')
  assert.throws(() => router.url('two', { x: '1' }), /missing y/)
  assert.equal(router.url('two', { x: '', y: '0' }), '/a//0')
})
