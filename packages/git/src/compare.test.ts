import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { commitOn, makeScratch } from './scratch-repository.ts'
import { openWorktreeGit } from './worktree.ts'

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  return { ...scratch, git: openWorktreeGit(scratch) }
}

test('a file is shown as the text it is, whatever attributes a checkout, a commit or the repository has for it', async () => {
  const world = setUp()
  const attributes = '*.ts -diff\n'
  const from = commitOn(world, 'main', { 'a.ts': 'one\n' })
  const to = commitOn(world, from, { 'a.ts': 'two\n', '.gitattributes': attributes })
  world.sh(`git update-ref refs/heads/main ${to}; git reset -q --hard`)
  world.write(join(world.repository, '.git/info/attributes'), attributes)
  expect((await world.git.diff(from, to)).text).toContain('\n-one\n+two\n')
})

test('a diff has one form, whatever the settings of the account make of it', async () => {
  const world = setUp()
  world.sh(`git config --global diff.noprefix true; git config --global diff.context 0
    git config --global diff.relative true; git config --global color.ui always
    git config --global core.quotePath true`)
  const from = commitOn(world, 'main', { 'ü x': 'one\ntwo\nthree\n' })
  const to = commitOn(world, from, { 'ü x': 'one\n2\nthree\n' })
  expect((await world.git.diff(from, to)).text).toMatch(
    /^diff --git a\/ü x b\/ü x\nindex .*\n--- a\/ü x\t\n\+\+\+ b\/ü x\t\n@@ -1,3 \+1,3 @@\n one\n-two\n\+2\n three\n$/,
  )
})

test('a submodule that moves is told, also where the change says that nobody should look at it', async () => {
  const world = setUp()
  const at = (commit: string) => `git update-index --add --cacheinfo 160000,${commit},lib`
  const commit = (script: string) =>
    world.sh(`${script}; git add .gitmodules; git commit -qm x; git rev-parse HEAD`).trim()
  world.write(
    join(world.repository, '.gitmodules'),
    '[submodule "lib"]\n\tpath = lib\n\turl = ./lib\n\tignore = all\n',
  )
  const from = commit(at('1'.repeat(40)))
  const to = commit(at('2'.repeat(40)))
  expect(await world.git.diff(from, to)).toMatchObject({
    files: ['lib'],
    text: expect.stringContaining(`+Subproject commit ${'2'.repeat(40)}`),
  })
})

test('a worktree is compared as it stands, new files and all, and is left as it was', async () => {
  const world = setUp()
  const base = commitOn(world, 'main', { 'a.ts': 'one\n', '.gitattributes': '*.ts -diff filter=evil\n' })
  world.sh(`git config filter.evil.clean 'touch taken; cat'; git config diff.external 'touch taken'`)
  const path = join(world.repository, '..', 'tree')
  await world.git.ensureWorktree({ path, branch: 'b', base, fresh: true, keepRef: 'refs/treadle/kept/x' })
  expect(await world.git.worktreeDiff(path, base)).toEqual({ files: [], text: '' })
  world.write(join(path, 'a.ts'), 'two\n')
  world.write(join(path, 'new.ts'), 'new\n')
  const index = () => world.sh(`git hash-object "$(git -C '${path}' rev-parse --git-path index)"`)
  const before = index()
  const { files, text } = await world.git.worktreeDiff(path, base)
  expect(files).toEqual(['a.ts', 'new.ts'])
  expect(text).toContain('\n-one\n+two\n')
  expect(text).toContain('\n+new\n')
  expect(index()).toBe(before)
  expect(world.sh(`ls '${path}' '${world.repository}'`)).not.toContain('taken')
})

test('a change is told file by file under the names themselves, with counts, moves and what is no text', async () => {
  const world = setUp()
  const body = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('')
  const odd = 'a "b" \\ ü b/a "b" \t\n x'
  const from = commitOn(world, 'main', { 'old.ts': body, 'a b/a b': 'one\n' })
  const gone = world.sh(
    `git checkout -q --detach ${from}; git rm -q old.ts; git commit -qm x; git rev-parse HEAD`,
  )
  const to = commitOn(world, gone.trim(), {
    'new.ts': `${body}more\n`,
    [odd]: '+++ b/x\ndiff --git a/x b/x\n',
    'a b/a b': 'two\n',
    'image.png': 'a\0b',
  })
  const files = await world.git.fileChanges(from, to)
  const told = Object.fromEntries(files.map(({ path, diff: _, ...rest }) => [path, rest]))
  const whole = { movedFrom: null, isCut: false }
  expect(told).toEqual({
    'old.ts': { added: 0, removed: 30, ...whole },
    'new.ts': { added: 31, removed: 0, movedFrom: 'old.ts', isCut: false },
    [odd]: { added: 2, removed: 0, ...whole },
    'a b/a b': { added: 1, removed: 1, ...whole },
    'image.png': { added: null, removed: null, ...whole },
  })
  const diffOf = (name: string) => files.find(({ path }) => path === name)?.diff
  expect(diffOf(odd)).toContain('@@ -0,0 +1,2 @@\n++++ b/x\n+diff --git a/x b/x\n')
  expect(diffOf('a b/a b')).toContain('\n-one\n+two\n')
  expect(diffOf('image.png')).toContain('\nBinary files ')
})

test('of a change that is too long the beginning is shown, in whole lines, and it is said to be cut', async () => {
  const world = setUp()
  const long = 'a line that says nothing much\n'.repeat(20_000)
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const from = commitOn(world, 'main', { x: 'x\n' })
  const to = commitOn(world, from, Object.fromEntries(names.map((name) => [name, long])))
  const files = await world.git.fileChanges(from, to)
  expect(files.map(({ path, added, isCut }) => [path, added, isCut])).toEqual(
    names.map((name) => [name, 20_000, true]),
  )
  expect(files[0]?.diff).toMatch(/\n\+a line that says nothing much\n$/)
  expect(files.reduce((sum, { diff }) => sum + diff.length, 0)).toBeLessThanOrEqual(1_000_000)
})
