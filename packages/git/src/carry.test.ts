import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeScratch } from './scratch-repository.ts'
import { openWorktreeGit } from './worktree.ts'

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const commit = (files: Record<string, string>, message: string) => {
    for (const [name, text] of Object.entries(files)) scratch.write(join(scratch.repository, name), text)
    scratch.sh(`git add --all && git commit --quiet --message ${message}`)
    return scratch.sh('git rev-parse HEAD').trim()
  }
  return { scratch, commit, git: openWorktreeGit({ repository: scratch.repository, env: scratch.env }) }
}

test('a delivered change is carried onto a target that went on; the same ends give the same commit', async () => {
  const { scratch, commit, git } = setUp()
  const base = commit({ 'one.txt': 'one\n', 'two.txt': 'two\n' }, 'base')
  scratch.sh('git checkout --quiet -b work')
  const head = commit({ 'one.txt': 'one, changed\n' }, 'delivery')
  scratch.sh('git checkout --quiet main')
  const target = commit({ 'two.txt': 'two, changed\n' }, 'meanwhile')
  const carried = await git.carry(head, target)
  expect(carried).toEqual({ is: 'carried', from: base, commit: expect.stringMatching(/^[0-9a-f]{40,64}$/) })
  expect(await git.carry(head, target)).toEqual(carried)
  const diff = carried?.is === 'carried' ? await git.diff(target, carried.commit) : null
  expect(diff?.files).toEqual(['one.txt'])
})

test('what does not merge is told with its files, and a commit that is not here is null', async () => {
  const { scratch, commit, git } = setUp()
  const base = commit({ 'one.txt': 'one\n' }, 'base')
  scratch.sh('git checkout --quiet -b work')
  const head = commit({ 'one.txt': 'mine\n' }, 'delivery')
  scratch.sh('git checkout --quiet main')
  const target = commit({ 'one.txt': 'theirs\n' }, 'meanwhile')
  expect(await git.carry(head, target)).toEqual({ is: 'conflicted', from: base, files: ['one.txt'] })
  expect(await git.carry('0'.repeat(40), target)).toBeNull()
})
