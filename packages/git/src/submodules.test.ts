import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMergeGit } from './merge.ts'
import { makeScratch } from './scratch-repository.ts'
import { openWorktreeGit } from './worktree.ts'

const request = { branch: 'agent-1/project-7', base: 'main', fresh: false, keepRef: 'refs/treadle/kept/1' }

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const { sh, dir } = scratch
  sh(`git init -q -b main ${dir}/lib; cd ${dir}/lib; echo 42 > n; git add n; git commit -qm lib`)
  sh(`git -c protocol.file.allow=always submodule --quiet add ${dir}/lib deps/lib; git commit -qm sub`)
  // Where it came from is away; only what is here can be used.
  sh(`mv ${dir}/lib ${dir}/gone`)
  return { ...scratch, git: openWorktreeGit(scratch), path: join(dir, 'work') }
}

test('a submodule that is here is in a new worktree, which can be delivered and removed', async () => {
  const { git, path, write, sh, repository } = setUp()
  const settings = readFileSync(join(repository, '.git/config'), 'utf8')
  await git.ensureWorktree({ ...request, path })
  expect(readFileSync(join(path, 'deps/lib/n'), 'utf8')).toBe('42\n')
  expect(await git.changedFiles(path, 'main')).toEqual([])
  write(join(path, 'new.txt'), 'new\n')
  const checkpoint = await git.checkpoint(path, 'refs/treadle/c', 'c')
  await git.restore(path, checkpoint, 'refs/treadle/d')
  expect((await git.commit(path, 'm')).is).toBe('committed')
  expect(sh(`git diff --name-only main ${request.branch}`)).toBe('new.txt\n')
  await git.removeWorktree(path, request.keepRef)
  expect(existsSync(path)).toBe(false)
  expect(readFileSync(join(repository, '.git/config'), 'utf8')).toBe(settings)
  expect(sh('git submodule status').startsWith(' ')).toBe(true)
})

test('one that is not here stays empty', async () => {
  const { git, path, sh } = setUp()
  sh('git submodule --quiet deinit deps/lib; rm -rf .git/modules/deps')
  await git.ensureWorktree({ ...request, path })
  expect(readdirSync(join(path, 'deps/lib'))).toEqual([])
})

test('a throw-away checkout, on which checks run, has them as well', async () => {
  const { path, sh, repository, env } = setUp()
  const git = openMergeGit({ repository, env })
  const settings = readFileSync(join(repository, '.git/config'), 'utf8')
  const read = (cwd: string) => Promise.resolve(readdirSync(join(cwd, 'deps/lib')).sort())
  expect(await git.withCheckout('main', path, read)).toEqual(['.git', 'n'])
  expect(existsSync(path)).toBe(false)
  expect(readFileSync(join(repository, '.git/config'), 'utf8')).toBe(settings)
  sh('git submodule --quiet deinit deps/lib; rm -rf .git/modules/deps')
  expect(await git.withCheckout('main', path, read)).toEqual([])
})
