import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile, match } from '../src/pattern.ts'
import { Router } from '../src/router.ts'

function shop(): Router {
  return new Router()
    .add('get', '/users/:id', 'user')
    .add('get', '/users/me', 'me')
    .add('post', '/users', 'create')
    .add('get', '/users', 'list')
    .add('get', '/files/*path', 'file')
    .add('delete', '/users/:id', 'remove')
}

test('patterns match whole paths', () => {
  assert.deepEqual(match(compile('/a/:b'), '/a/1'), { b: '1' })
  assert.equal(match(compile('/a/:b'), '/a'), null)
  assert.equal(match(compile('/a/:b'), '/a/1/2'), null)
  assert.equal(match(compile('/a/b'), '/a/c'), null)
  assert.deepEqual(match(compile('/a'), '/a/?x=1#top'), {})
})

test('parameters are decoded and a rest takes all', () => {
  assert.deepEqual(match(compile('/t/:tag'), '/t/a%20b'), { tag: 'a b' })
  assert.deepEqual(match(compile('/f/*path'), '/f/x/y/z'), { path: 'x/y/z' })
  assert.deepEqual(match(compile('/f/*'), '/f'), { rest: '' })
  assert.throws(() => compile('/a/*x/b'), SyntaxError)
})

test('the more exact route wins whatever the order', () => {
  assert.deepEqual(shop().find('GET', '/users/me'), { is: 'found', name: 'me', params: {} })
  assert.deepEqual(shop().find('get', '/users/7'), { is: 'found', name: 'user', params: { id: '7' } })
  assert.deepEqual(shop().find('GET', '/files/a/b'), { is: 'found', name: 'file', params: { path: 'a/b' } })
})

test('a wrong method is told from a missing path', () => {
  assert.deepEqual(shop().find('PUT', '/users/7'), { is: 'wrong_method', allow: ['DELETE', 'GET'] })
  assert.deepEqual(shop().find('GET', '/nothing'), { is: 'missing' })
})

test('urls are built from names', () => {
  assert.equal(shop().url('user', { id: 'a/b' }), '/users/a%2Fb')
  assert.equal(shop().url('file', { path: 'a/b' }), '/files/a/b')
  assert.equal(shop().url('list'), '/users')
  assert.throws(() => shop().url('user'), /missing id/)
  assert.throws(() => shop().url('nope'), /no route nope/)
})
