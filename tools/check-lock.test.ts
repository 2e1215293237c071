import { expect, test } from 'vitest'
import { findLockProblems } from './check-lock.ts'

const optionalDependencies = { 'x-linux': '1', 'x-mac': '1' }

test('a lockfile with every platform package is fine, wherever it is installed', () => {
  const packages = {
    '': {},
    'node_modules/x': { version: '1', optionalDependencies },
    'node_modules/x/node_modules/x-linux': {},
    'node_modules/x-mac': {},
    'packages/a': {},
    'node_modules/@treadle/a': { resolved: 'packages/a' },
  }
  expect(findLockProblems({ packages })).toEqual([])
})

test('a missing platform package is named', () => {
  const packages = { 'node_modules/x': { version: '1', optionalDependencies }, 'node_modules/x-linux': {} }
  expect(findLockProblems({ packages })).toEqual([
    'node_modules/x@1: 1 of 2 optional packages missing, e.g. x-mac',
  ])
})

test('a package of a nested copy does not help another one', () => {
  const packages = {
    'node_modules/x': { version: '1', optionalDependencies: { y: '1' } },
    'node_modules/z/node_modules/y': {},
  }
  expect(findLockProblems({ packages })).toHaveLength(1)
})

test('a registry host is a problem', () => {
  const packages = { 'node_modules/x': { resolved: 'https://packages.example/x.tgz' } }
  expect(findLockProblems({ packages })[0]).toContain('names a host')
})
