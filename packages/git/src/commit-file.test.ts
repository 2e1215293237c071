import { afterEach, expect, test } from 'vitest'
import { openMergeGit } from './merge.ts'
import { makeScratch, type Scratch } from './scratch-repository.ts'

const made: Scratch[] = []
afterEach(() => {
  for (const scratch of made.splice(0)) scratch.remove()
})

test('one file on a branch of its own; the checkout, its index and its branch stay as they are', async () => {
  const scratch = makeScratch()
  made.push(scratch)
  const { repository, env, sh } = scratch
  const git = openMergeGit({ repository, env })
  scratch.write(`${repository}/a.txt`, 'half done\n')
  sh('git add a.txt && echo more > new.txt')
  const before = sh('git status --porcelain && git rev-parse HEAD && cat a.txt')
  const request = { branch: 'treadle/x', base: 'main', path: 'CLAUDE.md', text: 'say\n', message: 'docs: it' }
  const first = await git.commitFile(request)
  expect(first.is).toBe('committed')
  expect(sh('git status --porcelain && git rev-parse HEAD && cat a.txt')).toBe(before)
  expect(sh('git diff --name-status main treadle/x').trim()).toBe('A\tCLAUDE.md')
  expect(sh('git show treadle/x:CLAUDE.md')).toBe('say\n')
  expect(sh('git log --format=%s main..treadle/x').trim()).toBe('docs: it')
  expect(await git.commitFile({ ...request, text: 'again\n' })).toEqual({
    is: 'exists',
    commit: first.commit,
  })
  expect(sh('ls .git')).not.toContain('treadle-index')
})
