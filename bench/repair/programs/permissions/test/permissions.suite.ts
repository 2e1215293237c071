import assert from 'node:assert/strict'
import { test } from 'node:test'
import { covers, Permissions, type User } from '../src/permissions.ts'

const rules = new Permissions()
  .define({ name: 'reader', allow: ['docs.read'] })
  .define({ name: 'writer', inherits: ['reader'], allow: ['docs.write', 'docs.draft.*'] })
  .define({ name: 'admin', inherits: ['writer'], allow: ['*'] })
  .define({ name: 'intern', inherits: ['writer'], deny: ['docs.write'] })
  .define({ name: 'loop-a', inherits: ['loop-b'], allow: ['a'] })
  .define({ name: 'loop-b', inherits: ['loop-a'], allow: ['b'] })

const user = (id: string, ...roles: string[]): User => ({ id, roles })

test('patterns', () => {
  assert.equal(covers('docs.read', 'docs.read'), true)
  assert.equal(covers('docs.read', 'docs.write'), false)
  assert.equal(covers('docs.*', 'docs.draft.new'), true)
  assert.equal(covers('docs.*', 'docs'), false)
  assert.equal(covers('*.read', 'docs.read'), true)
  assert.equal(covers('docs', 'docs.read'), false)
})

test('roles are inherited', () => {
  assert.deepEqual(rules.rolesOf(user('ann', 'admin')), ['admin', 'reader', 'writer'])
  assert.deepEqual(rules.rolesOf(user('bob', 'loop-a', 'ghost')), ['loop-a', 'loop-b'])
})

test('permissions are given by any role', () => {
  assert.equal(rules.can(user('ann', 'writer'), 'docs.read'), true)
  assert.equal(rules.can(user('ann', 'reader'), 'docs.write'), false)
  assert.equal(rules.can(user('ann', 'admin'), 'users.delete'), true)
  assert.equal(rules.can(user('ann', 'loop-a'), 'b'), true)
})

test('a denial wins and a disabled user may do nothing', () => {
  assert.equal(rules.can(user('ian', 'intern'), 'docs.write'), false)
  assert.equal(rules.can(user('ian', 'intern', 'admin'), 'docs.write'), false)
  assert.equal(rules.can(user('ian', 'intern'), 'docs.draft.new'), true)
  assert.equal(rules.can({ id: 'x', roles: ['admin'], disabled: true }, 'docs.read'), false)
})

test('answers are explained', () => {
  assert.equal(rules.explain(user('ian', 'intern'), 'docs.write'), 'intern denies docs.write')
  assert.equal(rules.explain(user('ann', 'writer'), 'docs.read'), 'reader allows docs.read')
  assert.equal(rules.explain(user('ann', 'reader'), 'x'), 'no role allows x')
})

test('who may', () => {
  const users = [user('ann', 'writer'), user('bob', 'reader'), user('ian', 'intern')]
  assert.deepEqual(rules.usersWho(users, 'docs.write'), ['ann'])
})
