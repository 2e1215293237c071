import { expect, onTestFinished, test } from 'vitest'
import { openMergeGit } from './merge.ts'
import { commitOn, makeScratch, stateOf } from './scratch-repository.ts'

async function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const git = openMergeGit(scratch)
  const base = commitOn(scratch, 'main', { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', old: 'o\n' })
  const head = commitOn(scratch, base, { 'a.txt': 'ONE\ntwo\nthree\nfour\nfive\n', fresh: 'f\n', old: null })
  const prepared = await git.prepareMerge({ target: base, head, message: 'Merge' })
  if (prepared.is !== 'prepared') throw new Error('it conflicts')
  return { ...scratch, git, base, merge: prepared.commit }
}

test('right after a merge its inverse is the tree of before, and nothing of the user is touched', async () => {
  const world = await setUp()
  const [files, refs] = [stateOf(world, world.repository), world.sh('git for-each-ref')]
  const inverse = await world.git.inverseOf(world.merge, world.merge)
  expect(inverse?.conflicts).toEqual([])
  expect(await world.git.treeOf(inverse?.commit ?? '')).toBe(await world.git.treeOf(world.base))
  expect(await world.git.inverseOf(world.merge, world.merge)).toEqual(inverse)
  expect(stateOf(world, world.repository)).toEqual(files)
  expect(world.sh('git for-each-ref')).toBe(refs)
})

test('what came after the merge stays', async () => {
  const world = await setUp()
  const later = commitOn(world, world.merge, { 'a.txt': 'ONE\ntwo\nthree\nfour\nFIVE\n', later: 'l\n' })
  const inverse = await world.git.inverseOf(world.merge, later)
  expect(inverse?.conflicts).toEqual([])
  const at = inverse?.commit ?? ''
  expect(world.sh(`git show ${at}:a.txt`)).toBe('one\ntwo\nthree\nfour\nFIVE\n')
  expect(world.sh(`git ls-tree --name-only ${at}`).split('\n')).toEqual(
    expect.arrayContaining(['later', 'old']),
  )
  expect(world.sh(`git ls-tree --name-only ${at}`)).not.toContain('fresh')
})

test('a file that later work has changed in the same place stays as it is, and the others are taken back', async () => {
  const world = await setUp()
  const later = commitOn(world, world.merge, { 'a.txt': 'Uno\ntwo\nthree\nfour\nfive\n', fresh: 'more\n' })
  const inverse = await world.git.inverseOf(world.merge, later)
  expect(inverse?.conflicts).toEqual(['a.txt', 'fresh'])
  const at = inverse?.commit ?? ''
  expect(world.sh(`git show ${at}:a.txt`)).toBe('Uno\ntwo\nthree\nfour\nfive\n')
  expect(world.sh(`git show ${at}:fresh`)).toBe('more\n')
  expect(world.sh(`git show ${at}:old`)).toBe('o\n')
})

test('a merge that is not in the history has no inverse there', async () => {
  const world = await setUp()
  expect(await world.git.inverseOf(world.merge, world.base)).toBe(null)
  expect(await world.git.inverseOf('0'.repeat(40), world.base)).toBe(null)
})
