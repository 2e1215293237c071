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
  const refused: string[] = []
  const onRefused = (path: string, why: string) => refused.push(`${path}: ${why}`)
  const halves = join(root, '.treadle/halves')
  const open = () => openDocuments({ root, dir: () => 'users', memory, halves, onRefused })
  const file = (path: string) => join(root, path)
  const put = (path: string, data: string | Buffer) => {
    mkdirSync(dirname(file(path)), { recursive: true })
    writeFileSync(file(path), data)
  }
  return { root, git, memory, halves, refused, open, file, put, documents: open() }
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
    halves: join(tree, '.treadle/halves'),
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

test('links that lead out of the folder are not followed, and none is written through', async () => {
  const { documents, file, put, root } = repository()
  const outside = join(base, `outside-${count}`)
  mkdirSync(outside)
  writeFileSync(join(outside, 'brief.md'), 'secret\n')
  mkdirSync(file('users'))
  symlinkSync(outside, file('users/eve'))
  symlinkSync(join(outside, 'brief.md'), file('users/link.md'))
  symlinkSync('nowhere.md', file('users/dangling.md'))
  symlinkSync('../.git/config', file('users/config.md'))
  put('.env', 'KEY=secret\n')
  symlinkSync('../.env', file('users/env.md'))
  put('docs/brief.md', 'elsewhere\n')
  symlinkSync('../docs', file('users/docs'))
  symlinkSync('../users/env.md', file('users/twice.md'))
  const names = ['eve/brief', 'link', 'dangling', 'config', 'env', 'docs/brief', 'twice']
  for (const path of names.map((name) => `users/${name}.md`)) {
    expect(await documents.read(path)).toMatchObject({ text: null, why: expect.stringMatching(/link out/) })
    expect(await documents.write(path, 'x')).toMatchObject({ is: 'refused' })
  }
  expect(text(join(outside, 'brief.md'))).toBe('secret\n')
  expect([text(file('.env')), text(file('docs/brief.md'))]).toEqual(['KEY=secret\n', 'elsewhere\n'])
  // Within the folder a link may be read, and is left as it is.
  put('users/ada/brief.md', 'inside\n')
  symlinkSync('ada/brief.md', file('users/inside.md'))
  expect(await documents.read('users/inside.md')).toMatchObject({ text: 'inside\n', edited: true })
  expect(await documents.write('users/inside.md', 'x')).toMatchObject({ is: 'refused' })
  expect(text(join(root, 'users/ada/brief.md'))).toBe('inside\n')
})

test('where the folder itself is a link nothing is read or written', async () => {
  const { documents, file, put } = repository()
  put('docs/ada/brief.md', 'elsewhere\n')
  symlinkSync('docs', file('users'))
  const why = expect.stringMatching(/users is a link/)
  expect(await documents.read('users/ada/brief.md')).toMatchObject({ text: null, why })
  expect(await documents.write('users/ada/brief.md', 'x')).toMatchObject({ is: 'refused', why })
  expect(text(file('docs/ada/brief.md'))).toBe('elsewhere\n')
})

test('a hard link to another file is neither read nor written over', async () => {
  const { documents, file, put } = repository()
  put('.env', 'KEY=secret\n')
  mkdirSync(file('users'))
  linkSync(file('.env'), file('users/brief.md'))
  const why = expect.stringMatching(/hard link/)
  expect(await documents.read('users/brief.md')).toMatchObject({ text: null, why, edited: true })
  expect(await documents.write('users/brief.md', 'ours\n')).toMatchObject({ is: 'beside' })
  expect(text(file('.env'))).toBe('KEY=secret\n')
})

test('whoever was killed while writing leaves nothing that git would show', async () => {
  const { documents, file, put, halves, open, git } = repository()
  put('.gitignore', '.treadle/\n')
  await documents.write(PATH, 'one\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'one')
  mkdirSync(halves, { recursive: true })
  writeFileSync(join(halves, 'half'), 'tw')
  expect(git('status', '--porcelain').toString()).toBe('')
  // On another file system than .treadle it lies beside the file, until the next start or the next document there.
  const beside = join(dirname(file(PATH)), '.brief.md.treadle-0a1b2c3d.half')
  writeFileSync(beside, 'tw')
  const next = open()
  expect([existsSync(join(halves, 'half')), existsSync(beside)]).toEqual([false, false])
  writeFileSync(beside, 'tw')
  await next.write(PATH.replace('brief', 'scope'), 'x\n')
  expect(existsSync(beside)).toBe(false)
  put('users/ada/.mine.treadle-x.half', 'a file of a person\n')
  await next.write('users/ada/other.md', 'x\n')
  expect(existsSync(file('users/ada/.mine.treadle-x.half'))).toBe(true)
})

test('what is refused again and again is told once, and again when it is for another reason', async () => {
  const { documents, file, refused } = repository()
  const again = async () => {
    for (let nth = 0; nth < 3; nth += 1) await documents.write(PATH, 'x')
  }
  writeFileSync(file('.git/MERGE_HEAD'), '')
  await again()
  const merging = `${PATH}: git is in the middle of a merge`
  expect(refused).toEqual([merging])
  expect(documents.refusal(PATH)).toBe('git is in the middle of a merge')
  rmSync(file('.git/MERGE_HEAD'))
  mkdirSync(file('users'))
  symlinkSync('../.git', file('users/ada'))
  await again()
  expect(refused.slice(1)).toEqual([`${PATH}: ada is a link out of users`])
  rmSync(file('users/ada'))
  await again()
  expect(documents.refusal(PATH)).toBeNull()
  writeFileSync(file('.git/MERGE_HEAD'), '')
  await documents.write(PATH, 'y')
  expect(refused.slice(2)).toEqual([merging])
})

test('those who take turns come one after the other, also after one that failed', async () => {
  const { documents } = repository()
  const order: string[] = []
  const turn = (name: string) =>
    documents.inTurn('list', async () => {
      order.push(`${name} begins`)
      await new Promise((done) => setImmediate(done))
      order.push(`${name} ends`)
      if (name === 'one') throw new Error('it broke')
      return name
    })
  const ended = await Promise.allSettled([turn('one'), turn('two'), turn('three')])
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(order).toEqual(['one', 'two', 'three'].flatMap((name) => [`${name} begins`, `${name} ends`]))
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
})

test('in a checkout that may only be read nothing is written, and it says so', async () => {
  const { file, documents, put } = repository()
  put('users/ada/theirs.md', 'theirs\n')
  chmodSync(file('users/ada'), 0o555)
  // For root every folder is writable: somebody else looks at it then, who may write to .treadle.
  const isRoot = process.getuid?.() === 0
  if (isRoot) chmodSync(base, 0o755)
  mkdirSync(file('.treadle'), { recursive: true })
  chmodSync(file('.treadle'), 0o777)
  if (isRoot) process.seteuid?.(65_534)
  try {
    expect(await documents.read('users/ada/theirs.md')).toMatchObject({ text: 'theirs\n' })
    for (const path of [PATH, 'users/ada/new.md', 'users/ada/theirs.md'])
      expect(await documents.write(path, 'x')).toMatchObject({
        is: 'refused',
        why: expect.stringMatching(/may not be written to \(EACCES\)/),
      })
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(file('users/ada'), 0o755)
  }
  expect(readdirSync(file('users/ada'))).toEqual(['theirs.md'])
})
