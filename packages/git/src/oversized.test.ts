import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeScratch } from './scratch-repository.ts'
import { openWorktreeGit } from './worktree.ts'

const request = { branch: 'agent-1/project-7', base: 'main', fresh: false, keepRef: 'refs/treadle/kept/1' }

async function setUp(keep: { fileBytes: number; checkpointBytes: number }) {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const git = openWorktreeGit({ ...scratch, keep })
  const path = join(scratch.dir, 'work')
  await git.ensureWorktree({ ...request, path })
  const namesAt = (ref: string): string[] =>
    scratch.sh(`git ls-tree -r --name-only ${ref}`).trim().split('\n')
  return { ...scratch, git, path, namesAt }
}

test('a new file over the limit is in no checkpoint and no commit, is named, and stays where it is', async () => {
  const { git, path, write, namesAt, sh } = await setUp({ fileBytes: 1_000, checkpointBytes: 100_000 })
  write(join(path, 'junk [1].bin'), 'x'.repeat(1_001))
  write(join(path, 'small.txt'), 'small\n')
  expect(await git.leftOut(path)).toEqual([{ file: 'junk [1].bin', bytes: 1_001 }])
  const checkpoint = await git.checkpoint(path, 'refs/treadle/c', 'c')
  expect(namesAt('refs/treadle/c')).toContain('small.txt')
  expect(namesAt('refs/treadle/c')).not.toContain('junk [1].bin')
  await git.restore(path, checkpoint, 'refs/treadle/d')
  expect(existsSync(join(path, 'junk [1].bin'))).toBe(true)
  expect(await git.changedFiles(path, 'main')).toEqual(['small.txt'])
  expect((await git.commit(path, 'm')).is).toBe('committed')
  expect(sh(`git diff --name-only main ${request.branch}`)).toBe('small.txt\n')
})

test('many new files that are too much together lose the largest first', async () => {
  const { git, path, write, namesAt } = await setUp({ fileBytes: 1_000, checkpointBytes: 1_500 })
  for (const [name, size] of Object.entries({ a: 700, b: 900, c: 600 }))
    write(join(path, name), 'x'.repeat(size))
  expect(await git.leftOut(path)).toEqual([{ file: 'b', bytes: 900 }])
  await git.checkpoint(path, 'refs/treadle/c', 'c')
  expect(namesAt('refs/treadle/c')).toEqual(expect.arrayContaining(['a', 'c']))
  expect(namesAt('refs/treadle/c')).not.toContain('b')
})
