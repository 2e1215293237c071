import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { codeFiles, readImports } from './imports.ts'
import { isProduct, judgeReach } from './reach.ts'

const verifies = 'requirements/verifies.ts'
const main = 'apps/cli/src/main.ts'

function repository(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'treadle-reach-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  execFileSync('git', ['init', '-q'], { cwd: root })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const importsOf = (entries: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries({ [verifies]: [], ...entries }).map(([file, to]) => [file, new Set(to)]))

const judge = (
  entries: Readonly<Record<string, readonly string[]>>,
  waiting: Readonly<Record<string, string>> = {},
) => judgeReach({ imports: importsOf(entries), products: { cli: [main] }, waiting })

test('imports are read in every form: static, of types, passed on, dynamic, by package, and by new URL', () => {
  const root = repository({
    '.gitignore': 'dist/\n',
    'packages/a/package.json': '{ "name": "@treadle/a", "exports": { "./*": "./src/*.ts" } }',
    'packages/a/src/one.ts': 'export const one = 1',
    'packages/a/src/deep/two.ts': "export type { Three } from '../three.ts'\nimport 'node:fs'",
    'packages/a/src/three.ts': 'export type Three = 3',
    'packages/a/dist/old.ts': "import '../src/one.ts'",
    'apps/cli/src/main.ts': [
      "import { one } from '@treadle/a/one'",
      "import type { Three } from '@treadle/a/deep/two'",
      "import './gone.ts'",
      "const later = () => import('./later.tsx')",
      "const MAIN = new URL('../../agent/src/main.ts', import.meta.url)",
      "const beside = new URL('worker.ts', import.meta.url)",
    ].join('\n'),
    'apps/cli/src/later.tsx': 'export const later = <p>{1}</p>',
    'apps/cli/src/worker.ts': '',
    'apps/agent/src/main.ts': '',
  })
  const imports = readImports(root, codeFiles(root))
  expect([...imports.keys()]).not.toContain('packages/a/dist/old.ts')
  expect([...(imports.get(main) ?? [])].sort()).toEqual([
    'apps/agent/src/main.ts',
    'apps/cli/src/later.tsx',
    'apps/cli/src/worker.ts',
    'packages/a/src/deep/two.ts',
    'packages/a/src/one.ts',
  ])
  expect([...(imports.get('packages/a/src/deep/two.ts') ?? [])]).toEqual(['packages/a/src/three.ts'])
})

test('a file that only its test imports is refused, and named with whoever imports it', () => {
  const entries = {
    [main]: ['packages/a/src/used.ts'],
    'packages/a/src/used.ts': [],
    'packages/a/src/dead.ts': ['packages/a/src/deader.ts'],
    'packages/a/src/deader.ts': [],
    'packages/a/src/dead.test.ts': ['packages/a/src/dead.ts', 'packages/a/src/used.ts'],
  }
  const words = 'Wire it, or remove it with its tests'
  expect(judge(entries)).toEqual([
    `packages/a/src/dead.ts: no product reaches it; imported by packages/a/src/dead.test.ts only. ${words}`,
    `packages/a/src/deader.ts: no product reaches it; imported by packages/a/src/dead.ts only. ${words}`,
  ])
  expect(judge({ ...entries, [main]: ['packages/a/src/used.ts', 'packages/a/src/dead.ts'] })).toEqual([])
})

test('a test that verifies a requirement with such a file is refused too, also through a kit', () => {
  const waiting = { 'apps/web/src/host.ts': 'the editor' }
  const entries = {
    [main]: [],
    'apps/web/src/host.ts': [],
    'scenarios/kit/editor.ts': ['apps/web/src/host.ts'],
    'scenarios/plain.test.ts': ['scenarios/kit/editor.ts'],
    'scenarios/cites.test.ts': ['scenarios/kit/editor.ts', verifies],
    'scenarios/other.test.ts': [main, verifies],
  }
  expect(judge(entries, waiting)).toEqual([
    'scenarios/cites.test.ts: it verifies requirements with apps/web/src/host.ts (through scenarios/kit/editor.ts), which no product reaches',
  ])
})

test('a file that waits for a part is struck off once it is reached or gone, and a product must start somewhere', () => {
  const waiting = { 'apps/web/src/host.ts': 'the editor', 'apps/web/src/old.ts': 'the editor' }
  const found = judge({ [main]: ['apps/web/src/host.ts'], 'apps/web/src/host.ts': [] }, waiting)
  expect(found).toEqual([
    'apps/web/src/host.ts: a product reaches it now; take it off the list in tools/reach.ts',
    'apps/web/src/old.ts: it waits for a part in tools/reach.ts, but it is gone',
  ])
  expect(judge({})).toEqual([`${main}: a product starts here, but it is gone`])
})

test.each([
  ['packages/store/src/claims.ts', true],
  ['apps/dashboard/src/frame/screen.tsx', true],
  ['apps/cli/src/demo/sample-files.ts', true],
  ['packages/store/src/claims.test.ts', false],
  ['apps/dashboard/src/board/board.test.tsx', false],
  ['packages/store/src/testing/pool.ts', false],
  ['packages/contracts/src/words/lesson-samples.ts', false],
  ['packages/git/src/scratch-repository.ts', false],
  ['scenarios/kit/shop.ts', false],
  ['tools/check.ts', false],
])('%s is a part of a product: %s', (file, is) => {
  expect(isProduct(file)).toBe(is)
})
