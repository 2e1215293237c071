import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeFiles } from '../scratch-project.ts'
import { loadProject } from './load.ts'

function load(command: string, files: Readonly<Record<string, string>>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'settings-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFiles(root, files)
  const { files: loaded } = loadProject(root, command)
  return { paths: loaded.map(({ path }) => path).sort(), test: loaded.find(({ isTest }) => isTest) }
}

const source = { 'src/sum.js': 'exports.sum = (a, b) => a + b\n' }

test('jest: requests that its settings map, folders of modules, and what is loaded before the tests', () => {
  const settings = {
    setupFilesAfterEnv: ['<rootDir>/test/setup.js'],
    moduleNameMapper: { '^@/(.*)$': '<rootDir>/src/$1' },
    modulePaths: ['<rootDir>/shared'],
  }
  const { paths, test: own } = load('jest', {
    ...source,
    'package.json': JSON.stringify({ jest: settings }),
    'shared/tools.js': 'exports.two = 2\n',
    'test/setup.js': 'globalThis.one = 1\n',
    'test/sum.test.js': "const { sum } = require('@/sum'); require('tools')\ntest('a', () => sum(1, 2))\n",
  })
  expect(paths).toEqual(['shared/tools.js', 'src/sum.js', 'test/setup.js', 'test/sum.test.js'])
  expect(own?.setup).toEqual(['./test/setup.js'])
})

test.each([
  ["alias: { '~': fileURLToPath(new URL('./src', import.meta.url)) }"],
  ["alias: [{ find: '~', replacement: path.resolve(__dirname, 'src') }]"],
  ["alias: {\n  // the sources\n  '~': resolve('./src/'),\n}"],
])('vitest: %s', (alias) => {
  const { paths, test: own } = load('vitest run', {
    ...source,
    'vitest.config.ts': `export default defineConfig({ resolve: { ${alias} }, test: { setupFiles: './setup.js' } })\n`,
    'setup.js': 'globalThis.one = 1\n',
    'test/sum.test.js': "import { sum } from '~/sum'\ntest('a', () => sum(1, 2))\n",
  })
  expect(paths).toEqual(['setup.js', 'src/sum.js', 'test/sum.test.js'])
  expect(own?.setup).toEqual(['./setup.js'])
})

test('a package that asks for itself means its sources', () => {
  const { paths } = load('jest', {
    'package.json': '{ "name": "days", "main": "days.min.js" }',
    'src/index.js': 'exports.day = 1\n',
    'src/locale/en.js': "const { day } = require('days'); exports.en = day\n",
    'test/en.test.js': "const { en } = require('../src/locale/en')\ntest('a', () => en)\n",
  })
  expect(paths).toEqual(['src/index.js', 'src/locale/en.js', 'test/en.test.js'])
})
