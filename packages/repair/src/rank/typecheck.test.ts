import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { repair } from '../repair.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'types-'))
  const files = {
    'package.json': '{ "type": "module" }',
    'src/count.ts': `export function count(words: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 1) + 1)
  return counts
}
`,
    'test/count.test.ts': `import { expect, test } from 'vitest'
import { count } from '../src/count.ts'
test('once', () => expect(count(['a']).get('a')).toBe(1))
`,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function compiler(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', '.bin', 'tsc')
    if (existsSync(found)) return found
    if (dirname(folder) === folder) throw new Error('no compiler')
  }
}

test('with a tsconfig all green patches are checked, and what the compiler refuses comes after', async () => {
  const compilerOptions = {
    strict: true,
    target: 'es2024',
    module: 'nodenext',
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
  }
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
  const result = await repair({
    cwd: root,
    testCommand: null,
    budgetSeconds: 50,
    maxCandidates: 800,
    tsc: compiler(),
    sandbox: { mode: 'auto' },
  })
  const verdicts = result.patches.map((patch) => patch.types)
  expect(verdicts).toContain('clean')
  expect(verdicts).toEqual(verdicts.toSorted((a, b) => Number(a === 'unclean') - Number(b === 'unclean')))
  const boolean = result.patches.find((patch) => patch.diff.includes('counts.has(word) ??'))
  expect(boolean?.types ?? 'unclean').toBe('unclean')
  expect(result.patches[0]?.why).toContain('the type checker agrees')
})

test('without a tsconfig nothing is checked, and that is said', async () => {
  const result = await repair({
    cwd: root,
    testCommand: null,
    budgetSeconds: 50,
    maxCandidates: 800,
    tsc: compiler(),
    sandbox: { mode: 'auto' },
  })
  expect(result.patches[0]).toMatchObject({
    types: 'none',
    why: expect.stringContaining('there are no types to check'),
  })
})
