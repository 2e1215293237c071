import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { descendants } from '@treadle/process/tree'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEnv } from '../env.ts'
import type { dataOf } from './report.ts'

const entry = fileURLToPath(new URL('main.ts', import.meta.url))
let root: string
let repository: string
/** Where the bench makes its copies, so that what it leaves can be seen. */
let temporary: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'repair-bench-'))
  repository = join(root, 'repository')
  temporary = join(root, 'tmp')
  mkdirSync(temporary)
  makeHistory()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgSign=false']

function git(...args: string[]): string {
  return execFileSync('git', [...author, ...args], { cwd: repository, env: readEnv(), encoding: 'utf8' })
}

function commit(subject: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), text)
  }
  git('add', '--all')
  git('commit', '--quiet', '--message', subject)
}

const head = "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n"

const range = (compare: string) => `export function range(from: number, to: number): number[] {
  const found: number[] = []
  for (let at = from; at ${compare} to; at += 1) found.push(at)
  return found
}
`
const rangeTest = (...lines: string[]) =>
  `${head}import { range } from '../src/range.ts'
test('nothing', () => assert.deepEqual(range(4, 3), []))
${lines.join('\n')}
`
const ends = "test('both ends belong to it', () => assert.deepEqual(range(1, 3), [1, 2, 3]))"

const roman = (body: string) => `export function roman(value: number): string {
${body}
}
`
const romanTest = (...lines: string[]) =>
  `${head}import { roman } from '../src/roman.ts'
test('one', () => assert.equal(roman(1), 'I'))
${lines.join('\n')}
`

function makeHistory(): void {
  mkdirSync(repository)
  git('init', '--quiet', '--initial-branch=main')
  commit('feat: start', {
    'package.json': '{ "type": "module" }\n',
    'src/range.ts': range('<'),
    'src/roman.ts': roman("  return 'I'.repeat(value)"),
    'src/first.ts': 'export const first = 1\n',
    'src/second.ts': 'export const second = 1\n',
    'test/range.test.ts': rangeTest(),
    'test/roman.test.ts': romanTest(),
  })
  commit('fix: a range holds its last number', {
    'src/range.ts': range('<='),
    'test/range.test.ts': rangeTest(ends),
  })
  commit('fix: roman numbers', {
    'src/roman.ts':
      roman(`  const digits: [number, string][] = [[90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']]
  let [text, left] = ['', value]
  for (const [worth, digit] of digits) for (; left >= worth; left -= worth) text += digit
  return text`),
    'test/roman.test.ts': romanTest(
      "test('many', () => assert.deepEqual([4, 49, 97, 58].map(roman), ['IV', 'XLIX', 'XCVII', 'LVIII']))",
    ),
  })
  commit('fix: two files at once', {
    'src/first.ts': 'export const first = 2\n',
    'src/second.ts': 'export const second = 2\n',
    'test/first.test.ts': `${head}import { first } from '../src/first.ts'\ntest('first', () => assert.equal(first, 2))\n`,
  })
  commit('refactor: another way to say it', {
    'src/first.ts': 'export const first = 1 + 1\n',
    'test/first.test.ts': `${head}import { first } from '../src/first.ts'\ntest('the first', () => assert.equal(first, 2))\n`,
  })
  commit('test: more of ranges', {
    'test/range.test.ts': rangeTest(
      ends,
      "test('below zero', () => assert.deepEqual(range(-2, 0), [-2, -1, 0]))",
    ),
  })
  commit('docs: a word', { 'README.md': 'A word.\n' })
}

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly said: string
}

function start(...args: string[]) {
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: root,
    env: { ...readEnv(), TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const heard = { out: '', said: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    heard.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    heard.said += text
  })
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...heard })))
  return { child, heard, ended }
}

const run = (...args: string[]) => start(...args).ended

/** Every file of the repository, .git too, with what is in it and when it was written. */
/** All files but the configuration of our own commands, which lead to git's files by links. */
function contentOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((found) => found.isFile())
      .map((found) => join(found.parentPath, found.name))
      .filter((path) => !relative(folder, path).startsWith('.git/treadle-git/'))
      .map((path) => [relative(folder, path), `${statSync(path).mtimeMs} ${readFileSync(path, 'latin1')}`]),
  )
}

test('a history: two fixes are tried, the others are passed over, the repository stays as it is', async () => {
  const before = contentOf(repository)
  const { code, out, said } = await run('--from-history', repository, '--seconds', '20', '--json')
  expect(said).toContain('3 candidates')
  expect(code).toBe(0)
  const data = JSON.parse(out) as ReturnType<typeof dataOf>
  expect(data.figures).toMatchObject({
    mined: 3,
    tried: 3,
    valid: 2,
    plausible: 1,
    correctFirst: 1,
    correctInList: 1,
    wrongButGreen: 0,
    notJudged: 0,
    broke: 0,
    judgedBy: { 'correct by identical': 1 },
  })
  expect(data.skipped).toEqual({ 'no source file changed': 2, 'several source files changed': 1 })
  expect(data.invalid).toEqual({ 'no test fails before the fix': 1 })
  const bySubject = new Map(data.commits.map((row) => [row.subject, row]))
  const solved = bySubject.get('fix: a range holds its last number')
  expect(solved).toMatchObject({ outcome: 'plausible', failingTests: 1, source: 'src/range.ts', lines: 2 })
  expect(solved?.patches[0]?.diff).toContain('at <= to')
  expect(bySubject.get('fix: roman numbers')).toMatchObject({ outcome: 'none', failingTests: 1 })
  expect(bySubject.get('refactor: another way to say it')?.outcome).toBe('invalid')
  expect(contentOf(repository)).toEqual(before)
  expect(readdirSync(temporary)).toEqual([])
})

test('Ctrl-C: what was done is printed, the search ends, nothing is left behind', async () => {
  const { child, heard, ended } = start('--from-history', repository, '--seconds', '50')
  const children = () => descendants(child.pid ?? 0)
  while (!heard.said.includes('1/3') || children().length === 0) await sleep(20)
  const running = children()
  child.kill('SIGINT')
  const { code, out } = await ended
  expect(code).toBe(130)
  expect(out).toContain('Stopped before the end')
  expect(out).toMatch(/^valid +0$/m)
  expect(running.filter(isAlive)).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('what cannot be measured is said in a sentence', async () => {
  const nowhere = await run('--from-history', join(root, 'tmp'))
  expect(nowhere).toMatchObject({ code: 1, out: '' })
  expect(nowhere.said).toMatch(/is not a git repository\n/)
  const none = await run()
  expect(none).toMatchObject({ code: 2, said: 'repair bench: --from-history REPOSITORY is needed\n' })
  const odd = await run('--from-history', repository, '--limit', 'many')
  expect(odd).toMatchObject({ code: 2, said: 'repair bench: --limit wants a number above 0, not many\n' })
})

test('a project that is built before its tests: what is unfit is told with its reason, SIGTERM prints the figures so far', async () => {
  const built = join(root, 'built')
  mkdirSync(built)
  const make = (subject: string, files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(built, path, '..'), { recursive: true })
      writeFileSync(join(built, path), text)
    }
    const own = (...args: string[]) => execFileSync('git', args, { cwd: built, stdio: 'pipe' })
    own('add', '--all')
    own('-c', 'user.name=T', '-c', 'user.email=t@example.invalid', 'commit', '--quiet', '--message', subject)
  }
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: built })
  const half = (body: string) => `export const half = (value) => ${body}\n`
  const check = (...lines: string[]) => `${head}import { half } from '../dist/half.js'\n${lines.join('\n')}\n`
  const even = "test('even', () => assert.equal(half(4), 2))"
  make('feat: start', {
    '.gitignore': 'dist\n',
    'package.json': '{ "type": "module", "scripts": { "test": "node build.mjs && node --test" } }\n',
    'build.mjs': "import { cpSync } from 'node:fs'\ncpSync('src', 'dist', { recursive: true })\n",
    'src/half.js': half('value / 3'),
    'test/half.test.js': check("test('nothing', () => assert.equal(half(0), 0))"),
  })
  make('fix: a half is a half', { 'src/half.js': half('value / 2'), 'test/half.test.js': check(even) })
  make('chore: another build', {
    'package.json': '{ "type": "module", "scripts": { "test": "node gone/build.mjs && node --test" } }\n',
  })
  make('fix: it cannot be built', {
    'src/half.js': half('value * 0.5'),
    'test/half.test.js': check(even, even.replace('even', 'more')),
  })
  const { code, out } = await run('--from-history', built, '--seconds', '20')
  expect(code).toBe(0)
  expect(out).toMatch(/^valid +1$/m)
  expect(out).not.toMatch(/^broke/m)
  expect(out).toMatch(
    /Unfit, and why:\n\w{10} .*src\/half\.js: the tests cannot be run: its build fails \(node gone\/build\.mjs\)/,
  )

  const { child, heard, ended } = start('--from-history', repository, '--seconds', '50', '--json')
  while (!heard.said.includes('1/3')) await sleep(20)
  const before = performance.now()
  child.kill('SIGTERM')
  const stopped = await ended
  expect(performance.now() - before).toBeLessThan(3_000)
  expect(stopped.code).toBe(130)
  const data = JSON.parse(stopped.out) as ReturnType<typeof dataOf>
  expect(data).toMatchObject({ stopped: true, figures: { tried: 1 } })
})
