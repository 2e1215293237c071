// What each test runs is recorded once an item needed an improvement, so that the next one runs fewer tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addRepair, type Step, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
const functionOf = (name: string, value: number) => `export const ${name} = () => ${value}\n`
const testOf = (name: string, value: number) =>
  `import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { ${name} } from '../src/${name}.js'\n` +
  `test('${name}', () => assert.equal(${name}(), ${value}))\n`
const change = (name: string, from: number, to: number): Step => ({
  edit: { file: `src/${name}.js`, find: `=> ${from}`, replace: `=> ${to}` },
})

interface TestMap {
  readonly runner: string
  readonly tests: Readonly<Record<string, { readonly loads: Readonly<Record<string, number[] | null>> }>>
}

test('a delivery that took two attempts leaves a map of the tests; one that held at once leaves none', async () => {
  const workspace = shop({
    scripts: [[[change('one', 0, 1)]], [[change('two', 0, 3)], [change('two', 3, 2)]]],
    right: [1, 2],
    files: {
      'package.json': '{ "type": "module" }\n',
      'src/one.js': functionOf('one', 0),
      'src/two.js': functionOf('two', 0),
      'test/one.test.js': testOf('one', 1),
      'test/two.test.js': testOf('two', 2),
    },
  })
  const maps = join(workspace.root, '.treadle/maps')
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1, { testCommand: 'node --test test/one.test.js' })
  await until(daemon, 1, 'done')
  await addRepair(daemon, 2, { testCommand: 'node --test' })
  // The agent has the second item in hand, so it is done with the first.
  await until(daemon, 2, 'building', 'verifying', 'improving', 'in_review', 'merging', 'done')
  expect(existsSync(maps)).toBe(false)
  await until(daemon, 2, 'done')
  const name = await eventually('a map', () =>
    existsSync(maps) ? readdirSync(maps).find((each) => /^map-\w+\.json$/.test(each)) : undefined,
  )
  const map = JSON.parse(readFileSync(join(maps, name), 'utf8')) as TestMap
  expect(map.runner).toBe('node')
  const loaded = Object.entries(map.tests).map(([file, { loads }]) => [file, Object.keys(loads).sort()])
  expect(loaded).toEqual([
    ['test/one.test.js', expect.arrayContaining(['src/one.js'])],
    ['test/two.test.js', expect.arrayContaining(['src/two.js'])],
  ])
})
