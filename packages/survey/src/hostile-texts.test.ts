// Texts of a hostile repository that keep a pattern busy for hours, and what a package offers by a pattern.
import { expect, test } from 'vitest'
import { lookAround } from './look-around.ts'
import { Project } from './project.ts'
import { SURVEYS } from './surveys.ts'

function projectOf(files: Readonly<Record<string, string>>): Project {
  const tree = {
    files: async () => Object.keys(files),
    read: async (path: string) => files[path] ?? null,
    lineTimes: async () => [],
  }
  return new Project(tree, () => new Date(0))
}

async function keysOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const project = projectOf(files)
  const keys: string[] = []
  for (const { look } of SURVEYS) {
    const found = await look(project)
    if (found.is === 'looked') keys.push(...found.findings.map(({ key }) => key))
  }
  return keys
}

const manifest = (more: object) => JSON.stringify({ name: 'shop', license: 'MIT', ...more })

test.each<[string, Readonly<Record<string, string>>]>([
  [
    'a script of options that may be read in two ways',
    { 'package.json': manifest({ private: true, scripts: { go: `node ${'--require '.repeat(200)}!` } }) },
  ],
  ['tags that never end', { 'a.html': '<a '.repeat(150_000) }],
  ['comments that never end', { 'a.html': '<!--'.repeat(125_000) }],
  ['a page of many pictures', { 'a.html': '<img>\n'.repeat(80_000) }],
  ['empty lines of a setting', { 'package.json': manifest({}), 'tsconfig.json': '\n'.repeat(500_000) }],
  ['a command of spaces', { 'README.md': `\`\`\`sh\n${' '.repeat(400_000)}a\n\`\`\`\n` }],
  ['an import of signs', { 'a.js': `import '${'?'.repeat(400_000)}\\n'\n` }],
])('%s keep no survey busy', async (_, files) => {
  expect(await keysOf(files)).toEqual(expect.any(Array))
})

test('what a package offers by a pattern is used by others, and nothing of it is dead', async () => {
  const files = {
    'src/deep.js': 'export const deep = () => 1\n',
    'src/deeper.js': 'export const deeper = 2\n',
  }
  const exports = { './*': './src/*.js' }
  const dead = async (more: object) =>
    (await keysOf({ ...files, 'package.json': manifest({ exports, ...more }) })).filter((key) =>
      key.startsWith('unused-'),
    )
  expect(await dead({})).toEqual([])
  expect(await dead({ private: true })).toContain('unused-export:src/deep.js:deep')
})

test('a driver that another package loads if it is there is used', async () => {
  const files = {
    'package.json': manifest({ dependencies: { orm: '1', driver: '1', spare: '1' } }),
    'index.js': "import 'orm'\n",
    'node_modules/orm/package.json': '{"peerDependenciesMeta":{"driver":{"optional":true}}}',
  }
  const keys = (await keysOf(files)).filter((key) => key.startsWith('unused-dependency'))
  expect(keys).toEqual(['unused-dependency:spare'])
})

test('a command that no database keeps as it is is not told, and keeps no other from being told', async () => {
  const files = {
    'package.json': manifest({ scripts: {} }),
    'README.md': '```sh\nnpm run gone \u0000\nnpm run lost\n```\n',
  }
  const wanted = { category: 'documentation', eachMax: 100, onLook: () => undefined } as const
  const { findings } = await lookAround(projectOf(files), wanted)
  expect(findings.map(({ key }) => key)).toEqual(['document-command:README.md:npm run lost'])
})

test.each<[string, Readonly<Record<string, string>>]>([
  [
    'brings a program that is not installed here',
    { 'package.json': manifest({ dependencies: { '@a/cli': '1' }, scripts: { start: 'go serve' } }) },
  ],
  [
    'is called otherwise by grunt',
    {
      'package.json': manifest({ devDependencies: { 'grunt-contrib-shrink': '1' } }),
      'node_modules/grunt-contrib-shrink/package.json': '{}',
      'Gruntfile.js': 'grunt.initConfig({ shrink: {} })\n',
    },
  ],
  [
    'is called otherwise by jest',
    {
      'package.json': manifest({ devDependencies: { 'jest-runner-lint': '1' }, jest: { runner: 'lint' } }),
      'node_modules/jest-runner-lint/package.json': '{}',
    },
  ],
])('a package that %s is used', async (_, files) => {
  expect((await keysOf(files)).filter((key) => key.startsWith('unused-dependency'))).toEqual([])
})
