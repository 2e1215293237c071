// What is told of files that others load by computed names, as a whole, as programs or in a browser.
import { expect, test } from 'vitest'
import { keysIn, one, reportOf } from './testing/sample.ts'

test('a file that loads by a computed name keeps only what it may load from being told', async () => {
  const files = {
    'package.json': {},
    'src/a.js': "export const load = (name) => import('./screens/' + name)",
    'src/a.test.js': "import { load } from './a.js'\nload('x')",
    'src/screens/first.js': 'export const shown = 1',
    'src/left.js': 'export const left = 1',
  }
  const { findings, skipped } = await reportOf({ files }, null)
  expect(findings.map(({ key }) => key)).toEqual([
    'untested-file:src/left.js',
    'unused-file:src/left.js',
    'unused-export:src/left.js:left',
  ])
  expect(skipped).toContainEqual({
    category: 'code-quality',
    survey: 'unused-file',
    part: true,
    why: 'unused-file: 1 file is left out, since they may be loaded by a name that is computed in src/a.js',
  })
  expect(skipped).toContainEqual(expect.objectContaining({ survey: 'untested-file', part: true }))
})

test.each<[string, string]>([
  ['its own folder', 'export const go = (name) => import(name)'],
  ['a folder that it names', "const at = join(root, 'parts')\nexport const go = (n) => import(join(at, n))"],
  ['a pattern', "export const go = import.meta.glob('../parts/*.js')"],
  ['a name from outside', 'const [, , name] = process.argv\nexport const go = () => import(name)'],
])('what may be loaded from %s is not called unused', async (_, text) => {
  const place = text.includes('parts') ? 'parts' : 'load'
  const files = {
    'package.json': {},
    'load/index.js': text,
    [`${place}/one.js`]: 'export const once = 1',
    'other/two.js': 'export const twice = 2',
  }
  const found = await keysIn({ files }, 'code-quality')
  expect(found.filter((key) => key.includes(`${place}/one.js`))).toEqual([])
  expect(found.includes('unused-file:other/two.js')).toBe(!text.includes('argv'))
})

test('an export is used where its file is taken as a whole or named without an import', async () => {
  const files = {
    'package.json': {},
    'index.js': one(
      "import * as all from './all.js'",
      "import * as some from './some.js'",
      'Object.values(all).map(some.used)',
      "start('plug.js')",
    ),
    'all.js': 'export const anyOne = 1',
    'some.js': 'export const used = 1\nexport const idle = 2',
    'plug.js': 'export const pluginsOfIt = 1',
  }
  expect(await keysIn({ files }, 'code-quality')).toEqual(['unused-export:some.js:idle'])
})

test('what tests start as a program or open in a browser counts as tested', async () => {
  const files = {
    'package.json': {},
    'run.test.js': one(
      "import 'playwright'",
      "spawn('bin/cli.js')",
      "new Worker(new URL('thread.js', import.meta.url))",
    ),
    'bin/cli.js': "import '../src/command.js'",
    'src/command.js': 'export const command = 1',
    'thread.js': 'export const thread = 1',
    'index.html': '<html lang="en"><script src="/src/page.js"></script></html>',
    'src/page.js': "export { shown } from './shown.js'",
    'src/shown.js': 'export const shown = 1',
    'src/left.js': 'export const left = 1',
  }
  expect(await keysIn({ files }, 'testing')).toEqual(['untested-file:src/left.js'])
})
