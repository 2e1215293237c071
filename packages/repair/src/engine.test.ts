import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { EngineEvent, EngineTask } from '@treadle/flow/ports/engine'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRepair } from './engine.ts'
import type { RepairResult } from './result.ts'

let folder: string
let cwd: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repair-engine-'))
  cwd = join(folder, 'work')
  mkdirSync(cwd)
  execFileSync('git', ['init', '-q'], { cwd })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`
const head = "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n"
const BROKEN =
  'export function pageCount(total: number, size: number): number {\n  return Math.floor(total / size)\n}\n'
const TESTS = `${head}import { pageCount } from '../src/pages.ts'
test('a partly filled page counts', () => assert.equal(pageCount(11, 10), 2))
test('full pages are counted once', () => assert.equal(pageCount(20, 10), 2))
`

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
}

const task = (testCommand: string | null): EngineTask => ({
  text: 'Repair it.',
  item: null,
  attempt: 1,
  testCommand,
  failures: [],
  evidence: [],
})

async function open(events: EngineEvent[] = [], maxCandidates = 3_000) {
  const engine = openRepair({
    reportFile: join(folder, 'report.json'),
    budgetSeconds: 250,
    maxCandidates,
    sandbox: { mode: 'auto' },
  })
  return await engine.open({
    cwd,
    env: { PATH },
    stallMs: 60_000,
    onEvent: (event) => events.push(event),
    onQuestion: async () => ({ text: '' }),
  })
}

test('a failing test: the patch is found, checked by the real command and applied', async () => {
  write({ 'src/pages.ts': BROKEN, 'test/pages.test.ts': TESTS })
  const events: EngineEvent[] = []
  const session = await open(events)
  const end = await session.prompt(task('node --test test/pages.test.ts'))
  expect(end.outcome).toBe('done')
  expect(end.text).toMatch(/candidates in .*confidence high.*Math\.ceil.*plausible, not proven/s)
  expect(readFileSync(join(cwd, 'src/pages.ts'), 'utf8')).toBe(BROKEN.replace('floor', 'ceil'))
  expect(readFileSync(join(cwd, 'test/pages.test.ts'), 'utf8')).toBe(TESTS)
  const tools = events.flatMap((event) => (event.is === 'observed' ? [event.observation.tool] : []))
  expect(tools.slice(0, 3)).toEqual(['localise', 'search', 'validate'])
  expect(events).toContainEqual({
    is: 'used',
    usage: { model: 'none', inputTokens: 0, outputTokens: 0, usd: 0 },
  })
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as RepairResult
  expect(report.outcome).toBe('plausible')
  expect(report.patches[0]?.confidence).toBe('high')
})

test('what the real command does not agree with is not applied', async () => {
  write({ 'src/pages.ts': BROKEN, 'test/pages.test.ts': TESTS })
  const session = await open()
  const end = await session.prompt(task('node --test test/pages.test.ts && false'))
  expect(end).toMatchObject({ outcome: 'refused', text: expect.stringContaining('agreed with none') })
  expect(readFileSync(join(cwd, 'src/pages.ts'), 'utf8')).toBe(BROKEN)
})

test('without a failing test it refuses in words', async () => {
  write({ 'src/pages.ts': BROKEN.replace('floor', 'ceil'), 'test/pages.test.ts': TESTS })
  const session = await open()
  const end = await session.prompt(task('node --test'))
  expect(end).toMatchObject({
    outcome: 'refused',
    text: expect.stringContaining('add a failing test or connect a coding agent'),
  })
})

test('stopped in the middle, it leaves nothing behind and answers interrupted', async () => {
  write({ 'src/pages.ts': BROKEN, 'test/pages.test.ts': TESTS })
  const session = await open()
  const turn = session.prompt(task('node --test'))
  await session.stop(1_000)
  expect(await turn).toMatchObject({ outcome: 'interrupted' })
  expect(readFileSync(join(cwd, 'src/pages.ts'), 'utf8')).toBe(BROKEN)
  expect(await session.prompt(task('node --test'))).toMatchObject({ outcome: 'interrupted' })
  expect(existsSync(join(cwd, '.progress'))).toBe(false)
})

test('the probe says what it needs', async () => {
  expect(await openRepair({ sandbox: { mode: 'auto' } }).probe()).toMatchObject({
    is: 'usable',
    note: expect.stringContaining('failing test'),
  })
})

test('what ran out of its budget names the setting, and has twice as much the next time', async () => {
  const far = TESTS.replace('pageCount(11, 10), 2', 'pageCount(11, 10), 41_523')
  write({ 'src/pages.ts': BROKEN, 'test/pages.test.ts': far })
  const tried = async (more: Partial<EngineTask>) => {
    const session = await open([], 8)
    const { text } = await session.prompt({ ...task('node --test test/pages.test.ts'), ...more })
    expect(text).toContain('its time was up')
    expect(text).toContain('engines.repair.budgetSeconds')
    return Number(/tried (\d+) candidates/.exec(text)?.[1])
  }
  const item = { projectNumber: 1, number: 1, title: '', body: '', acceptance: [] }
  // Those that are under way at the end count too.
  expect(await tried({})).toBeGreaterThanOrEqual(8)
  expect(await tried({ item: { ...item, fence: 3 } })).toBeGreaterThanOrEqual(32)
})
