import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, test } from 'vitest'
import { openGit } from './git.ts'
import { openMergeGit } from './merge.ts'
import { filesIn, makeScratch, type Scratch, stateOf } from './scratch-repository.ts'
import { linkedPath } from './worktree-list.ts'

function setUp(kind?: 'checkout' | 'bare' | 'empty') {
  const scratch = makeScratch(kind)
  onTestFinished(scratch.remove)
  return { ...scratch, git: openMergeGit(scratch) }
}

/** A commit on a branch of its own, made without touching the checkout. */
function commitOn(scratch: Scratch, branch: string, files: Record<string, string | null>): string {
  const at = join(scratch.dir, `make-${branch.replaceAll('/', '-')}`)
  scratch.sh(
    `git worktree add -q '${at}' ${branch} 2>/dev/null || git worktree add -q -b ${branch} '${at}' main`,
  )
  for (const [name, text] of Object.entries(files)) {
    if (text === null) execFileSync('rm', ['-rf', '--', name], { cwd: at })
    else scratch.write(join(at, name), text)
  }
  const commit = scratch.sh(`git add -A; git commit -q -m 'on ${branch}'; git rev-parse HEAD`, at).trim()
  scratch.sh(`git worktree remove --force '${at}'`)
  return commit
}

const message = 'Merge #7: title\n\nApproved-by: checks'

test('a clean merge is made as an object; nothing else moves', async () => {
  const world = setUp()
  const { git, sh, repository } = world
  const head = commitOn(world, 'work', { 'new file': 'n', 'a.txt': 'zero\none\ntwo\nthree\n' })
  const target = commitOn(world, 'trunk', { 'a.txt': 'one\ntwo\nthree\nfour\n' })
  const refs = sh('git for-each-ref')
  const before = stateOf(world, repository)
  const prepared = await git.prepareMerge({ target: 'trunk', head, message })
  expect(prepared).toMatchObject({ is: 'prepared', base: target })
  if (prepared.is !== 'prepared') return
  expect(sh(`git log -1 --format='%P%n%B' ${prepared.commit}`).trim()).toBe(`${target} ${head}\n${message}`)
  expect(sh(`git show ${prepared.commit}:a.txt`)).toBe('zero\none\ntwo\nthree\nfour\n')
  expect(sh('git for-each-ref')).toBe(refs)
  expect(stateOf(world, repository)).toEqual(before)
})

verifies('ORCH-2.3-4', 'conflicts are an outcome with the files, whatever their names', async () => {
  const world = setUp()
  const { git } = world
  const names = ['a.txt', 'sub/with space', 'new\nline', 'ü', '-dash']
  const side = (text: string) => Object.fromEntries(names.map((name) => [name, text]))
  const head = commitOn(world, 'work', { ...side('ours'), free: 'f' })
  commitOn(world, 'trunk', side('theirs'))
  const prepared = await git.prepareMerge({ target: 'trunk', head, message })
  expect(prepared).toEqual({ is: 'conflicted', files: [...names].sort() })
})

test('a deleted and changed file is a conflict too', async () => {
  const world = setUp()
  const head = commitOn(world, 'work', { 'a.txt': null })
  commitOn(world, 'trunk', { 'a.txt': 'changed' })
  expect(await world.git.prepareMerge({ target: 'trunk', head, message })).toEqual({
    is: 'conflicted',
    files: ['a.txt'],
  })
})

test('what cannot be merged at all is a fault', async () => {
  const { git, sh } = setUp()
  sh('git checkout -q --orphan island; git commit -qm island; git checkout -q main')
  await expect(git.prepareMerge({ target: 'main', head: 'island', message })).rejects.toThrow(
    'unrelated histories',
  )
  await expect(git.prepareMerge({ target: 'nowhere', head: 'main', message })).rejects.toThrow("'nowhere'")
  const empty = setUp('empty')
  await expect(empty.git.prepareMerge({ target: 'main', head: 'main', message })).rejects.toThrow(
    'no commit yet',
  )
  expect(await empty.git.currentBranch()).toBe('main')
})

test('the merge by which a head came to the target is found, and only if it came', async () => {
  const world = setUp()
  const { git, sh } = world
  const heads = ['one', 'two', 'three', 'four'].map((name) => commitOn(world, name, { [name]: name }))
  const merges: string[] = []
  for (const head of heads.slice(0, 3)) {
    sh('git commit -q --allow-empty -m between')
    merges.push(sh(`git merge -q --no-ff -m merge ${head}; git rev-parse HEAD`).trim())
  }
  for (const [at, head] of heads.slice(0, 3).entries())
    expect(await git.findLanded('main', head)).toBe(merges[at])
  expect(await git.findLanded('main', heads[3] ?? '')).toBeNull()
  expect(await git.findLanded('nowhere', heads[0] ?? '')).toBeNull()
  expect(await git.findLanded('main', 'f'.repeat(40))).toBeNull()
})

test('a fast-forward is found as the head itself', async () => {
  const world = setUp()
  const { git, sh } = world
  const head = commitOn(world, 'work', { n: 'n' })
  sh('git merge -q --ff-only work')
  expect(await git.findLanded('main', head)).toBe(head)
  sh('git commit -q --allow-empty -m later; git commit -q --allow-empty -m later')
  expect(await git.findLanded('main', head)).toBe(head)
})

test('a throw-away checkout has the files and is gone afterwards, also after an error', async () => {
  const world = setUp()
  const { git, dir, sh, repository } = world
  const head = commitOn(world, 'work', { n: 'n' })
  const before = stateOf(world, repository)
  const path = join(dir, 'some where', 'gate')
  const seen = await git.withCheckout(head, path, async (at) => {
    writeFileSync(join(at, 'made by a test run'), 'x')
    return filesIn(at).n
  })
  expect(seen).toBe('- n')
  await expect(
    git.withCheckout(head, path, async () => {
      throw new Error('gate broke')
    }),
  ).rejects.toThrow('gate broke')
  expect(existsSync(path)).toBe(false)
  expect(sh('git worktree list').trim().split('\n')).toHaveLength(1)
  expect(stateOf(world, repository)).toEqual(before)
})

test('what a killed run left at the path is replaced, a foreign folder is not', async () => {
  const { git, dir, sh, write } = setUp()
  const path = join(dir, 'gate')
  sh(`git worktree add -q --detach '${path}'; echo dirty > '${path}/dirty'`)
  expect(await git.withCheckout('main', path, async (at) => readdirSync(at))).not.toContain('dirty')
  // Its entry is gone but the folder is still there.
  sh(`git worktree add -q --detach '${path}'; rm -rf .git/worktrees/gate`)
  expect(await git.withCheckout('main', path, async (at) => readdirSync(at))).toContain('a.txt')
  sh(`git worktree add -q --detach '${path}'`)
  await git.discardCheckout(path)
  await git.discardCheckout(path)
  expect(existsSync(path)).toBe(false)
  sh(`git worktree add -q -b mine '${path}'`)
  await expect(git.discardCheckout(path)).rejects.toThrow('is in the way')
  sh(`git worktree remove '${path}'`)
  write(join(path, 'precious'), 'p')
  await expect(git.withCheckout('main', path, async () => 1)).rejects.toThrow('is in the way')
  expect(readFileSync(join(path, 'precious'), 'utf8')).toBe('p')
})

test('a path that is the repository itself is refused before anything is touched', async () => {
  const world = setUp()
  const { git, repository, dir } = world
  const before = stateOf(world, repository)
  for (const path of [repository, dir, join(repository, '.git'), join(repository, '.git', 'x')]) {
    await expect(git.withCheckout('main', path, async () => 1)).rejects.toThrow('the repository itself')
    await expect(git.discardCheckout(path)).rejects.toThrow('the repository itself')
  }
  expect(stateOf(world, repository)).toEqual(before)
  await expect(linkedPath(openGit(world), '/')).rejects.toThrow('the repository itself')
  // Inside the checkout there may be a folder for worktrees.
  await expect(git.withCheckout('main', join(repository, 'ignored', 'gate'), async () => 1)).resolves.toBe(1)
})
