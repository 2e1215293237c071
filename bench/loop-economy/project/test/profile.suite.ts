import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initials, profileOf } from '../src/profile.ts'

test('a name is shortened to its initials', () => {
  assert.equal(initials('ada lovelace'), 'AL')
})

test('a profile shows the user and a mark', () => {
  const names = new Map([['ada', 'Ada Lovelace']])
  assert.deepEqual(profileOf(names, { token: 'ada:77', now: 70 }), { user: 'ada', mark: 'AL' })
})
