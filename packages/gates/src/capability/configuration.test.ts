import { expect, test } from 'vitest'
import { compareConfiguration } from './configuration.ts'

const words = (path: string, before: string | null, after: string | null): string[] =>
  compareConfiguration(path, before, after).map((each) => each.words.replace(/, a key.*/, ''))

const manifest = (more: object): string => JSON.stringify({ name: 'x', scripts: { test: 'vitest' }, ...more })
const project = (lines: string): string => `[project]\nname = "x"\n${lines}\n`

test.each<[what: string, path: string, before: string | null, after: string | null]>([
  [
    'versions',
    'package.json',
    manifest({ devDependencies: { a: '^1.0.0' } }),
    manifest({ devDependencies: { a: '>=2 <3', b: '*' } }),
  ],
  ['a package less', 'package.json', manifest({ dependencies: { a: 'file:./a' } }), manifest({})],
  [
    'words',
    'package.json',
    manifest({}),
    manifest({ description: 'd', keywords: ['k'], engines: { node: '>=20' } }),
  ],
  [
    'other scripts',
    'package.json',
    manifest({}),
    manifest({ scripts: { test: 'vitest', build: 'tsc', 'lint:fix': 'x' } }),
  ],
  ['layout', 'package.json', '{ "a": [1, 2] }', '{\n  "a": [\n    1,\n    2\n  ]\n}\n'],
  [
    'time limits',
    'vitest.config.ts',
    'export default { test: { testTimeout: 1 } }',
    'export default { test: { hookTimeout: 2 } }',
  ],
  ['a dev server', 'vite.config.ts', 'export default {}', 'export default { server: { port: 1 } }'],
  [
    'strictness',
    'tsconfig.json',
    '{ "compilerOptions": {} } // c',
    '{ "compilerOptions": { "strict": true, /* c */ "noUnusedLocals": true } }',
  ],
  ['a linter of Python', 'pyproject.toml', project(''), project('[tool.ruff]\nline-length = 100')],
  [
    'packages of Python over several lines, beside a key in quotes',
    'pyproject.toml',
    project('dependencies = [\n  "a",\n]\nurls."Issue tracker" = "https://x"'),
    project('dependencies = [\n  "a>=2",\n  "b[c]",\n]\nurls."Issue tracker" = "https://y"'),
  ],
  [
    'a marker',
    'pytest.ini',
    '[pytest]\nmarkers =\n  slow\n',
    '[pytest]\nmarkers =\n  slow\n  net: uses it\n',
  ],
  ['data of tests', 'test/fixtures/a/package.json', null, manifest({ type: 'module' })],
  ['no configuration', 'src/data.json', '{}', '{ "alias": 1 }'],
])('%s change nothing', (_what, path, before, after) => {
  expect(words(path, before, after)).toEqual([])
})

test.each<[path: string, before: string | null, after: string | null, said: string]>([
  ['package.json', manifest({}), manifest({ scripts: { test: 'true' } }), 'scripts.test was changed'],
  [
    'package.json',
    manifest({}),
    manifest({ scripts: { test: 'vitest', postinstall: 'x' } }),
    'scripts.postinstall was added',
  ],
  [
    'package.json',
    manifest({}),
    manifest({ dependencies: { a: 'git+https://x' } }),
    'dependencies.a was added',
  ],
  ['package.json', manifest({}), manifest({ dependencies: { a: 'npm:b@1' } }), 'dependencies.a was added'],
  ['package.json', manifest({}), manifest({ imports: { '#a': './b.js' } }), 'imports.#a was added'],
  ['package.json', manifest({}), manifest({ overrides: { a: '1' } }), 'overrides.a was added'],
  ['package.json', manifest({}), '{', 'it cannot be read key by key, so it counts as changing the tests'],
  [
    'vitest.config.ts',
    'export default { test: {} }',
    'export default { test: { environment: "./ours.ts" } }',
    'test.environment was added',
  ],
  [
    'vitest.config.ts',
    'export default {}',
    'Object.is = () => true\nexport default {}',
    '(code beside the settings) was added',
  ],
  [
    'jest.config.cjs',
    'module.exports = {}',
    'module.exports = { moduleNameMapper: { a: "b" } }',
    'moduleNameMapper.a was added',
  ],
  [
    'jest.config.cjs',
    'module.exports = { verbose: true }',
    'module.exports = { verbose: true, ...more }',
    '(all of it) was added',
  ],
  ['.mocharc.json', '{}', '{ "require": "./x.js" }', 'require was added'],
  [
    'tsconfig.json',
    '{}',
    '{ "compilerOptions": { "paths": { "a": ["b"] } } }',
    'compilerOptions.paths.a was added',
  ],
  [
    'pyproject.toml',
    project(''),
    project('[project.entry-points.pytest11]\na = "b"'),
    'project.entry-points.pytest11.a was added',
  ],
  [
    'pyproject.toml',
    project(''),
    project('dependencies = ["a @ git+https://x"]'),
    'project.dependencies was added',
  ],
  ['pytest.ini', '[pytest]\n', '[pytest]\naddopts = -k easy\n', 'pytest.addopts was added'],
  ['vitest.config.ts', 'export default { test: { globals: true } }', null, 'test.globals was removed'],
])('%s: %s to %s', (path, before, after, said) => {
  expect(words(path, before, after)).toContain(said)
})
