import type { DeliveredFile } from '@treadle/contracts/delivery'
import { expect, test } from 'vitest'
import { foldersOf, initiallyOpen, placeIn, readFiles, totalsOf } from './change.model.ts'

const file = (over: Partial<DeliveredFile> = {}): DeliveredFile => ({
  path: 'src/a.ts',
  added: 1,
  removed: 1,
  movedFrom: null,
  diff: 'diff --git a/src/a.ts b/src/a.ts\nindex 1..2 100644\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@ x\n-one\n+two\n same\n',
  isCut: false,
  ...over,
})

test('a file has its lines with their numbers on both sides', () => {
  const [read] = readFiles([file()])
  expect(read).toMatchObject({ is: 'changed', notes: [], lines: 3, isCut: false })
  expect(read?.hunks[0]?.changes).toMatchObject([
    { type: 'delete', lineNumber: 1, content: 'one' },
    { type: 'insert', lineNumber: 1, content: 'two' },
    { type: 'normal', oldLineNumber: 2, newLineNumber: 2, content: 'same' },
  ])
})

test('a place is what an editor takes, and runs nothing where it is pasted', () => {
  const diff = 'diff --git a/x b/x\n@@ -4,3 +6,2 @@\n one\n-two\n three\n'
  const places = [
    { given: file({ diff }), chosen: null },
    { given: file({ diff }), chosen: 8 },
    { given: file({ diff: 'diff --git a/x b/x\nBinary files differ\n' }), chosen: null },
  ].map(({ given, chosen }) => readFiles([given]).map((read) => placeIn(read, chosen)))
  expect(places).toEqual([['src/a.ts:7'], ['src/a.ts:8'], ['src/a.ts']])
  const [odd] = readFiles([file({ path: 'a\nrm -r b' })])
  expect(odd && placeIn(odd, 1)).not.toContain('\n')
})

test('a line that looks like a header, or has another end of line in it, is a line', () => {
  const diff =
    'diff --git a/x b/x\n@@ -1,1 +1,4 @@\n one\n+@@ -1 +1 @@\n+a\u2028diff --git a/evil b/evil\n+\rnew file mode 100755\n\\ No newline at end of file\n'
  const [read] = readFiles([file({ diff })])
  expect(read?.hunks).toHaveLength(1)
  expect(read?.hunks[0]?.changes).toHaveLength(4)
  expect(read).toMatchObject({ is: 'changed', notes: [] })
})

test.each([
  ['new file mode 100755', { is: 'added', notes: ['new', 'executable'] }],
  ['deleted file mode 100644', { is: 'deleted', notes: ['deleted'] }],
  ['old mode 100644\nnew mode 100755', { is: 'changed', notes: ['executable'] }],
  ['new file mode 120000', { notes: ['new', 'symbolic link'] }],
  ['index 1..2 160000', { notes: ['submodule'] }],
])('%s is said', (head, found) => {
  expect(readFiles([file({ diff: `diff --git a/x b/x\n${head}\n` })])[0]).toMatchObject(found)
})

test('renames are said on both sides, binary files and cut ones too', () => {
  const gone = file({ path: 'old.ts', diff: 'diff --git a/old.ts b/old.ts\ndeleted file mode 100644\n' })
  const came = file({
    path: 'new.ts',
    movedFrom: 'old.ts',
    diff: 'diff --git a/new.ts b/new.ts\nnew file mode 100644\n',
  })
  const image = file({
    path: 'i.png',
    added: null,
    removed: null,
    diff: 'diff --git a/i.png b/i.png\nBinary files differ\n',
  })
  const files = readFiles([gone, came, image, file({ isCut: true })])
  expect(files.map(({ notes }) => notes)).toEqual([
    ['renamed to new.ts'],
    ['renamed from old.ts'],
    ['binary, not shown'],
    ['cut'],
  ])
  expect(totalsOf(files)).toMatchObject({ added: 3, removed: 3, cut: ['src/a.ts'] })
})

test('what cannot be seen is made visible in names and lines, and counted', () => {
  const diff = 'diff --git a/x b/x\n@@ -0,0 +1 @@\n+if (a\u202e) b\n'
  const [read] = readFiles([file({ path: 'src/\u202etxt.\nts', diff })])
  expect(read).toMatchObject({ name: 'src/[U+202E]txt.[U+000A]ts', unseen: 2 })
  expect(read?.hunks[0]?.changes[0]?.content).toBe('if (a[U+202E]) b')
})

test('a very long line is clipped, which makes the change a cut one', () => {
  const diff = `diff --git a/x b/x\n@@ -0,0 +1 @@\n+${'x'.repeat(6_000)}\n`
  const [read] = readFiles([file({ diff })])
  expect(read?.isCut).toBe(true)
  expect(read?.hunks[0]?.changes[0]?.content).toContain('[…1000 more characters are not shown]')
})

test('files stand under their folders; large and machine-made ones are closed at first', () => {
  const long = `diff --git a/b b/b\n@@ -0,0 +1,2001 @@\n${'+x\n'.repeat(2_001)}`
  const files = readFiles([file(), file({ path: 'yarn.lock' }), file({ path: 'src/b.ts', diff: long })])
  expect(foldersOf(files).map(({ name, files }) => [name, files.map((each) => each.name)])).toEqual([
    ['src', ['a.ts', 'b.ts']],
    ['', ['yarn.lock']],
  ])
  expect([...initiallyOpen(files)]).toEqual(['src/a.ts'])
})
