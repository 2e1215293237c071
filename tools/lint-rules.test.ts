// A rule that does not exist in the installed Biome, or does not match our folders, is silent; so each one is tried.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-lint-')))
const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')

// For each file: its text and what Biome must say about it (a rule, or a part of the message of our own rules).
const cases: [file: string, text: string, ...expected: string[]][] = [
  ['packages/flow/src/clock.ts', 'export const a = Date.now()', 'take `now` as a fact'],
  ['packages/flow/src/date.ts', 'export const a = new Date()', 'take `now` as a fact'],
  ['packages/flow/src/random.ts', 'export const a = Math.random()', 'take randomness as a fact'],
  ['packages/flow/src/wait.ts', 'export const a = async (b: Promise<void>) => { await b }', 'may await'],
  ['packages/flow/src/net.ts', "export const a = () => fetch('x')", 'no network'],
  ['packages/flow/src/disk.ts', "import 'node:fs'", 'Pure: facts in, choice out.'],
  ['packages/flow/src/claim/take.run.ts', "export const a = async () => [await fetch('x'), Date.now()]"],
  ['packages/flow/src/claim/to-run.ts', "import './claim.run.ts'", 'Pure: facts in, choice out.'],
  ['packages/flow/src/build/run.ts', "import '@treadle/store/items'", 'The flow knows ports, not adapters.'],
  ['packages/contracts/src/disk.ts', "import 'node:fs'", 'Contracts are browser-safe'],
  ['packages/store/src/items.ts', "import '@treadle/git/merge'", 'Adapters do not know each other.'],
  ['packages/store/src/claims.ts', "import '@treadle/flow/claim/decide'", 'Adapters implement flow/ports'],
  ['packages/store/src/good.ts', "import '@treadle/flow/fault'\nimport '@treadle/flow/ports/items'"],
  ['packages/memory/src/flow.ts', "import '@treadle/flow/fault'", 'Memory knows contracts'],
  ['packages/memory/src/clock.ts', 'export const a = () => Date.now()', 'Pure file'],
  ['packages/repair/src/flow.ts', "import '@treadle/flow/next'", 'Adapters implement flow/ports'],
  ['packages/mend/src/flow.ts', "import '@treadle/flow/next'", 'Mends know ports'],
  ['packages/mend/src/git.ts', "import '@treadle/git/merge'", 'Mends know contracts'],
  ['packages/process/src/fault.ts', "import '@treadle/flow/fault'", 'Below the adapters'],
  ['packages/process/src/good.ts', "import 'node:fs'\nimport '@treadle/contracts/ids'"],
  [
    'packages/sandbox/src/fault.ts',
    "import '@treadle/flow/fault'",
    'The sandbox knows contracts and processes',
  ],
  ['packages/sandbox/src/good.ts', "import 'node:fs'\nimport '@treadle/process/table'"],
  [
    'packages/flow/src/confined.ts',
    "import '@treadle/sandbox/confine'",
    'The flow knows ports, not adapters.',
  ],
  ['packages/store/src/lodash.ts', "import 'lodash'", 'noUndeclaredDependencies'],
  ['apps/cli/src/flow.ts', "import '@treadle/flow/next'", 'Surfaces speak only through contracts.'],
  ['apps/cli/src/good.ts', "import '@treadle/contracts/item'"],
  ['apps/cli/src/some.test.ts', "import '@treadle/requirements/verifies'"],
  ['apps/agent/src/store.ts', "import '@treadle/store/items'", 'only through the API client'],
  ['apps/daemon/src/env.ts', 'export const port = process.env.PORT'],
  ['apps/daemon/src/port.ts', 'export const port = process.env.PORT', 'noProcessEnv'],
  ['apps/daemon/src/BadName.ts', 'export const a = 1', 'useFilenamingConvention'],
  ['apps/daemon/src/barrel.ts', "export { a } from './BadName.ts'", 'noBarrelFile'],
  ['apps/daemon/src/all.ts', "export * from './BadName.ts'", 'noReExportAll'],
  ['apps/daemon/src/default.ts', 'export default 1', 'noDefaultExport'],
  ['apps/daemon/src/enum.ts', 'export enum A { B }', 'noEnum'],
  ['apps/daemon/src/bang.ts', 'export const a = (b: string | null) => b!.length', 'noNonNullAssertion'],
  ['apps/daemon/src/any.ts', 'export const a = (b: any) => b', 'noExplicitAny'],
  ['apps/daemon/src/ternary.ts', 'export const a = (b: number) => b ? 1 : b > 2 ? 3 : 4', 'noNestedTernary'],
  ['apps/daemon/src/type.ts', "import { A } from './all.ts'\nexport const a = (b: A) => b", 'useImportType'],
  ['apps/daemon/src/unused.ts', "import { a } from './any.ts'", 'noUnusedImports'],
  ['apps/daemon/src/throw.ts', "export const a = () => { throw 'b' }", 'useThrowOnlyError'],
  [
    'apps/daemon/src/empty.ts',
    'export const a = (b: () => void) => { try { b() } catch {} }',
    'noEmptyBlockStatements',
  ],
  ['apps/daemon/src/console.ts', "console.log('a')", 'noConsole'],
  ['apps/daemon/src/ignore.ts', "// @ts-ignore\nexport const a: number = 'b'", 'noTsIgnore'],
  [
    'apps/daemon/src/float.ts',
    'const a = async () => 1\nexport const b = () => { a() }',
    'noFloatingPromises',
  ],
  [
    'apps/daemon/src/switch.ts',
    "type A = { is: 'a' } | { is: 'b' }\nexport const b = (c: A) => { switch (c.is) { case 'a': return 1 } }",
    'useExhaustiveSwitchCases',
  ],
  [
    'apps/daemon/src/cycle-a.ts',
    "import { b } from './cycle-b.ts'\nexport const a = () => b",
    'noImportCycles',
  ],
  [
    'apps/daemon/src/cycle-b.ts',
    "import { a } from './cycle-a.ts'\nexport const b = () => a",
    'noImportCycles',
  ],
  [
    'apps/daemon/src/params.ts',
    'export const a = (b: 1, c: 1, d: 1, e: 1, f: 1) => [b, c, d, e, f]',
    'useMaxParams',
  ],
  [
    'apps/daemon/src/long.ts',
    `export function a() {\n${many(72, (i) => `  b(${i})`)}\n}\nfunction b(c: number) {\n return c\n}`,
    'noExcessiveLinesPerFunction',
  ],
  [
    'apps/daemon/src/knot.ts',
    `export function a(b: number) {\n${many(20, (i) => `  if (b === ${i}) return ${i}`)}\n}`,
    'noExcessiveCognitiveComplexity',
  ],
  ['apps/daemon/src/huge.ts', many(401, (i) => `export const a${i} = ${i}`), 'noExcessiveLinesPerFile'],
  [
    'apps/daemon/src/skip.test.ts',
    "import { test } from 'vitest'\ntest.skip('a', () => undefined)",
    'noSkippedTests',
  ],
  [
    'apps/daemon/src/only.test.ts',
    "import { test } from 'vitest'\ntest.only('a', () => undefined)",
    'noFocusedTests',
  ],
]

const said = new Map<string, string>()

beforeAll(() => {
  for (const [file, text] of cases) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${text}\n`)
  }
  for (const file of ['biome.json', 'tsconfig.json', 'tools/pure.grit'])
    cpSync(join(root, file), join(folder, file))
  for (const name of [
    'packages/contracts',
    'packages/flow',
    'packages/store',
    'apps/cli',
    'apps/agent',
    'apps/daemon',
  ]) {
    cpSync(join(root, name, 'package.json'), join(folder, name, 'package.json'))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  spawnSync('git', ['init', '-q'], { cwd: folder })
  const biome = join(root, 'node_modules/.bin/biome')
  const flags = ['lint', '--reporter=github', '--max-diagnostics=none', '.']
  const { stdout, stderr } = spawnSync(biome, flags, { cwd: folder, encoding: 'utf8' })
  for (const line of stdout.split('\n')) {
    const [, title, file, message] = /^::\w+ title=([^,]*),file=([^,]*),.*?::(.*)$/.exec(line) ?? []
    const name = file?.replace(`${folder}/`, '') ?? ''
    said.set(name, `${said.get(name) ?? ''}${title} ${message}\n`)
  }
  if (said.size < 2) throw new Error(`Biome said nothing usable: ${stdout}${stderr}`)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bad = cases.filter(([, , ...expected]) => expected.length > 0)
test.each(bad.map(([file, , wanted]) => ({ file, wanted })))(
  '$file breaks a rule: $wanted',
  ({ file, wanted }) => {
    expect(said.get(file)).toContain(wanted)
  },
)

const good = cases.filter(([, , ...expected]) => expected.length === 0).map(([file]) => file)
test.each(good)('%s breaks no import, purity or environment rule', (file) => {
  expect(said.get(file) ?? '').not.toMatch(/noRestrictedImports|plugin|noProcessEnv/)
})
