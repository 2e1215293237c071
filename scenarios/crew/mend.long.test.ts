// A crew with the engine mend: what a survey has found is added, put right, measured, merged and executed again.
import type { Receipt } from '@treadle/contracts/receipt'
import { expect, test } from 'vitest'
import { treadle } from '../kit/daemon.ts'
import { eventsOf, told, until, up, useShops } from '../kit/shop.ts'

const shop = useShops()
const text = (data: object) => `${JSON.stringify(data, null, 2)}\n`

const manifest = {
  name: 'shop',
  version: '1.0.0',
  private: true,
  type: 'module',
  scripts: { test: 'node --test' },
}
const root = { name: 'shop', version: '1.0.0' }
const FILES = {
  '.gitignore': '.treadle/\n.claude-sessions/\n',
  'package.json': text({ ...manifest, dependencies: { 'left-pad': '1.0.0' } }),
  'package-lock.json': text({
    ...root,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { ...root, dependencies: { 'left-pad': '1.0.0' } },
      'node_modules/deep': { version: '1.0.0' },
      'node_modules/left-pad': { version: '1.0.0', dependencies: { deep: '1' } },
    },
  }),
  'README.md': '# Shop\n\n```sh\nnpm run tests\n```\n',
  'src/price.js': [
    '/** What so many cost. */',
    'export function price(count) {',
    '  return count * 3',
    '}',
    '',
    '/** Nobody asks for it. */',
    'export function discount(count) {',
    '  return count - 1',
    '}',
    '',
  ].join('\n'),
  'src/old.js': 'export const before = 1\n',
  'src/price.test.js': [
    "import assert from 'node:assert/strict'",
    "import test from 'node:test'",
    "import { price } from './price.js'",
    "test('three each', () => assert.equal(price(2), 6))",
    '',
  ].join('\n'),
}

const KEYS = [
  'unused-dependency:left-pad',
  'unused-export:src/price.js:discount',
  'unused-file:src/old.js',
  'document-command:README.md:npm run tests',
] as const

test('what a survey finds is put right by mend, proven by its measure, merged by standing order and executed again', async () => {
  const workspace = shop({
    scripts: [],
    files: FILES,
    settings: { engines: { default: 'mend' }, tests: { command: 'node --test' } },
  })
  const daemon = await up(workspace, 1)
  for (const key of KEYS) await told(workspace, 'add', '--finding', key)
  const items = []
  for (const [at] of KEYS.entries()) items.push(await until(daemon, at + 1, 'done', 'escalated', 'backlog'))
  for (const item of items)
    expect(item).toMatchObject({
      state: 'done',
      engine: 'mend',
      approval: { kind: 'standing_order' },
      evidence: { level: 'proven', why: expect.stringContaining('exit code 1 before and 0 after') },
    })
  const show = (path: string) => workspace.git('show', `main:${path}`)
  expect(JSON.parse(show('package.json'))).toEqual(manifest)
  expect(JSON.parse(show('package-lock.json'))).toEqual({
    ...root,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root },
  })
  expect(show('README.md')).toContain('npm run test\n')
  expect(show('src/price.js')).not.toContain('discount')
  expect(workspace.git('ls-tree', '--name-only', 'main', 'src/')).not.toContain('old.js')
  const report = await told<{ findings: { key: string }[] }>(workspace, 'survey', '--all')
  expect(
    report.findings.map(({ key }) => key).filter((key) => (KEYS as readonly string[]).includes(key)),
  ).toEqual([])

  const commit = items[0]?.mergeCommit ?? ''
  const receipt = JSON.parse(workspace.git('notes', '--ref=treadle', 'show', commit)) as Receipt
  expect(receipt.predicate.measure).toMatchObject({
    command: `treadle survey dependency-management --finding '${KEYS[0]}'`,
    found: { is: 'improved', before: 1, after: 0 },
  })
  const verified = await treadle(workspace, ['verify', commit, '--json'])
  const { checks } = JSON.parse(verified.stdout) as { checks: { what: string; is: string; words: string }[] }
  expect(checks).toContainEqual({ what: 'measure', is: 'same', words: expect.stringContaining('left-pad') })
  expect(verified.code).toBe(0)
})

const WITH_YARN = { ...FILES, 'yarn.lock': '# yarn lockfile v1\n' }
const YARN = 'yarn.lock is written by another package manager than npm'

test('what mend cannot put right goes to the usual engine with what mend has found out, and is measured all the same', async () => {
  const fixed = { write: { file: 'package.json', text: text(manifest) } }
  const workspace = shop({
    scripts: [[[fixed]]],
    files: WITH_YARN,
    settings: { tests: { command: 'node --test' } },
  })
  const daemon = await up(workspace, 1)
  await told(workspace, 'add', '--finding', KEYS[0], '--engine', 'mend')
  expect(await until(daemon, 1, 'escalated', 'done')).toMatchObject({
    state: 'done',
    evidence: { level: 'proven' },
  })
  const events = await eventsOf(daemon, 1)
  const observed = events.flatMap(({ event }) => (event.type === 'run.observed' ? [event.observation] : []))
  expect(observed).toContainEqual(
    expect.objectContaining({ tool: 'plan', success: false, output: expect.stringContaining(YARN) }),
  )
})

test('where no other engine reads it, it waits for a person with the reason', async () => {
  const workspace = shop({
    scripts: [],
    files: WITH_YARN,
    settings: { engines: { default: 'mend' }, tests: { command: 'node --test' } },
  })
  const daemon = await up(workspace, 1)
  await told(workspace, 'add', '--finding', KEYS[0], '--engine', 'mend')
  const item = await until(daemon, 1, 'escalated', 'done')
  expect(item).toMatchObject({ state: 'escalated', needsHuman: true })
  expect(item.reason).toContain(YARN)
})
