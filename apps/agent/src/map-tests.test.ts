import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Config } from '@treadle/contracts/config'
import { TEST_PATH } from '@treadle/engines/testing/native'
import { sampleItem } from '@treadle/flow/work/testing/sample'
import { openGates } from '@treadle/gates/gates'
import { unconfined } from '@treadle/gates/run-command'
import { expect, onTestFinished, test } from 'vitest'
import { mapTests } from './map-tests.ts'

const FILES = {
  'package.json': '{ "type": "module" }\n',
  'src/two.js': 'export const used = () => 1\nexport const idle = () => 2\n',
  'test/two.test.js':
    "import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { used } from '../src/two.js'\n" +
    "test('used', () => assert.equal(used(), 1))\n",
}

function setUp(trace: boolean) {
  const root = mkdtempSync(join(tmpdir(), 'treadle-map-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const worktree = join(root, 'worktree')
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(worktree, dirname(path)), { recursive: true })
    writeFileSync(join(worktree, path), text)
  }
  const gates = openGates({
    evidenceDir: join(root, 'evidence'),
    env: { PATH: TEST_PATH },
    tailBytes: 1_000,
    surroundings: unconfined('test'),
    trace,
  })
  const said: string[] = []
  const world = {
    gates,
    config: Config.parse({}),
    testCommand: 'node --test',
    log: (text: string) => said.push(text),
  }
  const map = (attempts: number) =>
    mapTests(world, {
      item: sampleItem({ attempts }),
      worktree,
      signal: AbortSignal.timeout(60_000),
    })
  return { maps: join(root, 'maps'), map, said, world, worktree }
}

test('a delivery after an improvement leaves a map with what each test did not run; one that held at once, none', async () => {
  const { maps, map, said } = setUp(true)
  await map(1)
  expect(existsSync(maps)).toBe(false)
  await map(2)
  const [name = ''] = readdirSync(maps)
  const { runner, tests } = JSON.parse(readFileSync(join(maps, name), 'utf8')) as {
    runner: string
    tests: Record<string, { loads: Record<string, number[]> }>
  }
  expect(runner).toBe('node')
  expect(tests['test/two.test.js']?.loads['src/two.js']).toEqual([1])
  expect(said).toEqual([])
})

test('where tests may not be run once more, nothing is mapped; what breaks is told and holds nobody up', async () => {
  const { maps, map, said, world, worktree } = setUp(false)
  await map(2)
  expect(existsSync(maps)).toBe(false)
  const gates = { ...world.gates, mapTests: () => Promise.reject(new Error('the disk is full')) }
  const item = sampleItem({ attempts: 2 })
  await mapTests({ ...world, gates }, { item, worktree, signal: AbortSignal.timeout(60_000) })
  expect(said).toEqual(['the tests were not mapped: the disk is full'])
})
