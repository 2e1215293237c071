import assert from 'node:assert/strict'
import { test } from 'node:test'
import { covers, Permissions, type Role } from '../src/permissions.ts'

test('patterns agree with regular expressions', () => {
  const parts = ['a', 'b', '*']
  const patterns = parts.flatMap((x) => [
    x,
    ...parts.flatMap((y) => [`${x}.${y}`, ...parts.map((z) => `${x}.${y}.${z}`)]),
  ])
  const plain = ['a', 'b', 'c']
  const actions = plain.flatMap((x) => [
    x,
    ...plain.flatMap((y) => [`${x}.${y}`, ...plain.map((z) => `${x}.${y}.${z}`)]),
  ])
  for (const pattern of patterns) {
    const source = pattern
      .split('.')
      .map((part, index, all) => {
        if (part !== '*') return part
        return index === all.length - 1 ? '.+' : '[^.]+'
      })
      .join('\\.')
    const expression = new RegExp(`^${source}$`)
    for (const action of actions) {
      assert.equal(covers(pattern, action), expression.test(action), `${pattern} ${action}`)
    }
  }
})

let state = 3
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

function closure(roles: readonly Role[], start: readonly string[]): string[] {
  let known = start.filter((name) => roles.some((role) => role.name === name))
  for (let round = 0; round < roles.length; round += 1) {
    const more = roles.filter((role) => known.includes(role.name)).flatMap((role) => role.inherits ?? [])
    known = [...new Set([...known, ...more.filter((name) => roles.some((role) => role.name === name))])]
  }
  return known.sort()
}

test('random roles', () => {
  const names = ['p', 'q', 'r', 's', 't']
  const actions = ['x', 'y', 'x.1', 'y.2']
  const some = (list: readonly string[], odds: number) => list.filter(() => random(odds) === 0)
  for (let round = 0; round < 300; round += 1) {
    const roles: Role[] = names.map((name) => ({
      name,
      ...(random(3) > 0 ? { inherits: some([...names, 'ghost'], 4) } : {}),
      ...(random(3) > 0 ? { allow: some([...actions, 'x.*', '*'], 4) } : {}),
      ...(random(3) > 1 ? { deny: some(actions, 4) } : {}),
    }))
    const rules = new Permissions()
    for (const role of roles) rules.define(role)
    const user = { id: 'u', roles: some(names, 2) }
    const all = closure(roles, user.roles)
    assert.deepEqual(rules.rolesOf(user), all)
    const mine = all.map((name) => roles.find((role) => role.name === name) ?? { name })
    for (const action of actions) {
      const denier = mine.find((role: Role) => role.deny?.some((one) => covers(one, action)))
      const giver = mine.find((role: Role) => role.allow?.some((one) => covers(one, action)))
      const may = !denier && giver !== undefined
      assert.equal(rules.can(user, action), may)
      assert.equal(rules.can({ ...user, disabled: true }, action), false)
      assert.deepEqual(rules.usersWho([user, { id: 'none', roles: [] }], action), may ? ['u'] : [])
      const why = giver ? `${giver.name} allows ${action}` : `no role allows ${action}`
      assert.equal(rules.explain(user, action), denier ? `${denier.name} denies ${action}` : why)
      assert.equal(rules.explain({ ...user, disabled: true }, action), 'u is disabled')
    }
  }
})

test('a role can be defined again', () => {
  const rules = new Permissions().define({ name: 'a', allow: ['x'] }).define({ name: 'a', allow: ['y'] })
  assert.equal(rules.can({ id: 'u', roles: ['a'] }, 'x'), false)
  assert.equal(rules.can({ id: 'u', roles: ['a'], disabled: false }, 'y'), true)
})
