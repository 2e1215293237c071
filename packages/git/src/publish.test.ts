import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMergeGit } from './merge.ts'
import { commitOn, makeScratch } from './scratch-repository.ts'

const NOTES = 'refs/notes/treadle'

/** A repository and a clone of the same origin. */
function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const { dir, sh } = scratch
  const [origin, clone] = [join(dir, 'origin'), join(dir, 'clone')]
  sh(`git clone -q --bare . '${origin}'; git remote add origin '${origin}'; git fetch -q origin`)
  sh(`git clone -q '${origin}' '${clone}'`)
  const git = openMergeGit(scratch)
  const other = openMergeGit({ ...scratch, repository: clone })
  const at = (ref: string) => sh(`git -C '${origin}' rev-parse ${ref}`).trim()
  return { ...scratch, scratch, origin, clone, git, other, at }
}

test('a commit goes to origin if it adds, and not if origin has moved', async () => {
  const { scratch, git, at } = setUp()
  const [one, two] = [commitOn(scratch, 'main', { one: '1' }), commitOn(scratch, 'main', { two: '2' })]
  expect(await git.pushCommit('main', one)).toEqual({ is: 'pushed' })
  expect(at('main')).toBe(one)
  expect(await git.pushCommit('main', two)).toEqual({ is: 'moved' })
  expect(at('main')).toBe(one)
})

test('an origin that refuses or is away is told, and one that is not there is none', async () => {
  const { scratch, git, sh, origin } = setUp()
  const one = commitOn(scratch, 'main', { one: '1' })
  sh(`mv '${origin}' '${origin}-away'`)
  expect(await git.pushCommit('main', one)).toMatchObject({ is: 'failed' })
  sh('git remote remove origin')
  expect(await git.pushCommit('main', one)).toEqual({ is: 'no_remote' })
  expect(await git.pushNotes(NOTES, 5_000)).toEqual({ is: 'no_remote' })
})

test('receipts of two clones come together at origin, each byte for byte', async () => {
  const { scratch, git, other, sh, clone, at } = setUp()
  expect(await git.pushNotes(NOTES, 5_000)).toEqual({ is: 'pushed' })
  const [one, two] = [commitOn(scratch, 'main', { one: '1' }), commitOn(scratch, 'main', { two: '2' })]
  await git.writeNote(NOTES, one, 'ours\n\n\n')
  expect(await git.pushNotes(NOTES, 5_000)).toEqual({ is: 'pushed' })
  sh(`git push -q origin ${two}:refs/heads/two; git -C '${clone}' fetch -q`)
  await other.writeNote(NOTES, two, 'theirs\n')
  expect(await other.pushNotes(NOTES, 5_000)).toEqual({ is: 'pushed' })
  await git.writeNote(NOTES, two, 'of the same, here\n')
  expect(await git.pushNotes(NOTES, 5_000)).toEqual({ is: 'pushed' })
  expect(at(NOTES)).toBe(sh(`git rev-parse ${NOTES}`).trim())
  expect(await git.readNote(NOTES, one)).toBe('ours\n\n\n')
  expect(await git.readNote(NOTES, two)).toBe('of the same, here\n')
  expect(sh(`git rev-list --count ${NOTES} ^${NOTES}-origin`).trim()).not.toBe('0')
})
