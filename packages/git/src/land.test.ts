import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMergeGit } from './merge.ts'
import { filesIn, makeScratch, stateOf } from './scratch-repository.ts'

/** A repository with a prepared merge that adds, changes, deletes, links and makes executable. */
async function setUp(kind?: 'checkout' | 'bare') {
  const scratch = makeScratch(kind)
  onTestFinished(scratch.remove)
  const { sh, dir, write } = scratch
  const at = join(dir, 'made')
  sh(`git worktree add -q -b work '${at}' main`)
  write(join(at, 'a.txt'), 'merged\n')
  write(join(at, 'deep', 'new\nfile'), 'new')
  write(join(at, '-dash'), 'dash')
  write(join(at, 'run'), '#!/bin/sh\n')
  chmodSync(join(at, 'run'), 0o755)
  symlinkSync('a.txt', join(at, 'link'))
  sh('git rm -q README; git add -A; git commit -qm work', at)
  sh(`git worktree remove --force '${at}'`)
  const git = openMergeGit(scratch)
  const prepared = await git.prepareMerge({ target: 'main', head: 'work', message: 'merge' })
  if (prepared.is !== 'prepared') throw new Error('the fixture must merge')
  const merged = { ...prepared, target: 'main' }
  const land = () => git.land('main', prepared.base, prepared.commit)
  const tip = () => sh('git rev-parse refs/heads/main').trim()
  const expectFollowed = (checkout: string): void => {
    expect(sh('git status --porcelain', checkout)).toBe('')
    expect(sh('git rev-parse HEAD', checkout).trim()).toBe(prepared.commit)
    expect(readFileSync(join(checkout, 'a.txt'), 'utf8')).toBe('merged\n')
    expect(existsSync(join(checkout, 'README'))).toBe(false)
    expect(sh('git write-tree', checkout)).toBe(sh(`git rev-parse ${prepared.commit}^{tree}`, checkout))
  }
  return { ...scratch, git, prepared, merged, land, tip, expectFollowed }
}

type World = Awaited<ReturnType<typeof setUp>>

test('a clean checkout of the target follows; untracked and ignored files stay', async () => {
  const { land, repository, write, tip, prepared, sh, expectFollowed } = await setUp()
  write(join(repository, 'x.log'), 'ignored')
  write(join(repository, 'ignored', 'y'), 'ignored')
  sh('touch a.txt README')
  expect(await land()).toEqual({ is: 'landed', checkout: 'updated', note: null })
  expect(tip()).toBe(prepared.commit)
  expectFollowed(repository)
  expect(filesIn(repository)).toMatchObject({
    'x.log': '- ignored',
    'ignored/y': '- ignored',
    link: '-> a.txt',
  })
  expect(filesIn(repository).run).toMatch(/^x /)
  expect(sh('ls .git')).not.toMatch(/treadle(?!-git$)|lock/m)
})

test('an untracked file elsewhere does not stop a clean checkout from following', async () => {
  const { land, repository, write, sh } = await setUp()
  write(join(repository, 'notes to self'), 'mine')
  expect(await land()).toMatchObject({ checkout: 'updated' })
  expect(sh('git status --porcelain').trim()).toBe('?? "notes to self"')
})

const dirtyWays: Record<string, (world: World) => void> = {
  'an unstaged change': ({ write, repository }) => write(join(repository, 'a.txt'), 'mine'),
  'an unstaged change to a file that the merge does not touch': ({ write, repository }) =>
    write(join(repository, '.gitignore'), 'mine'),
  'a staged change': ({ sh }) => sh('echo mine > a.txt; git add a.txt'),
  'a staged new file': ({ sh }) => sh('echo mine > mine; git add mine'),
  'a staged change that was taken back in the file': ({ sh }) =>
    sh('cp a.txt keep.log; echo mine > a.txt; git add a.txt; cp keep.log a.txt'),
  'a deleted file': ({ repository }) => rmSync(join(repository, 'a.txt')),
  'a staged deletion': ({ sh }) => sh('git rm -q --cached a.txt'),
  'a changed mode': ({ repository }) => chmodSync(join(repository, 'a.txt'), 0o755),
  'a file only announced with add -N': ({ sh }) => sh('echo n > announced; git add -N announced'),
  'an untracked file that the merge would overwrite': ({ write, repository }) =>
    write(join(repository, 'deep', 'new\nfile'), 'mine'),
  'an ignored file that the merge would overwrite': ({ write, repository, sh }) => {
    sh('echo "-dash" >> .git/info/exclude')
    write(join(repository, '-dash'), 'mine')
  },
  'a file where the merge needs a folder': ({ write, repository }) => write(join(repository, 'deep'), 'mine'),
  'an ignored file where the merge needs a folder': ({ write, repository, sh }) => {
    sh('echo deep >> .git/info/exclude')
    write(join(repository, 'deep'), 'mine')
  },
  'a folder with ignored files where the merge needs a file': ({ write, repository }) =>
    write(join(repository, 'run', 'x.log'), 'mine'),
  'an unfinished merge': ({ sh }) => sh('git merge -q --no-commit --no-ff -s ours work || true'),
  'conflicts in the index': ({ sh }) =>
    sh(
      'git checkout -q -b tmp; echo t > a.txt; git commit -qam t; git stash list; echo u > a.txt; git stash -q; git checkout -q main; git stash apply || true; git update-ref -d refs/heads/tmp',
    ),
}

for (const [what, make] of Object.entries(dirtyWays)) {
  test(`a checkout with ${what} is left exactly as it is`, async () => {
    const world = await setUp()
    const { land, repository, tip, prepared } = world
    make(world)
    const before = stateOf(world, repository)
    const landed = await land()
    expect(landed).toMatchObject({
      is: 'landed',
      checkout: 'left',
      note: expect.stringContaining(repository),
    })
    expect(tip()).toBe(prepared.commit)
    expect(stateOf(world, repository)).toEqual(before)
  })
}

test('the note says how to go on: with changes elsewhere, and with changes to the same file', async () => {
  const world = await setUp()
  const { land, sh, git, merged } = world
  sh('echo mine >> .gitignore; echo staged > s; git add s')
  const landed = await land()
  const [, follow = '', branchOff = ''] = (landed.is === 'landed' ? landed.note : '')?.split('\n') ?? []
  sh(follow.replace(/^.*?: /, ''))
  expect(sh('git status --porcelain')).toBe(' M .gitignore\nA  s\n')
  expect(await git.syncCheckout('main', merged.base, merged.commit)).toMatchObject({ checkout: 'left' })
  const other = await setUp()
  other.sh('echo mine > a.txt; git add a.txt')
  await other.land()
  expect(() => other.sh(follow.replace(/^.*?: /, '').replaceAll(world.dir, other.dir))).toThrow()
  other.sh(`git branch my-changes ${other.merged.base}; git symbolic-ref HEAD refs/heads/my-changes`)
  expect(branchOff).toContain('symbolic-ref HEAD refs/heads/my-changes')
  expect(other.sh('git status --porcelain')).toBe('M  a.txt\n')
})

test('a checkout of another branch or of no branch is not touched at all', async () => {
  for (const elsewhere of ['git checkout -q -b mine', 'git checkout -q --detach']) {
    const world = await setUp()
    const { land, repository, sh, tip, prepared } = world
    sh(
      `${elsewhere}; echo mine > a.txt; echo s > s; git add s; echo u > u; git stash push -q -- a.txt; echo more > a.txt`,
    )
    const before = stateOf(world, repository)
    expect(await land()).toEqual({ is: 'landed', checkout: 'none', note: null })
    expect(stateOf(world, repository)).toEqual(before)
    expect(tip()).toBe(prepared.commit)
  }
})

test('in a bare repository only the reference moves, and a linked checkout of the target follows', async () => {
  const bare = await setUp('bare')
  expect(await bare.land()).toEqual({ is: 'landed', checkout: 'none', note: null })
  expect(bare.tip()).toBe(bare.prepared.commit)
  const linked = await setUp('bare')
  const checkout = join(linked.dir, 'linked')
  linked.sh(`git worktree add -q '${checkout}' main`)
  expect(await linked.land()).toMatchObject({ checkout: 'updated' })
  linked.expectFollowed(checkout)
})

test('of several checkouts the clean one follows and the changed one is left', async () => {
  const world = await setUp()
  const { land, dir, sh, repository, expectFollowed } = world
  const second = join(dir, 'second')
  sh(`git worktree add -q --force '${second}' main; echo mine > '${second}/a.txt'`)
  const before = stateOf(world, second)
  expect(await land()).toMatchObject({ checkout: 'left', note: expect.stringContaining(second) })
  expect(stateOf(world, second)).toEqual(before)
  expectFollowed(repository)
})

test('a target that moved is not moved back, and the checkout stays', async () => {
  const world = await setUp()
  const { land, sh, repository, tip } = world
  sh('git commit -q --allow-empty -m meanwhile')
  const meanwhile = tip()
  const before = stateOf(world, repository)
  expect(await land()).toEqual({ is: 'moved' })
  expect(tip()).toBe(meanwhile)
  expect(stateOf(world, repository)).toEqual(before)
})

test('landing again is the same landing', async () => {
  const { land, repository, expectFollowed } = await setUp()
  await land()
  expect(await land()).toEqual({ is: 'landed', checkout: 'updated', note: null })
  expectFollowed(repository)
})

test('an index that another process holds is not waited for forever', async () => {
  const world = await setUp()
  const { land, repository } = world
  writeFileSync(join(repository, '.git', 'index.lock'), '')
  expect(await land()).toMatchObject({
    checkout: 'left',
    note: expect.stringContaining('another git process'),
  })
  expect(readFileSync(join(repository, '.git', 'index.lock'), 'utf8')).toBe('')
})

test('a landing that died after the reference moved is finished by the next look', async () => {
  const { git, merged, repository, sh, expectFollowed } = await setUp()
  sh(`git update-ref refs/heads/main ${merged.commit} ${merged.base}`)
  expect(await git.findLanded('main', 'work')).toBe(merged.commit)
  expect(await git.syncCheckout('main', merged.base, merged.commit)).toEqual({
    checkout: 'updated',
    note: null,
  })
  expectFollowed(repository)
})

test('a landing that died in the middle of the files is finished, its own lock removed', async () => {
  const { git, merged, repository, sh, write, expectFollowed } = await setUp()
  const gone = spawn('true')
  await new Promise((resolve) => gone.once('exit', resolve))
  sh(`git update-ref refs/heads/main ${merged.commit} ${merged.base}`)
  write(join(repository, 'a.txt'), 'merged\n')
  write(join(repository, '-dash'), 'dash')
  rmSync(join(repository, 'README'))
  mkdirSync(join(repository, 'deep'))
  writeFileSync(join(repository, '.git', 'index.lock'), `treadle landing ${gone.pid} 12345\n`)
  writeFileSync(join(repository, '.git', 'treadle-landing-index.lock'), 'half')
  expect(await git.syncCheckout('main', merged.base, merged.commit)).toEqual({
    checkout: 'updated',
    note: null,
  })
  expectFollowed(repository)
  expect(sh('ls .git')).not.toMatch(/treadle(?!-git$)|lock/m)
})

test('files that a killed landing left half written are written again', async () => {
  const { git, merged, repository, sh, write, expectFollowed } = await setUp()
  sh(`git update-ref refs/heads/main ${merged.commit} ${merged.base}`)
  rmSync(join(repository, 'a.txt'))
  write(join(repository, '-dash'), 'da')
  writeFileSync(join(repository, '.git', 'treadle-follow'), `${merged.base} ${merged.commit}\n`)
  expect(await git.syncCheckout('main', merged.base, merged.commit)).toEqual({
    checkout: 'updated',
    note: null,
  })
  expectFollowed(repository)
  expect(sh('ls .git')).not.toMatch(/treadle(?!-git$)|lock/m)
})

test.each([
  ['an empty file of the user', false, { '-dash': '' }],
  ['a change of the user since the landing was killed', true, { 'a.txt': 'mine\n' }],
])('%s is not taken for a half written one', async (_, journal, files: Record<string, string>) => {
  const world = await setUp()
  const { git, merged, repository, sh, write } = world
  sh(`git update-ref refs/heads/main ${merged.commit} ${merged.base}`)
  for (const [name, text] of Object.entries(files)) write(join(repository, name), text)
  if (journal) writeFileSync(join(repository, '.git', 'treadle-follow'), `${merged.base} ${merged.commit}\n`)
  const before = stateOf(world, repository)
  expect(await git.syncCheckout('main', merged.base, merged.commit)).toMatchObject({ checkout: 'left' })
  expect(stateOf(world, repository)).toEqual(before)
})

test('a landing that died in the middle does not take what the user changed since', async () => {
  const world = await setUp()
  const { git, merged, repository, sh, write } = world
  sh(`git update-ref refs/heads/main ${merged.commit} ${merged.base}`)
  write(join(repository, 'a.txt'), 'merged\nand mine\n')
  const before = stateOf(world, repository)
  expect(await git.syncCheckout('main', merged.base, merged.commit)).toMatchObject({ checkout: 'left' })
  expect(stateOf(world, repository)).toEqual(before)
})

test('two processes land on the same base: exactly one does, the other sees that it moved', async () => {
  const { repository, env, sh, merged, git } = await setUp()
  for (let round = 0; round < 3; round += 1) {
    sh(`git update-ref refs/heads/main ${merged.base}; git reset -q --hard`)
    const commits = []
    for (const message of ['left', 'right']) {
      const prepared = await git.prepareMerge({
        target: 'main',
        head: 'work',
        message: `${message} ${round}`,
      })
      if (prepared.is === 'prepared') commits.push(prepared.commit)
    }
    const outcomes = await Promise.all(
      commits.map((commit) => landElsewhere({ repository, env }, merged.base, commit)),
    )
    expect(outcomes.map(({ is }) => is).sort()).toEqual(['landed', 'moved'])
    const winner = commits[outcomes.findIndex(({ is }) => is === 'landed')]
    expect(sh('git rev-parse main').trim()).toBe(winner)
    expect(sh('git status --porcelain')).toBe('')
  }
})

/** Lands in a process of its own. */
function landElsewhere(
  options: { repository: string; env: Record<string, string> },
  base: string,
  commit: string,
): Promise<{ is: string }> {
  const script = `
    import { openMergeGit } from ${JSON.stringify(new URL('./merge.ts', import.meta.url).href)}
    const git = openMergeGit(${JSON.stringify(options)})
    process.stdout.write(JSON.stringify(await git.land('main', '${base}', '${commit}')))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(JSON.parse(out)))
  })
}
