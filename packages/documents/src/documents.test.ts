// Documents in a real repository: what is ours, what is a person's, and where nothing is written.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { DOCUMENT_BYTES_MAX, openDocuments } from './documents.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-documents-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

let count = 0
function repository() {
  count += 1
  const root = join(base, `repository-${count}`)
  mkdirSync(root)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      cwd: root,
      stdio: 'pipe',
    })
  git('init', '--quiet', '--initial-branch=main')
  const memory = join(root, '.treadle/documents.json')
  const open = () => openDocuments({ root, dir: () => 'users', memory })
  const file = (path: string) => join(root, path)
  const put = (path: string, data: string | Buffer) => {
    mkdirSync(dirname(file(path)), { recursive: true })
    writeFileSync(file(path), data)
  }
  return { root, git, memory, open, file, put, documents: open() }
}

const PATH = 'users/ada/ideas/list/planning/brief.md'
const BESIDE = 'users/ada/ideas/list/planning/brief.treadle.md'
const text = (path: string) => readFileSync(path, 'utf8')

test('a document is written, read, and written anew as long as nobody else changes it', async () => {
  const { documents, file, open, git } = repository()
  expect(await documents.read(PATH)).toEqual({ path: PATH, text: null, why: null, edited: false })
  expect(await documents.write(PATH, 'one\n')).toEqual({ is: 'written', path: PATH })
  expect(await documents.read(PATH)).toEqual({ path: PATH, text: 'one\n', why: null, edited: false })
  expect(await documents.write(PATH, 'one\n')).toEqual({ is: 'unchanged', path: PATH })
  // Another process knows as well what was written.
  expect(await open().write(PATH, 'two\n')).toEqual({ is: 'written', path: PATH })
  expect(text(file(PATH))).toBe('two\n')
  expect(readdirSync(dirname(file(PATH)))).toEqual(['brief.md'])
  expect(git('status', '--porcelain', '--', 'users').toString()).toBe('?? users/\n')
})

test('what a person wrote stays, and ours stands beside it until theirs says the same', async () => {
  const { documents, file, put } = repository()
  await documents.write(PATH, 'one\n')
  put(PATH, 'mine\n')
  expect(await documents.read(PATH)).toMatchObject({ text: 'mine\n', edited: true })
  const beside = { is: 'beside', path: PATH, besidePath: BESIDE }
  expect(await documents.write(PATH, 'two\n')).toEqual(beside)
  expect(await documents.write(PATH, 'two\n')).toEqual(beside)
  expect(await documents.write(PATH, 'three\n')).toEqual(beside)
  expect([text(file(PATH)), text(file(BESIDE))]).toEqual(['mine\n', 'three\n'])
  put(BESIDE, 'mine too\n')
  expect(await documents.write(PATH, 'four\n')).toMatchObject({
    is: 'refused',
    why: expect.stringMatching(/both/),
  })
  put(BESIDE, 'three\n')
  put(PATH, 'four\n')
  expect(await documents.write(PATH, 'four\n')).toEqual({ is: 'unchanged', path: PATH })
  expect(existsSync(file(BESIDE))).toBe(false)
  expect(await documents.write(PATH, 'five\n')).toEqual({ is: 'written', path: PATH })
})

test('a file that was there before is a person’s, and so is everything once the memory is lost', async () => {
  const { documents, file, put, memory, open } = repository()
  put(PATH, 'theirs\n')
  expect(await documents.write(PATH, 'ours\n')).toMatchObject({ is: 'beside' })
  expect(text(file(PATH))).toBe('theirs\n')
  const other = 'users/ada/other.md'
  await documents.write(other, 'ours\n')
  writeFileSync(memory, '{"users/ada/other.md": [')
  expect(await open().write(other, 'new\n')).toMatchObject({ is: 'beside' })
  expect(text(file(other))).toBe('ours\n')
})

test('killed before or after the file was put in its place, it is still ours', async () => {
  const { documents, put, memory, open } = repository()
  await documents.write(PATH, 'one\n')
  const known = JSON.parse(text(memory))
  await documents.write(PATH, 'two\n')
  const [two] = JSON.parse(text(memory))[PATH]
  for (const left of ['one\n', 'two\n']) {
    writeFileSync(memory, JSON.stringify({ [PATH]: [...known[PATH], two] }))
    put(PATH, left)
    expect(await open().write(PATH, 'three\n')).toEqual({ is: 'written', path: PATH })
  }
})

test.each([
  ['a rebase', 'rebase-merge'],
  ['a rebase', 'rebase-apply'],
  ['a merge', 'MERGE_HEAD'],
  ['a cherry-pick', 'CHERRY_PICK_HEAD'],
  ['a revert', 'REVERT_HEAD'],
  ['a bisection', 'BISECT_LOG'],
])('in the middle of %s (%s) nothing is written', async (words, mark) => {
  const { documents, file } = repository()
  mkdirSync(file(`.git/${mark}`))
  expect(await documents.write(PATH, 'x')).toEqual({
    is: 'refused',
    path: PATH,
    why: `git is in the middle of ${words}`,
  })
  expect(existsSync(file('users'))).toBe(false)
})

test('a real rebase that stopped is noticed, also in a worktree', async () => {
  const { git, put, root, documents } = repository()
  const commit = (words: string) => {
    put('a.txt', words)
    git('add', '--all', 'a.txt')
    git('commit', '--quiet', '--message', words)
  }
  commit('one')
  git('checkout', '--quiet', '-b', 'side')
  commit('two')
  git('checkout', '--quiet', 'main')
  commit('three')
  const tree = join(base, `worktree-${count}`)
  git('worktree', 'add', '--quiet', tree, 'side')
  expect(() => execFileSync('git', ['rebase', 'main'], { cwd: tree, stdio: 'pipe' })).toThrow()
  const there = openDocuments({
    root: tree,
    dir: () => 'users',
    memory: join(tree, '.treadle/documents.json'),
  })
  expect(await there.write(PATH, 'x')).toMatchObject({
    is: 'refused',
    why: 'git is in the middle of a rebase',
  })
  expect(await documents.write(PATH, 'x')).toMatchObject({ is: 'written' })
  expect(existsSync(join(root, PATH))).toBe(true)
})

test.each([
  '../outside.md',
  'users/../../outside.md',
  'users/../treadle.json',
  '/etc/passwd',
  'treadle.json',
  'users',
  'users//a.md',
  'users/./a.md',
  'users/.git/config',
  'users/a\\b.md',
  'users/a\nb.md',
  '.git/config',
])('%j is no place for a document', async (path) => {
  const { documents } = repository()
  expect(await documents.write(path, 'x')).toMatchObject({
    is: 'refused',
    why: expect.stringMatching(/below users/),
  })
  expect(await documents.read(path)).toMatchObject({ text: null, why: expect.stringMatching(/below users/) })
})

test('links that lead out of the tree are not followed, and none is written through', async () => {
  const { documents, file, put, root } = repository()
  const outside = join(base, `outside-${count}`)
  mkdirSync(outside)
  writeFileSync(join(outside, 'brief.md'), 'secret\n')
  mkdirSync(file('users'))
  symlinkSync(outside, file('users/eve'))
  symlinkSync(join(outside, 'brief.md'), file('users/link.md'))
  symlinkSync('nowhere.md', file('users/dangling.md'))
  symlinkSync('../.git/config', file('users/config.md'))
  for (const path of ['users/eve/brief.md', 'users/link.md', 'users/dangling.md', 'users/config.md']) {
    expect(await documents.read(path)).toMatchObject({ text: null, why: expect.stringMatching(/link out/) })
    expect(await documents.write(path, 'x')).toMatchObject({ is: 'refused' })
  }
  expect(text(join(outside, 'brief.md'))).toBe('secret\n')
  // Within the tree a link may be read, and is left as it is.
  put('docs/brief.md', 'inside\n')
  symlinkSync('../docs/brief.md', file('users/inside.md'))
  expect(await documents.read('users/inside.md')).toMatchObject({ text: 'inside\n', edited: true })
  expect(await documents.write('users/inside.md', 'x')).toMatchObject({ is: 'refused' })
  expect(text(join(root, 'docs/brief.md'))).toBe('inside\n')
})

test('a second name of a file of ours does not change with it', async () => {
  const { documents, file } = repository()
  await documents.write(PATH, 'one\n')
  linkSync(file(PATH), file('users/kept.md'))
  await documents.write(PATH, 'two\n')
  expect(text(file('users/kept.md'))).toBe('one\n')
})

test('what is not UTF-8, too large or no file is named, and stays', async () => {
  const { documents, file, put } = repository()
  put('users/latin.md', Buffer.from([0x63, 0xe9]))
  put('users/large.md', 'x'.repeat(DOCUMENT_BYTES_MAX + 1))
  mkdirSync(file('users/folder.md'))
  execFileSync('mkfifo', [file('users/pipe.md')])
  for (const [name, why] of [
    ['latin', /not UTF-8/],
    ['large', /bytes/],
    ['folder', /no file/],
    ['pipe', /no file/],
  ] as const) {
    const path = `users/${name}.md`
    expect(await documents.read(path)).toMatchObject({
      text: null,
      why: expect.stringMatching(why),
      edited: true,
    })
    expect(await documents.write(path, 'ours\n')).toMatchObject({ is: 'beside' })
  }
  expect(readFileSync(file('users/latin.md'))).toEqual(Buffer.from([0x63, 0xe9]))
})

test('where nothing can be written it says so, and leaves nothing half made', async () => {
  const { documents, file, put } = repository()
  put('users', 'a file in the place of the folder\n')
  expect(await documents.write(PATH, 'x')).toMatchObject({ is: 'refused' })
  expect(await documents.read(PATH)).toMatchObject({ text: null })
  expect(text(file('users'))).toBe('a file in the place of the folder\n')
  if (process.getuid?.() === 0) return
  const other = repository()
  mkdirSync(other.file('users'), { mode: 0o500 })
  expect(await other.documents.write(PATH, 'x')).toMatchObject({
    is: 'refused',
    why: expect.stringMatching(/EACCES/),
  })
  chmodSync(other.file('users'), 0o700)
})
