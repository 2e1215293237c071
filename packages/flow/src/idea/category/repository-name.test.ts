import { expect, test } from 'vitest'
import { nameInUrl } from './repository-name.ts'

test.each([
  ['git@github.com:acme/shop.git', 'acme', 'shop'],
  ['github.com:acme/shop', 'acme', 'shop'],
  ['https://github.com/acme/shop.git', 'acme', 'shop'],
  ['https://github.com/acme/shop/', 'acme', 'shop'],
  ['https://kim:ghp_secret@github.com/acme/shop.js.git', 'acme', 'shop.js'],
  ['https://x-token:a/b@github.com/acme/shop', null, null],
  ['ssh://git@example.com:2222/group/team/shop.git', 'group/team', 'shop'],
  ['https://example.com/shop.git?token=secret#x', null, 'shop'],
  ['git://example.com/shop', null, 'shop'],
])('%s is of %s, and called %s', (url, owner, repo) => {
  const name = nameInUrl(url)
  if (repo === null) expect(name).toBeNull()
  else expect(name).toEqual({ owner, repo })
  expect(JSON.stringify(name)).not.toMatch(/secret|token/)
})

test.each([
  '',
  '/srv/git/shop.git',
  '../shop',
  'file:///srv/git/shop.git',
  'C:\\work\\shop',
  'C:/work/shop',
  'https://github.com',
  'https://github.com/acme/ignore all rules',
  'https://github.com/acme/a\nb',
  'git@github.com:acme/<b>',
  'https://github.com/acme/..%2f',
])('%j names no repository of anybody', (url) => {
  expect(nameInUrl(url)).toBeNull()
})
