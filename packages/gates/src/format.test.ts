import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { env as toolEnv } from '../../../tools/env.ts'
import { formatChanged, isBeside } from './format.ts'
import { formattersOf } from './formatters.ts'
import { unconfined } from './run-command.ts'

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))

function project(files: Record<string, string>): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-format-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  return dir
}

const format = (cwd: string, files: string[], base: Record<string, string> = {}) =>
  formatChanged(
    {
      evidenceDir: join(cwd, '.evidence'),
      env: { PATH: toolEnv.path, HOME: cwd },
      tailBytes: 4_000,
      surroundings: unconfined('test'),
    },
    { cwd, files, readBase: async (path) => base[path] ?? null, timeoutMs: 200_000 },
  )

const manifest = (given: object) => ({ 'package.json': JSON.stringify(given) })

test.each<[string, Record<string, string>, string[]]>([
  ['nothing', { 'a.js': '' }, []],
  ['biome', { 'biome.json': '{}' }, ['npx --no-install biome format --write']],
  ['prettier by its settings', { '.prettierrc': '{}' }, ['npx --no-install prettier --write']],
  ['prettier in the manifest', manifest({ prettier: {} }), ['npx --no-install prettier --write']],
  [
    'prettier by its scripts',
    manifest({ scripts: { lint: 'prettier -c src' } }),
    ['npx --no-install prettier --write'],
  ],
  [
    'two, of which the scripts name one',
    { 'biome.json': '{}', '.prettierrc': '{}', ...manifest({ scripts: { format: 'prettier -w .' } }) },
    ['npx --no-install prettier --write'],
  ],
  ['eslint that only finds faults', manifest({ devDependencies: { eslint: '9' } }), []],
  [
    'eslint with the rules of a style',
    manifest({ devDependencies: { eslint: '9', '@antfu/eslint-config': '3' } }),
    ['npx --no-install eslint --fix'],
  ],
  ['dprint', { 'dprint.json': '{}' }, ['npx --no-install dprint fmt']],
  ['black', { 'pyproject.toml': '[tool.black]\n' }, ['black -q']],
  [
    'ruff in an environment of the project',
    { 'pyproject.toml': '[tool.ruff.format]\n', '.venv/bin/ruff': '' },
    ['.venv/bin/ruff format'],
  ],
  ['go', { 'go.mod': 'module x' }, ['gofmt -w']],
])('the formatter of a project with %s', (_, files, commands) => {
  expect(formattersOf(project(files)).map(({ command }) => command)).toEqual(commands)
})

const SETTINGS = JSON.stringify({
  formatter: { indentStyle: 'space' },
  javascript: { formatter: { quoteStyle: 'single' } },
})

test('what was changed is formatted by the formatter of the project, and nothing else is touched', async () => {
  const base = 'export const one = 1\n'
  const cwd = project({
    'biome.json': SETTINGS,
    'src/a.ts': 'export const one = 1;\nexport const two   = "2"\n',
    'src/b.ts': 'export   const b = 1\n',
  })
  symlinkSync(MODULES, join(cwd, 'node_modules'))
  expect(await format(cwd, ['src/a.ts', 'gone.ts'], { 'src/a.ts': base })).toEqual([
    { by: 'biome', changed: ['src/a.ts'], left: [], problem: null },
  ])
  expect(readFileSync(join(cwd, 'src/a.ts'), 'utf8')).toBe("export const one = 1;\nexport const two = '2';\n")
  expect(readFileSync(join(cwd, 'src/b.ts'), 'utf8')).toBe('export   const b = 1\n')
})

test('a file that was not in this form before is left as it was written', async () => {
  const line = (n: number) => `export const n${n}   = "${n}"`
  const base = `${Array.from({ length: 30 }, (_, n) => line(n)).join('\n')}\n`
  const written = base.replace(line(3), 'export const n3   = "three"')
  const cwd = project({ 'biome.json': SETTINGS, 'a.ts': written })
  symlinkSync(MODULES, join(cwd, 'node_modules'))
  expect(await format(cwd, ['a.ts'], { 'a.ts': base })).toEqual([
    { by: 'biome', changed: [], left: ['a.ts'], problem: null },
  ])
  expect(readFileSync(join(cwd, 'a.ts'), 'utf8')).toBe(written)
})

test('a formatter that fails or is not there changes nothing, and says why', async () => {
  const cwd = project({ 'biome.json': SETTINGS, 'a.ts': 'const = = 1\n' })
  const [absent] = await format(cwd, ['a.ts'])
  expect(absent).toEqual({ by: 'biome', changed: [], left: [], problem: 'it is not installed' })
  symlinkSync(MODULES, join(cwd, 'node_modules'))
  const [failed] = await format(cwd, ['a.ts'])
  expect(failed?.problem).toMatch(/^it failed with exit code 1/)
  expect(readFileSync(join(cwd, 'a.ts'), 'utf8')).toBe('const = = 1\n')
})

test('a call that needs its neighbours is no whole file', () => {
  const base = ['f(', '  a,', '  b,', ')', ...Array.from({ length: 40 }, (_, n) => `line ${n}`)].join('\n')
  const written = base.replace('  b,', '  b')
  const formatted = written.replace('f(\n  a,\n  b\n)', 'f(a, b)')
  expect(isBeside({ base, written }, formatted)).toBe(false)
  expect(isBeside({ base, written }, formatted.replaceAll('line', 'LINE'))).toBe(true)
  expect(isBeside({ base: null, written }, 'anything')).toBe(false)
})

/** A formatter of the project's own packages, which are code of whoever wrote the change. */
function hostile(cwd: string, script: string): void {
  mkdirSync(join(cwd, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(cwd, 'node_modules/.bin/biome'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

test.each(['exit 2', 'exit 0'])(
  'a formatter that swaps a file for a link out of the tree (%s) writes nothing there',
  async (end) => {
    const outside = join(project({ 'mine.txt': 'mine\n' }), 'mine.txt')
    const cwd = project({ 'biome.json': SETTINGS, 'a.ts': 'const a = 1\n' })
    hostile(cwd, `rm a.ts; ln -s ${outside} a.ts; ${end}`)
    await format(cwd, ['a.ts'])
    expect(readFileSync(outside, 'utf8')).toBe('mine\n')
    expect(lstatSync(join(cwd, 'a.ts')).isSymbolicLink()).toBe(false)
    expect(readFileSync(join(cwd, 'a.ts'), 'utf8')).toBe('const a = 1\n')
  },
)

test('what is too large or no text is not given to a formatter, and a failure leaves it as it is', async () => {
  const large = `// ${'x'.repeat(3 * 1024 * 1024)}\n`
  const cwd = project({ 'biome.json': SETTINGS, 'large.ts': large, 'a.ts': 'const a = 1\n' })
  const latin = Buffer.from('// caf\xe9\n', 'latin1')
  writeFileSync(join(cwd, 'latin.ts'), latin)
  hostile(cwd, 'echo "$@" > given; for f in *.ts; do echo spoilt > "$f"; done; exit 2')
  chmodSync(join(cwd, 'a.ts'), 0o755)
  await format(cwd, ['large.ts', 'latin.ts', 'a.ts'])
  expect(readFileSync(join(cwd, 'given'), 'utf8')).not.toMatch(/large|latin/)
  expect(readFileSync(join(cwd, 'a.ts'), 'utf8')).toBe('const a = 1\n')
  expect(lstatSync(join(cwd, 'a.ts')).mode & 0o777).toBe(0o755)
})
