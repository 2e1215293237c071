import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@treadle/requirements/verifies'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { filesIn, makeScratch } from './scratch-repository.ts'
import { openWorktreeGit } from './worktree.ts'

const branch = 'agent-1/project-7'
const ref = 'refs/treadle/checkpoint/1'
const keep = 'refs/treadle/kept/1'
const oddNames = [
  'with space',
  'new\nline',
  'ünïcode-日本',
  '-dash',
  '"quoted"',
  "it's",
  ':(top)magic',
  '*glob?',
  'tab\there',
  '#hash',
]

async function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const git = openWorktreeGit(scratch)
  const path = join(scratch.dir, 'work')
  await git.ensureWorktree({ path, branch, base: 'main', fresh: false, keepRef: keep })
  return { ...scratch, git, path }
}

type World = Awaited<ReturnType<typeof setUp>>

/** The files of a commit, as `filesIn` shows those of a folder. */
function filesAt({ sh, dir, repository }: Pick<World, 'sh' | 'dir' | 'repository'>, commit: string) {
  const out = join(dir, `out-${commit.slice(0, 8)}`)
  mkdirSync(out, { recursive: true })
  sh(`git --git-dir='${repository}/.git' --work-tree=. -c core.bare=false checkout -q -f ${commit} -- .`, out)
  sh('git reset -q --hard')
  return filesIn(out)
}

function indexHash(world: World): string {
  const file = world.sh('git rev-parse --path-format=absolute --git-path index', world.path).trim()
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

function makeMess({ path, write, sh }: World): void {
  for (const name of oddNames) write(join(path, 'odd', name), `content of ${name}`)
  write(join(path, '-rf'), 'leading dash at the top')
  write(join(path, 'run.sh'), '#!/bin/sh\n')
  chmodSync(join(path, 'run.sh'), 0o755)
  symlinkSync('a.txt', join(path, 'link'))
  symlinkSync('/nonexistent', join(path, 'dangling'))
  write(join(path, 'a.txt'), 'unstaged')
  write(join(path, 'staged'), 'staged')
  sh('git add staged; echo "and more" >> staged; git rm -q README', path)
  write(join(path, 'binary'), '\0\x01\xff')
  write(join(path, 'noise.log'), 'ignored')
  write(join(path, 'ignored', 'deep'), 'ignored too')
}

const withoutIgnored = (files: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(files).filter(([name]) => !name.endsWith('.log') && !name.startsWith('ignored/')),
  )

verifies('AGENT-BUILD-35', 'a checkpoint holds everything but ignored files and moves nothing', async () => {
  const world = await setUp()
  const { git, path, sh } = world
  makeMess(world)
  const state = () => [
    indexHash(world),
    sh('git rev-parse HEAD; git symbolic-ref HEAD; git status --porcelain', path),
  ]
  const before = state()
  const commit = await git.checkpoint(path, ref, 'Kind: checkpoint')
  expect(state()).toEqual(before)
  expect(sh(`git rev-parse ${ref} ${commit}^`).split('\n').slice(0, 2)).toEqual([
    commit,
    await git.commitOf(branch),
  ])
  expect(filesAt(world, commit)).toEqual(withoutIgnored(filesIn(path)))
  expect(sh(`git log -1 --format=%B ${commit}`).trim()).toBe('Kind: checkpoint')
})

test('an edit of the same size in the second of the checkout is in the checkpoint', async () => {
  const world = await setUp()
  const file = join(world.path, 'a.txt')
  const before = readFileSync(file, 'utf8')
  const at = Math.floor(Date.now() / 1_000) - 60
  const index = world.sh('git rev-parse --path-format=absolute --git-path index', world.path).trim()
  utimesSync(file, at, at)
  // Times of change cannot be set, and git compares them too where it is told to.
  world.sh('git config core.trustctime false; git update-index --refresh', world.path)
  writeFileSync(file, before.replaceAll(/[a-z]/g, 'x'))
  utimesSync(file, at, at)
  utimesSync(index, at, at)
  const commit = await world.git.checkpoint(world.path, ref, 'x')
  expect(filesAt(world, commit)['a.txt']).toBe(filesIn(world.path)['a.txt'])
})

test('the same content again is a commit of its own, and the first stays reachable', async () => {
  const { git, path, sh, write } = await setUp()
  write(join(path, 'n'), 'first')
  const first = await git.checkpoint(path, ref, 'one')
  const same = await git.checkpoint(path, ref, 'two')
  expect(same).not.toBe(first)
  write(join(path, 'n'), 'second')
  const last = await git.checkpoint(path, ref, 'three')
  expect(sh(`git rev-list ${ref}`).split('\n')).toEqual(expect.arrayContaining([first, same, last]))
  expect(await git.commitOf(`${last}^`)).toBe(await git.commitOf(branch))
})

test('a checkpoint is signed by the user if they have a name, else by Treadle', async () => {
  const { git, path, sh } = await setUp()
  const author = async () => {
    const commit = await git.checkpoint(path, ref, 'c')
    return sh(`git log -1 --format='%an <%ae> %cn <%ce>' ${commit}`).trim()
  }
  expect(await author()).toBe('Treadle <treadle@localhost> Treadle <treadle@localhost>')
  sh('git config user.name Ada; git config user.email ada@example.org')
  expect(await author()).toBe('Ada <ada@example.org> Ada <ada@example.org>')
})

test('files of a repository inside the worktree are in the checkpoint but never in a delivery', async () => {
  const world = await setUp()
  const { git, path, sh, write } = world
  sh('mkdir -p inner/deeper; git init -q inner; git init -q inner/deeper', path)
  for (const name of ['inner/one', 'inner/sub/two', 'inner/deeper/three']) write(join(path, name), name)
  sh('git add one; git commit -qm inner', join(path, 'inner'))
  write(join(path, 'own'), 'own')
  const commit = await git.checkpoint(path, ref, 'c')
  expect(sh(`git ls-tree -r --name-only ${commit}`).split('\n')).toEqual(
    expect.arrayContaining(['inner/one', 'inner/sub/two', 'inner/deeper/three', 'own']),
  )
  expect(await git.changedFiles(path, 'main')).toEqual(['own'])
  await git.commit(path, 'delivery')
  expect(sh(`git ls-tree -r --name-only ${branch}`)).not.toContain('inner')
  rmSync(join(path, 'inner', 'one'))
  await git.restore(path, commit, keep)
  expect(readFileSync(join(path, 'inner', 'one'), 'utf8')).toBe('inner/one')
})

verifies(
  'AGENT-BUILD-36',
  'restoring brings the files back, keeps what was there, and leaves HEAD alone',
  async () => {
    const world = await setUp()
    const { git, path, sh, write } = world
    makeMess(world)
    const good = withoutIgnored(filesIn(path))
    const checkpoint = await git.checkpoint(path, ref, 'good')
    write(join(path, 'a.txt'), 'worse')
    write(join(path, 'new', 'file'), 'new')
    write(join(path, 'staged', '..', 'other'), 'other')
    rmSync(join(path, 'odd'), { recursive: true })
    chmodSync(join(path, 'run.sh'), 0o644)
    rmSync(join(path, 'link'))
    write(join(path, 'noise.log'), 'ignored, later')
    sh('git add -A; git commit -qm "engine commits"; echo again > a.txt', path)
    const bad = filesIn(path)
    const head = await git.commitOf(branch)
    await git.restore(path, checkpoint, keep)
    expect(withoutIgnored(filesIn(path))).toEqual(good)
    expect(readFileSync(join(path, 'noise.log'), 'utf8')).toBe('ignored, later')
    expect(existsSync(join(path, 'new'))).toBe(false)
    expect([await git.commitOf(branch), sh('git symbolic-ref HEAD', path).trim()]).toEqual([
      head,
      `refs/heads/${branch}`,
    ])
    expect(filesAt(world, keep)).toEqual(withoutIgnored(bad))
    // A later delivery sees the difference to the branch.
    expect((await git.commit(path, 'restored')).is).toBe('committed')
    expect(filesAt(world, branch)).toEqual(good)
  },
)

test('restoring turns files into folders and back', async () => {
  const { git, path, write } = await setUp()
  write(join(path, 'thing'), 'a file')
  const asFile = await git.checkpoint(path, ref, 'file')
  rmSync(join(path, 'thing'))
  write(join(path, 'thing', 'inside'), 'a folder')
  const asFolder = await git.checkpoint(path, 'refs/treadle/checkpoint/2', 'folder')
  await git.restore(path, asFile, keep)
  expect(readFileSync(join(path, 'thing'), 'utf8')).toBe('a file')
  await git.restore(path, asFolder, keep)
  expect(readFileSync(join(path, 'thing', 'inside'), 'utf8')).toBe('a folder')
})

test('a file that is ignored by now but overwritten by the restore is kept as well', async () => {
  const { git, path, sh, write } = await setUp()
  write(join(path, 'data.tmp'), 'old')
  const checkpoint = await git.checkpoint(path, ref, 'c')
  write(join(path, '.gitignore'), '*.tmp\n')
  write(join(path, 'data.tmp'), 'worked on since')
  await git.restore(path, checkpoint, keep)
  expect(readFileSync(join(path, 'data.tmp'), 'utf8')).toBe('old')
  expect(sh(`git show ${keep}:data.tmp`)).toBe('worked on since')
})

test('restoring twice loses nothing of the first', async () => {
  const { git, path, sh, write } = await setUp()
  const checkpoint = await git.checkpoint(path, ref, 'c')
  write(join(path, 'lost?'), 'no')
  await git.restore(path, checkpoint, keep)
  await git.restore(path, checkpoint, keep)
  const all = sh(`git rev-list ${keep}`).trim().split('\n')
  expect(all.some((commit) => sh(`git ls-tree -r --name-only ${commit}`).includes('lost?'))).toBe(true)
})

test('an unfinished merge in the worktree can be checkpointed and undone', async () => {
  const { git, path, sh } = await setUp()
  sh('git checkout -q -b side; echo x > a.txt; git commit -qam x; git checkout -q main')
  sh('echo y > a.txt; git commit -qam y; git merge side || true', path)
  const before = await git.checkpoint(path, ref, 'conflict')
  expect(sh(`git show ${before}:a.txt`)).toContain('<<<<<<<')
  await git.restore(path, branch, keep)
  expect(sh('git status --porcelain', path)).toBe('')
})

const step = fc.record({
  what: fc.constantFrom('write', 'delete', 'mode', 'link', 'rename', 'add', 'commit'),
  name: fc.constantFrom('a.txt', 'b', 'd/e', 'd/f', 'd', ...oddNames),
  text: fc.string({ maxLength: 8 }),
})

function apply(
  path: string,
  sh: World['sh'],
  { what, name, text }: { what: string; name: string; text: string },
) {
  const file = join(path, name)
  try {
    if (what === 'write') {
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, text)
    }
    if (what === 'delete') rmSync(file, { recursive: true })
    if (what === 'mode') chmodSync(file, 0o755)
    if (what === 'link') symlinkSync(text.replaceAll('\0', '') || 'x', file)
    if (what === 'rename') renameSync(file, `${file}~`)
  } catch {
    return
  }
  if (what === 'add') sh('git add -A', path)
  if (what === 'commit') sh('git add -A; git commit -q --allow-empty -m step', path)
}

test('whatever happens after a checkpoint, restoring it gives its files back', async () => {
  const { git, path, sh } = await setUp()
  const steps = fc.array(step, { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, after) => {
      for (const each of before) apply(path, sh, each)
      const files = filesIn(path)
      const checkpoint = await git.checkpoint(path, ref, 'c')
      for (const each of after) apply(path, sh, each)
      await git.restore(path, checkpoint, keep)
      expect(filesIn(path)).toEqual(files)
    }),
    { numRuns: 12 },
  )
})
