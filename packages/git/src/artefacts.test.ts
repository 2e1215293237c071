import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeScratch } from './scratch-repository.ts'
import { openWorktreeGit } from './worktree.ts'

const branch = 'agent-1/project-7'
const keepRef = 'refs/treadle/kept/1'

async function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const git = openWorktreeGit(scratch)
  const path = join(scratch.dir, 'work')
  await git.ensureWorktree({ path, branch, base: 'main', fresh: false, keepRef })
  const put = (...names: string[]) => {
    for (const name of names) scratch.write(join(path, name), `${name}\n`)
  }
  const filesOf = (commit: string) => scratch.sh(`git ls-tree -r --name-only ${commit}`).split('\n')
  return { ...scratch, git, path, put, filesOf }
}

test('what a run leaves is in no checkpoint, no list of changes and no commit', async () => {
  const { git, path, put, filesOf, sh } = await setUp()
  put('lib/mine.txt')
  await git.watch(path, 'gate', async () => {
    put('cache/a/x.pyc', 'cache/y.pyc', 'lib/x.snap', 'ü*.out')
    mkdirSync(join(path, 'made'))
    sh('git init -q made; echo 1 > made/one', path)
  })
  put('lib/later.txt')
  expect(await git.changedFiles(path, 'main')).toEqual(['lib/later.txt', 'lib/mine.txt'])
  const checkpoint = await git.checkpoint(path, keepRef, 'c')
  const made = await git.commit(path, 'm')
  for (const commit of [checkpoint, made.is === 'committed' ? made.commit : ''])
    expect(filesOf(commit).filter((name) => /cache|lib|out|made/.test(name))).toEqual([
      'lib/later.txt',
      'lib/mine.txt',
    ])
  expect(existsSync(join(path, 'cache/y.pyc'))).toBe(true)
})

test('a watch around others notes what appears in them and between them; two side by side note each their own', async () => {
  const { git, path, put } = await setUp()
  await git.watch(path, 'gate', async () => {
    await git.watch(path, 'gate', async () => put('first.out'))
    put('between.out')
    await git.watch(path, 'gate', async () => put('second.out')).then(() => put('last.out'))
  })
  put('mine.txt')
  expect(await git.changedFiles(path, 'main')).toEqual(['mine.txt'])
  const seen = Promise.withResolvers<void>()
  const long = git.watch(path, 'gate', () => seen.promise)
  await git.watch(path, 'gate', async () => put('beside.out'))
  // The long one has noted nothing yet.
  expect(await git.changedFiles(path, 'main')).toEqual(['mine.txt'])
  seen.resolve()
  await long
})

test('they are known to the next process, and are cleared before what is delivered is tested', async () => {
  const { git, path, put, ...scratch } = await setUp()
  await git.watch(path, 'setup', async () => put('node_modules/a/index.js'))
  await git.watch(path, 'gate', async () => put('report.xml'))
  put('report.xml', 'mine.txt')
  const next = openWorktreeGit(scratch)
  expect(await next.changedFiles(path, 'main')).toEqual(['mine.txt'])
  await next.clearArtefacts(path)
  expect(
    ['report.xml', 'mine.txt', 'node_modules/a/index.js'].map((name) => existsSync(join(path, name))),
  ).toEqual([false, true, true])
  expect(await next.changedFiles(path, 'main')).toEqual(['mine.txt'])
})

test('what a killed run left without a note goes when a checkpoint is restored', async () => {
  const { git, path, put } = await setUp()
  put('mine.txt')
  const checkpoint = await git.checkpoint(path, keepRef, 'c')
  put('cache/y.pyc')
  await git.restore(path, checkpoint, `${keepRef}-found`)
  expect(existsSync(join(path, 'cache/y.pyc'))).toBe(false)
  expect(await git.changedFiles(path, 'main')).toEqual(['mine.txt'])
})

test('what an engine adds to the index or commits by itself is its own', async () => {
  const { git, path, put, filesOf, sh } = await setUp()
  await git.watch(path, 'gate', async () => put('one.out', 'two.out'))
  sh('git add one.out; git commit -qm own; git add two.out', path)
  expect(await git.changedFiles(path, 'main')).toEqual(['one.out', 'two.out'])
  await git.clearArtefacts(path)
  expect((await git.commit(path, 'm')).is).toBe('committed')
  expect(filesOf(branch).filter((name) => name.endsWith('.out'))).toEqual(['one.out', 'two.out'])
})
