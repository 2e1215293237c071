import { expect, onTestFinished, test } from 'vitest'
import { openMergeGit } from './merge.ts'
import { commitOn, makeScratch, stateOf } from './scratch-repository.ts'

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  return { ...scratch, git: openMergeGit(scratch) }
}

type World = ReturnType<typeof setUp>

function view(world: World, target: string, branch: string, limits = { filesMax: 10, charsMax: 10_000 }) {
  return world.git.viewConflict({
    branch: { name: 'agent-1/project-7', commit: branch },
    target: { name: 'main', commit: target },
    ...limits,
  })
}

test('each file is shown as the merge would leave it, with markers and names, and as each side changed it', async () => {
  const world = setUp()
  const base = commitOn(world, 'main', {
    'both.txt': 'one\ntwo\nthree\n',
    'they-delete': 'a\nb\n',
    'we-delete': 'a\nb\n',
    '[odd] <b>': 'odd\n',
  })
  const target = commitOn(world, base, {
    'both.txt': 'one\nMAIN\nthree\n',
    'they-delete': null,
    'we-delete': 'a\nmain\n',
    '[odd] <b>': 'main\n',
    'ü.txt': 'main\n',
    alone: 'main\n',
  })
  const branch = commitOn(world, base, {
    'both.txt': 'one\nAGENT\nthree\n',
    'they-delete': 'a\nagent\n',
    'we-delete': null,
    '[odd] <b>': 'agent\n',
    'ü.txt': 'agent\n',
    mine: 'agent\n',
  })
  world.sh('git config diff.noprefix true; git config diff.context 0; git config merge.conflictStyle merge')
  const [before, refs] = [stateOf(world, world.repository), world.sh('git for-each-ref')]
  const seen = await view(world, target, branch)
  expect(seen).toMatchObject({ base, target: { name: 'main', commit: target }, more: 0 })
  expect(seen?.files.map(({ path, kind }) => [path, kind])).toEqual([
    ['[odd] <b>', 'both_changed'],
    ['both.txt', 'both_changed'],
    ['they-delete', 'deleted_on_target'],
    ['we-delete', 'deleted_on_branch'],
    ['ü.txt', 'both_added'],
  ])
  const both = seen?.files.find(({ path }) => path === 'both.txt')
  expect(both?.merged).toContain('--- a/both.txt\n+++ b/both.txt\n')
  expect(both?.merged).toMatch(
    / one\n\+<<<<<<< main\n MAIN\n\+\|{7} \w+\n\+two\n\+=======\n\+AGENT\n\+>>>>>>> agent-1\/project-7\n three\n/,
  )
  expect(both?.onBranch).toContain(' one\n-two\n+AGENT\n three\n')
  expect(both?.onTarget).toContain(' one\n-two\n+MAIN\n three\n')
  expect(both?.cut).toBe(false)
  expect(seen?.files.at(-1)?.merged).toContain('+++ b/ü.txt\n')
  const gone = seen?.files.find(({ path }) => path === 'they-delete')
  expect(gone?.onTarget).toContain('deleted file mode')
  expect(gone?.merged).toContain('+agent')
  expect(stateOf(world, world.repository)).toEqual(before)
  expect(world.sh('git for-each-ref')).toBe(refs)
})

test('what merges has no files to show; long lists and long diffs are cut, and say so', async () => {
  const world = setUp()
  const target = commitOn(world, 'main', { 'a.txt': 'main\n'.repeat(50), README: 'main\n' })
  const branch = commitOn(world, 'main', { 'a.txt': 'agent\n'.repeat(50), README: 'agent\n' })
  expect(await view(world, target, commitOn(world, 'main', { free: 'f' }))).toMatchObject({
    files: [],
    more: 0,
  })
  expect(await view(world, target, branch, { filesMax: 1, charsMax: 10_000 })).toMatchObject({
    files: [{ path: 'README', cut: false }],
    more: 1,
  })
  const seen = await view(world, target, branch, { filesMax: 5, charsMax: 300 })
  expect(seen?.files[1]).toMatchObject({ path: 'a.txt', cut: true })
  expect(seen?.files[1]?.onBranch.length).toBeLessThanOrEqual(300)
  expect(seen?.files[1]?.onBranch).toMatch(/\n$/)
})

test('two that have no commit in common cannot be held against each other', async () => {
  const world = setUp()
  const stranger = world.sh('git commit-tree -m alone HEAD^{tree}').trim()
  expect(await view(world, stranger, 'main')).toBeNull()
})

test('what is no text says so, and a file that meets a folder has its own name', async () => {
  const world = setUp()
  const make = (side: string) =>
    world
      .sh(
        `git checkout -q --detach main
        printf '${side}\\000' > bin; ln -sfn ${side} link; mkdir -p folder; echo ${side} > turned
        ${side === 'agent' ? 'rm -r folder; echo file > folder' : 'echo in > folder/inside'}
        git add -A; git commit -qm ${side}; git rev-parse HEAD`,
      )
      .trim()
  world.sh(`printf 'start\\000' > bin; ln -s start link; echo start > turned; git add -A; git commit -qm odd`)
  const [target, branch] = [make('main'), make('agent')]
  const seen = await view(world, target, branch)
  expect(seen?.files.map(({ path, kind }) => [path, kind])).toEqual([
    ['bin', 'not_text'],
    ['folder', 'moved'],
    ['link', 'not_text'],
    ['turned', 'both_changed'],
  ])
  expect(seen?.files[0]?.onBranch).toContain('Binary files')
  expect(seen?.files[1]?.onBranch).toContain('+file')
  expect(seen?.files[2]?.onTarget).toContain('+main')
  expect(seen?.files[3]?.merged).toContain('+>>>>>>> agent-1/project-7')
})
