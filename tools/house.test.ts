import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { formatHouse, readMeasured } from './house.ts'
import { circlesIn } from './house-circles.ts'
import { readHouse } from './house-numbers.ts'

function repository(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'treadle-house-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  execFileSync('git', ['init', '-q'], { cwd: root })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const long = (lines: number) => `export function long() {\n${'  work()\n'.repeat(lines - 2)}}\n`

const files = {
  'packages/flow/src/flow.ts': "import { claim } from './claim/run.ts'\n",
  'packages/flow/src/claim/run.ts': "import type { Push } from '../push/run.ts'\nexport const claim = 1\n",
  'packages/flow/src/push/run.ts':
    "import { claim } from '../claim/run.ts'\nexport type Push = typeof claim\n",
  'packages/flow/src/ask/names.ts':
    '// What it is.\nexport type Twice = 1\n/** Lessons are kept. */\ntype Place = 2\n// biome-ignore lint: for a reason\nclass Found {}\n',
  'packages/flow/src/ask/more.ts': `export interface Twice {}\ninterface Facts {}\n${long(71)}`,
  'packages/flow/src/work/fits.ts': `interface Facts {}\n// Two lines\n// It counts once.\n${long(70)}`,
  'packages/flow/src/registry.ts': 'export const all = "lessons questions conflicts receipts"\n',
  'packages/flow/src/claim/run.test.ts': 'type Given = 1\n',
}

test('the house is counted: folders, circles, names, long functions, comments, nouns', () => {
  const house = readHouse(repository(files))
  expect(house).toMatchObject({
    flowFolders: ['ask', 'claim', 'push', 'work'],
    flowFoldersBeside: ['push'],
    circles: { 'packages/flow': { rooms: [['claim', 'push']], withRoot: [['claim', 'push']] } },
    runFiles: 2,
    namesTwice: ['packages/flow: Twice (packages/flow/src/ask/more.ts, packages/flow/src/ask/names.ts)'],
    vagueNames: ['packages/flow/src/ask/names.ts: Place', 'packages/flow/src/ask/names.ts: Found'],
    functions: { all: 2, over70: ['packages/flow/src/ask/more.ts:3'] },
    files: { all: 7, median: 2, max: 73 },
    comments: { all: 3, withoutReferent: 1 },
  })
  expect(house.nouns.lesson).toEqual({ all: 2, central: ['packages/flow/src/registry.ts'] })
})

test('the files beside the rooms are a room of their own in the second count', () => {
  const imports = new Map([
    ['packages/a/src/top.ts', new Set(['packages/a/src/x/one.ts'])],
    ['packages/a/src/x/one.ts', new Set(['packages/a/src/y/two.ts', 'packages/b/src/z/other.ts'])],
    ['packages/a/src/y/two.ts', new Set(['packages/a/src/top.ts'])],
    ['packages/b/src/z/other.ts', new Set(['packages/a/src/x/one.ts'])],
  ])
  expect(circlesIn(imports)).toEqual({ 'packages/a': { rooms: [], withRoot: [['.', 'x', 'y']] } })
})

test('what was not measured is said; minutes count only for a whole tier with its times', () => {
  const root = repository(files)
  const tier = (whole: boolean, file: object) => JSON.stringify({ whole, files: { 'a.test.ts': file } })
  expect(formatHouse(readHouse(root), readMeasured(root))).toMatch(
    /^daemon start +- +not measured\nminutes of tests, quick +- +not measured$/m,
  )
  mkdirSync(join(root, '.trace'))
  writeFileSync(join(root, '.trace/quick.json'), tier(true, { ms: 150_000, tests: [] }))
  writeFileSync(join(root, '.trace/long.json'), tier(false, { ms: 150_000, tests: [] }))
  writeFileSync(join(root, '.trace/bench.json'), tier(true, { tests: [] }))
  writeFileSync(join(root, '.trace/start.json'), '{ "at": "today", "cpuSeconds": 2.5, "residentMb": 240 }')
  const measured = readMeasured(root)
  expect(measured.testMinutes).toEqual({ quick: 2.5, long: null, bench: null, engines: null })
  expect(formatHouse(readHouse(root), measured)).toMatch(/^daemon start +2\.5 s {2}of CPU, 240 MB resident/m)
})

test('the command prints a table, or one document, or its help', () => {
  const root = repository(files)
  const script = fileURLToPath(new URL('house.ts', import.meta.url))
  const run = (...args: string[]) => execFileSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  expect(run('--root', root)).toMatch(/^folders of flow +4$/m)
  expect(JSON.parse(run('--root', root, '--json'))).toMatchObject({ runFiles: 2, start: null })
  expect(run('--help')).toContain('--json')
})
