// What is kept by full ids is never served for a name that has moved, and spares the processes it is kept for.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openGit } from './git.ts'
import { openMergeGit } from './merge.ts'
import { checkBranchName, checkRefName, commitsOf, gitDirOf } from './refs.ts'
import { commitOn, makeScratch, makeSshKey } from './scratch-repository.ts'
import { openWorktreeGit } from './worktree.ts'

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  return scratch
}

/** The scratch repository with a git first on PATH that writes down each start. */
function setUpCounting() {
  const scratch = setUp()
  const [bin, log] = [join(scratch.dir, 'bin'), join(scratch.dir, 'starts')]
  mkdirSync(bin)
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { env: scratch.env, encoding: 'utf8' })
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho start >> '${log}'\nexec '${real.trim()}' "$@"\n`)
  chmodSync(join(bin, 'git'), 0o755)
  const env = { ...scratch.env, PATH: `${bin}:${scratch.env.PATH}` }
  const startsOf = async (use: () => Promise<unknown>): Promise<number> => {
    rmSync(log, { force: true })
    await use()
    return existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0
  }
  return { ...scratch, env, startsOf }
}

test('a file of a branch is the one it has now, and that of a commit stays, whatever replaces it', async () => {
  const world = setUp()
  const git = openWorktreeGit(world)
  const before = world.sh('git rev-parse main').trim()
  expect(await git.fileAt('main', 'a.txt')).toBe('one\ntwo\nthree\n')
  expect(await git.fileAt('main', 'new')).toBeNull()
  const after = commitOn(world, 'main', { 'a.txt': 'other\n', new: 'n\n' })
  world.sh(`git update-ref refs/heads/main ${after}; git replace ${before} ${after}`)
  expect(await git.fileAt('main', 'a.txt')).toBe('other\n')
  expect(await git.fileAt('main', 'new')).toBe('n\n')
  expect(await git.fileAt(before, 'a.txt')).toBe('one\ntwo\nthree\n')
  expect(await git.fileAt(before, 'new')).toBeNull()
})

test('a branch that is named like a commit does not stand for it', async () => {
  const world = setUp()
  const git = openWorktreeGit(world)
  const first = world.sh('git rev-parse main').trim()
  expect(await git.fileAt(first, 'a.txt')).toBe('one\ntwo\nthree\n')
  const other = commitOn(world, 'main', { 'a.txt': 'other\n' })
  world.sh(
    `git update-ref refs/heads/${first} ${other}; git update-ref refs/heads/${first.slice(0, 12)} ${other}`,
  )
  expect(await git.fileAt(first, 'a.txt')).toBe('one\ntwo\nthree\n')
  expect(await git.fileAt(first.slice(0, 12), 'a.txt')).toBe('other\n')
})

test('two branches that went together are looked at anew when one of them has moved', async () => {
  const world = setUp()
  const git = openMergeGit(world)
  const one = commitOn(world, 'main', { 'a.txt': 'ONE\ntwo\nthree\n' })
  world.sh(`git branch topic ${commitOn(world, 'main', { free: 'f' })}`)
  expect(await git.dryRun(one, 'topic')).toEqual({ is: 'clean' })
  world.sh(`git update-ref refs/heads/topic ${commitOn(world, 'topic', { 'a.txt': 'uno\n' })}`)
  expect(await git.dryRun(one, 'topic')).toEqual({ is: 'conflicted', files: ['a.txt'] })
})

test('branches are seen where they are at each look; one that is gone or broken costs the others nothing', async () => {
  const world = setUp()
  const git = openMergeGit(world)
  const first = world.sh('git rev-parse main').trim()
  world.sh('git branch a main; git branch b main; git tag b HEAD')
  writeFileSync(join(world.repository, '.git/refs/heads/lost'), `${'1'.repeat(40)}\n`)
  const tree = world.sh('git rev-parse main^{tree}').trim()
  writeFileSync(join(world.repository, '.git/refs/heads/tree'), `${tree}\n`)
  const branches = ['a', 'lost', 'tree', 'no\nname', 'none', 'b']
  const heads = async () => (await git.standsOf(branches)).map((stand) => stand?.head ?? null)
  expect(await heads()).toEqual([first, null, null, null, null, first])
  expect(
    (await git.standsOf(['a', 'lost', 'tree', 'none', 'b'])).map((stand) => stand?.head ?? null),
  ).toEqual([first, null, null, null, first])
  const moved = commitOn(world, 'main', { free: 'f' })
  world.sh(`git update-ref refs/heads/b ${moved}; git branch -D a -q`)
  expect(await heads()).toEqual([null, null, null, null, null, moved])
})

test('HEAD is that of the worktree, and nothing where there is no commit', async () => {
  const world = setUp()
  const git = openGit(world)
  const first = world.sh('git rev-parse main').trim()
  const path = join(world.dir, 'work')
  world.sh(`git worktree add -q --detach '${path}' ${commitOn(world, 'main', { free: 'f' })}`)
  const there = world.sh('git rev-parse HEAD', path).trim()
  expect(await commitsOf(git, ['HEAD', 'refs/heads/main', 'refs/treadle/none'])).toEqual([first, first, null])
  expect(await commitsOf(git, ['HEAD', 'refs/heads/main'], path)).toEqual([there, first])
  world.sh('git symbolic-ref HEAD refs/heads/unborn', path)
  expect(await commitsOf(git, ['HEAD'], path)).toEqual([null])
})

const PARTS = [
  'a',
  'A-1',
  '_',
  'a.b',
  '-a',
  '.a',
  'a.',
  'a..b',
  'a.lock',
  'a.lock.b',
  '@',
  '@{',
  'a b',
  'a~1',
]
const MORE_PARTS = [
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[',
  'a\\',
  'a\n',
  'a\x7f',
  'ü',
  '',
  'HEAD',
  'a.lock\n',
  'lock',
  '.',
]

test('a name is taken exactly if git takes it', async () => {
  const world = setUp()
  const git = openGit(world)
  const parts = [...PARTS, ...MORE_PARTS]
  const isTaken = (asked: Promise<void>) => asked.then(() => true).catch(() => false)
  for (const ref of parts.flatMap((part) => [
    `refs/x/${part}`,
    `refs/${part}/x`,
    `refs/heads/${part}`,
    part,
  ])) {
    const says = spawnSync('git', ['check-ref-format', ref], { env: world.env }).status === 0
    expect([ref, await isTaken(checkRefName(git, ref))]).toEqual([ref, says && ref.startsWith('refs/')])
  }
  for (const branch of parts) {
    const says =
      spawnSync('git', ['check-ref-format', `refs/heads/${branch}`], { env: world.env }).status === 0
    expect([branch, await isTaken(checkBranchName(git, branch))]).toEqual([
      branch,
      says && !branch.startsWith('-'),
    ])
  }
})

test('the git directory of a checkout is the one that git names, whatever stands in its link', async () => {
  const world = setUp()
  const git = openGit(world)
  const path = join(world.dir, 'work')
  const other = join(world.dir, 'other')
  world.sh(`git worktree add -q --detach '${path}'; git worktree add -q --detach '${other}'`)
  const asked = (cwd: string) => world.sh('git rev-parse --path-format=absolute --git-dir', cwd).trim()
  for (const each of [world.repository, path, other]) expect(await gitDirOf(git, each)).toBe(asked(each))
  const link = join(path, '.git')
  const own = readFileSync(link, 'utf8')
  for (const text of [readFileSync(join(other, '.git'), 'utf8'), own.trimEnd(), `${own}\n`]) {
    writeFileSync(link, text)
    expect(await gitDirOf(git, path)).toBe(asked(path))
  }
  rmSync(link)
  world.sh('git init -q .', path)
  expect(await gitDirOf(git, path)).toBe(join(path, '.git'))
  rmSync(link, { recursive: true })
  writeFileSync(link, `no link\n${own}`)
  await expect(gitDirOf(git, path)).rejects.toThrow('invalid gitfile')
  rmSync(link)
  symlinkSync(join(other, '.git'), link)
  expect(await gitDirOf(git, path)).toBe(asked(path))
})

test('a new file that is named like an entry of the index is a file of the checkpoint', async () => {
  const world = setUp()
  const git = openWorktreeGit(world)
  const path = join(world.dir, 'work')
  const keepRef = 'refs/treadle/kept/1'
  await git.ensureWorktree({ path, branch: 'b', base: 'main', fresh: true, keepRef })
  const names = [`160000 ${'1'.repeat(40)} 0\ta.txt`, `H 160000 ${'1'.repeat(40)} 0\ta.txt`, '? x']
  for (const name of names) writeFileSync(join(path, name), 'mine\n')
  writeFileSync(join(path, 'a.txt'), 'edited\n')
  const commit = await git.checkpoint(path, keepRef, 'c')
  const kept = world.sh(`git ls-tree -z --name-only ${commit}`).split('\0')
  expect(kept).toEqual(expect.arrayContaining(names))
  expect(world.sh(`git show ${commit}:a.txt`)).toBe('edited\n')
})

test('ids of files are those of the commit, and no name is a pattern', async () => {
  const world = setUp()
  const git = openWorktreeGit(world)
  const commit = commitOn(world, 'main', { 'sub/x': 'x\n', '*.txt': 'star\n' })
  const idOf = (path: string) => world.sh(`git rev-parse '${commit}:${path}'`).trim()
  const ids = await git.idsAt(commit, ['a.txt', 'none', 'sub/x', 'README', ':(top)a.txt'])
  expect([...ids].sort()).toEqual(['README', 'a.txt', 'sub/x'].map((path) => [path, idOf(path)]))
  expect([...(await git.idsAt(commit, ['*.txt']))]).toEqual([['*.txt', idOf('*.txt')]])
})

test('the tree of a merge is known as it was made, signed or not', async () => {
  const world = setUpCounting()
  const signingKey = join(world.dir, 'key')
  makeSshKey(signingKey)
  const git = openMergeGit({ ...world, signingKey })
  const head = commitOn(world, 'main', { free: 'f' })
  for (const sign of [false, true]) {
    const made = await git.prepareMerge({ target: 'main', head, message: 'merge', sign })
    const commit = made.is === 'prepared' ? made.commit : ''
    let tree = ''
    const starts = await world.startsOf(async () => {
      tree = await git.treeOf(commit)
    })
    expect([tree, starts]).toEqual([world.sh(`git rev-parse ${commit}^{tree}`).trim(), 0])
    expect(world.sh(`git cat-file commit ${commit}`).includes('gpgsig')).toBe(sign)
  }
})

test('the tree of a branch is the one it has now', async () => {
  const world = setUp()
  const git = openMergeGit(world)
  const treeOf = (ref: string) => world.sh(`git rev-parse '${ref}^{tree}'`).trim()
  expect(await git.treeOf('main')).toBe(treeOf('main'))
  world.sh(`git update-ref refs/heads/main ${commitOn(world, 'main', { free: 'f' })}`)
  expect(await git.treeOf('main')).toBe(treeOf('main'))
})

test('what is known by its id starts no process, and several branches take no more than one', async () => {
  const world = setUpCounting()
  const [git, merging] = [openWorktreeGit(world), openMergeGit(world)]
  const first = world.sh('git rev-parse main').trim()
  const free = commitOn(world, 'main', { free: 'f' })
  await git.fileAt(first, 'a.txt')
  expect(await world.startsOf(() => git.fileAt(first, 'a.txt'))).toBe(0)
  await merging.dryRun(first, free)
  expect(await world.startsOf(() => merging.dryRun(first, free))).toBe(0)
  world.sh('for at in 1 2 3 4; do git branch b$at main; done')
  const few = await world.startsOf(() => merging.standsOf(['b1']))
  expect(await world.startsOf(() => merging.standsOf(['b1', 'b2', 'b3', 'b4']))).toBe(few)
})
