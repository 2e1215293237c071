import { expect, onTestFinished, test } from 'vitest'
import { lookAtBranch, originUrl } from './look-at-branch.ts'
import { commitOn, makeScratch } from './scratch-repository.ts'

function setUp(kind?: 'empty' | 'bare') {
  const scratch = makeScratch(kind)
  onTestFinished(scratch.remove)
  return scratch
}

test('a branch is looked at as it is committed, whatever the checkout has', async () => {
  const world = setUp()
  const commit = commitOn(world, 'main', { 'src/b.ts': 'b\n', 'name with spaces\nand lines': 'x\n' })
  world.sh(`git branch work ${commit}; echo changed > a.txt; echo new > new.txt; git add new.txt`)
  const look = await lookAtBranch(world, { branch: 'work', commits: 10 })
  expect(look?.subjects).toEqual(['change', 'first'])
  expect([...(look?.files ?? [])].sort()).toEqual(
    ['.gitignore', 'README', 'a.txt', 'name with spaces\nand lines', 'src/b.ts'].sort(),
  )
  const texts = await look?.texts(['a.txt', 'name with spaces\nand lines', 'new.txt', '../a.txt'])
  expect(texts).toEqual(
    new Map([
      ['a.txt', 'one\ntwo\nthree\n'],
      ['name with spaces\nand lines', 'x\n'],
    ]),
  )
})

test('links, submodules, large files and what is no text give nothing', async () => {
  const world = setUp()
  world.sh(`
    ln -s /etc/passwd link
    head -c 300000 /dev/zero | tr '\\0' x > large.txt
    printf 'a\\377b' > binary
    printf '' > empty
    cp a.txt same.txt
    git add -A
    git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),module
    git commit -qm second`)
  const look = await lookAtBranch(world, { branch: 'main', commits: 1 })
  expect(look?.files).not.toContain('link')
  expect(look?.files).not.toContain('module')
  const texts = await look?.texts(['link', 'module', 'large.txt', 'binary', 'empty', 'same.txt', 'a.txt'])
  expect(texts).toEqual(
    new Map([
      ['large.txt', null],
      ['binary', null],
      ['empty', ''],
      ['same.txt', 'one\ntwo\nthree\n'],
      ['a.txt', 'one\ntwo\nthree\n'],
    ]),
  )
  expect(await look?.texts([])).toEqual(new Map())
})

test('subjects are the newest first, as many as were asked for, each cut', async () => {
  const world = setUp()
  world.sh(`for i in 1 2 3; do git commit -q --allow-empty -m "change $i"; done
    printf 'long %s' "$(head -c 100000 /dev/zero | tr '\\0' x)" | git commit -q --allow-empty -F -`)
  const look = await lookAtBranch(world, { branch: 'main', commits: 3 })
  expect(look?.subjects).toEqual([expect.stringMatching(/^long x{200,300}/), 'change 3', 'change 2'])
  expect(look?.subjects[0]?.length).toBeLessThanOrEqual(310)
})

test('a branch that is not there, or has no commit, is none', async () => {
  const empty = setUp('empty')
  expect(await lookAtBranch(empty, { branch: 'main', commits: 1 })).toBeNull()
  const world = setUp()
  expect(await lookAtBranch(world, { branch: 'gone', commits: 1 })).toBeNull()
  expect(await lookAtBranch(world, { branch: '--all', commits: 1 })).toBeNull()
})

test('a bare repository is looked at, too', async () => {
  const look = await lookAtBranch(setUp('bare'), { branch: 'main', commits: 1 })
  expect(look?.files).toEqual(['.gitignore', 'README', 'a.txt'])
})

test('the address of origin', async () => {
  const world = setUp()
  expect(await originUrl(world)).toBeNull()
  world.sh('git remote add origin git@example.com:acme/shop.git')
  expect(await originUrl(world)).toBe('git@example.com:acme/shop.git')
})
