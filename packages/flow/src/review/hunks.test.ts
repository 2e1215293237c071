import { expect, test } from 'vitest'
import { hunksIn } from './hunks.ts'

const DIFF = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@
 one
-two
+++ b/not/a/file.ts
+@@ -9,9 +99,9 @@
 three
@@ -20,2 +21 @@ function x() {
-  gone()
 }
\\ No newline at end of file
diff --git a/old.ts b/old.ts
--- a/old.ts
+++ /dev/null
@@ -1 +0,0 @@
-all of it
diff --git a/new.ts b/new.ts
--- /dev/null
+++ b/new.ts
@@ -0,0 +1,2 @@
+--- a/x
+two
`

test('what a change touches of each file, and what it takes away; text that looks like a head is text', () => {
  expect(Object.fromEntries(hunksIn(DIFF))).toEqual({
    'src/a.ts': [
      { from: 1, to: 4, removed: ['two'] },
      { from: 21, to: 21, removed: ['  gone()'] },
    ],
    'new.ts': [{ from: 1, to: 2, removed: [] }],
  })
})

test('a diff that was cut off says what it says', () => {
  expect(hunksIn(DIFF.slice(0, 90)).get('src/a.ts')).toMatchObject([{ from: 1, to: 4 }])
  expect(hunksIn('').size).toBe(0)
})

test.each([
  ['b/a b.ts\t', 'a b.ts'],
  ['"b/a\\tb\\"\\\\ \\001.ts"\t', 'a\tb"\\ \x01.ts'],
  ['b/ü.ts', 'ü.ts'],
])('a name that git writes as %j is the file %j', (written, path) => {
  expect([...hunksIn(`--- /dev/null\n+++ ${written}\n@@ -0,0 +1 @@\n+x\n`).keys()]).toEqual([path])
})
