import { expect, test } from 'vitest'
import { withOwnPaths } from './own-paths.ts'

test('paths of the worktree and of the checkout around it are told as they are called in it', () => {
  const worktree = '/home/ann/shop/.treadle/worktrees/agent-1'
  expect(withOwnPaths(`at ${worktree}/src/a.js:3 (file:///home/ann/shop/src/b.js:4)`, worktree)).toBe(
    'at src/a.js:3 (src/b.js:4)',
  )
})

test('a folder in the middle of another path is left alone', () => {
  const said = 'at src/app/page.ts:3 and /usr/src/app/x.js and (/app/src/y.js)'
  expect(withOwnPaths(said, '/app')).toBe('at src/app/page.ts:3 and /usr/src/app/x.js and (src/y.js)')
})

test('a folder with signs of its own is taken as it is written', () => {
  expect(withOwnPaths('at /a+b (c)-d/x.js', '/a+b (c)-d')).toBe('at x.js')
  expect(withOwnPaths('at /aab c-d/x.js', '/a+b (c)-d')).toBe('at /aab c-d/x.js')
})
