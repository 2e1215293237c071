import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Git, openGit } from '@treadle/git/git'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEnv } from '../env.ts'
import { changeInputs } from './changed-inputs.ts'
import { type ChangedFile, readCommits, textAt } from './history.ts'
import { PatchJudge } from './judge.ts'
import { type Fix, sift, testsNamedAfter } from './mine.ts'
import { programOf } from './same-program.ts'
import { Scratch } from './scratch.ts'

let root: string
let git: Git
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'judge-'))
  git = openGit({ repository: root, env: readEnv() })
  run('init', '--quiet', '--initial-branch=main')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgSign=false']
const run = (...args: string[]) => execFileSync('git', [...author, ...args], { cwd: root, env: readEnv() })

function commit(subject: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  run('add', '--all')
  run('commit', '--quiet', '--message', subject)
}

const clamp = (body: string) => `export const clamp = (value: number, max: number) => ${body}\n`
const clampTest = (...lines: string[]) => `import { expect, test } from 'vitest'
import { clamp } from './clamp.ts'
test('below', () => expect(clamp(1, 5)).toBe(1))
${lines.join('\n')}
`
const above = "test('above', () => expect(clamp(7, 5)).toBe(5))"

const patchTo = (body: string) => `diff --git a/clamp.ts b/clamp.ts
--- a/clamp.ts
+++ b/clamp.ts
@@ -1,1 +1,1 @@
-${clamp('value').trimEnd()}
+${clamp(body).trimEnd()}
`

async function judged(later: readonly string[], body: string) {
  const stamp = `// ${later.length} ${body}\n`
  commit('feat: start', { 'clamp.ts': clamp('value'), 'clamp.test.ts': clampTest(), 'stamp.txt': stamp })
  commit('fix: clamp', { 'clamp.ts': clamp('Math.min(value, max)'), 'clamp.test.ts': clampTest(above) })
  if (later.length > 0) commit('test: more', { 'clamp.test.ts': clampTest(above, ...later) })
  const found = (await readCommits(git, { since: null, max: 3 })).find((one) => one.subject === 'fix: clamp')
  const sifted = found === undefined ? null : sift(found)
  if (sifted?.is !== 'candidate') throw new Error('the fix was not mined')
  return await judgeIn(sifted.fix, patchTo(body))
}

async function judgeIn(fix: Fix, diff: string) {
  const scratch = await Scratch.open(git, fix.parent)
  try {
    await scratch.take(git, fix.commit, fix.testFiles)
    const human = (await textAt(git, fix.commit, fix.source)) ?? ''
    const run = { env: readEnv(), signal: AbortSignal.timeout(50_000), twice: true }
    const names = {
      known: new Set(['clamp.test.ts|below', 'clamp.test.ts|above']),
      failing: ['clamp.test.ts|above'],
    }
    const judge = new PatchJudge({ git, fix, scratch, human, visible: fix.testFiles, run, ...names })
    return await judge.judge(diff)
  } finally {
    scratch.remove()
  }
}

test('the same program in other words is identical', async () => {
  expect(await judged([], '(Math.min(value,  max)) as number')).toMatchObject({
    verdict: 'correct',
    by: 'identical',
  })
})

test('tests that came later show a patch to be wrong', async () => {
  const later = ["test('far above', () => expect(clamp(70, 5)).toBe(5))"]
  expect(await judged(later, 'value === 7 ? 5 : value')).toEqual({
    verdict: 'wrong',
    by: 'held-out tests',
    detail: 'fails 1 of 3 later tests',
  })
})

test('later tests that the human fix does not pass are not held against a patch', async () => {
  const later = [
    "test('not a number', () => expect(clamp(Number.NaN, 5)).toBe(0))",
    "test('far above', () => expect(clamp(70, 5)).toBe(5))",
  ]
  const found = await judged(later, 'value > max ? max : value')
  expect(found).toMatchObject({ verdict: 'correct', by: 'held-out tests and changed inputs' })
  expect(found.detail).toContain('passes 1 unseen test')
})

test('a test whose name holds the text of the patched function is still found', async () => {
  const later = [
    "test.each([[clamp, 70], [clamp, 80]])('%s %i', (act, value) => expect(act(value, 5)).toBe(5))",
  ]
  const found = await judged(later, 'value > max ? max : value')
  expect(found).toMatchObject({ verdict: 'correct', by: 'held-out tests and changed inputs' })
})

test('without later tests, changed inputs tell another program from the same one', async () => {
  expect(await judged([], 'value === 7 ? 5 : value')).toMatchObject({
    verdict: 'wrong',
    by: 'changed inputs',
  })
  const same = await judged([], 'value > max ? max : value')
  expect(same).toMatchObject({ verdict: 'correct', by: 'changed inputs' })
  expect(same.detail).toMatch(/same results for \d+ changed inputs, [1-9]\d* of which show the fault/)
})

test('a patch that breaks what another file is tested for is wrong', async () => {
  const half = (by: number) => `export const half = (value: number) => value / ${by}\n`
  const quarter = (by: number) =>
    `import { half } from './half.ts'\nexport const quarter = (value: number) => half(value) / ${by}\n`
  const testOf = (name: string, wanted: number) => `import { expect, test } from 'vitest'
import { ${name} } from './${name}.ts'
test('${name}', () => expect(${name}(8)).toBe(${wanted}))
`
  commit('feat: halves', {
    'half.ts': half(2),
    'half.test.ts': testOf('half', 4),
    'quarter.ts': quarter(1),
    'quarter.test.ts': testOf('quarter', 4),
  })
  commit('fix: quarter', { 'quarter.ts': quarter(2), 'quarter.test.ts': testOf('quarter', 2) })
  const [found] = await readCommits(git, { since: null, max: 1 })
  const sifted = found === undefined ? null : sift(found)
  if (sifted?.is !== 'candidate') throw new Error('the fix was not mined')
  const head = 'diff --git a/half.ts b/half.ts\n--- a/half.ts\n+++ b/half.ts\n'
  const diff = `${head}@@ -1,1 +1,1 @@\n-${half(2)}+${half(4)}`
  expect(await judgeIn(sifted.fix, diff)).toEqual({
    verdict: 'wrong',
    by: 'held-out tests',
    detail: 'breaks 1 tests of another file',
  })
})

const base = 'export const same = (a: number) => { if (a > 1) { return "x" } return a }'
test.each([
  ['const b = 1; // other', false],
  [
    "// a comment\nexport const same = (a: any): unknown => { if ((a > 1)) return 'x';\n  return a as number }",
    true,
  ],
  ['export const same = (a: number) => { if (a >= 1) { return "x" } return a }', false],
])('programs compared: %s', (text, same) => {
  expect(programOf('a.ts', text) === programOf('a.ts', base)).toBe(same)
})

const changed = (path: string, lines: number | null = 2, status = 'M'): ChangedFile => ({
  path,
  lines,
  status,
})
test.each([
  [[changed('src/a.ts'), changed('src/a.test.ts', 40), changed('README.md')], 'candidate'],
  [[changed('src/a.ts'), changed('src/b.js'), changed('src/a.test.ts')], 'several source files changed'],
  [[changed('src/a.ts', 9), changed('src/a.test.ts')], 'too many lines changed'],
  [[changed('src/a.ts', 5, 'A'), changed('src/a.test.ts')], 'the source file was added or removed'],
  [[changed('src/a.ts')], 'no test changed and no fix announced'],
  [[changed('src/a.test.ts'), changed('docs/site.ts'), changed('a.d.ts')], 'no source file changed'],
  [[changed('src/a b.ts'), changed('src/a.test.ts')], 'a path that a command cannot name'],
])('sifted: %j', (files, wanted) => {
  const sifted = sift({ hash: 'h', parent: 'p', date: '2026-01-01', subject: 'chore: it', files })
  expect(sifted.is === 'skipped' ? sifted.why : sifted.is).toBe(wanted)
})

test('the tests of a source file are told by name, the nearest first', () => {
  const tests = ['src/a/map.spec.ts', 'src/compat/map.spec.ts', 'src/add/test.ts', 'test/add.js']
  expect(testsNamedAfter('src/a/map.ts', tests)).toEqual(['src/a/map.spec.ts'])
  expect(testsNamedAfter('src/add/index.ts', tests)).toEqual(['src/add/test.ts'])
  expect(testsNamedAfter('lib/none.ts', tests)).toEqual([])
})

test('inputs are changed, names and what is expected are not', () => {
  const text = "test('one', () => { const expected = 4; expect(f(2, 'b')).toBe(3) })"
  const copies = changeInputs({ path: 'f.test.ts', text, before: '', failing: [] })
  const texts = copies.map((copy) => copy.text)
  expect(texts).toContain(text.replace('2', '(3)'))
  expect(texts).toContain(text.replace("'b'", '"ba"'))
  for (const changed of texts) expect(changed).toMatch(/^test\('one', .*expected = 4; .*\.toBe\(3\) \}\)$/)
  expect(new Set(copies.map((copy) => copy.path)).size).toBe(copies.length)
})
