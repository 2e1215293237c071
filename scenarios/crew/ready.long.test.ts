// The world is ready before anybody is asked: what is missing is told once for the crew, and no item is spent on it.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Daemon, stopDaemon, treadle } from '../kit/daemon.ts'
import { readOrEmpty } from '../kit/processes.ts'
import { addRepair, allEvents, eventsOf, itemNumber, repair, told, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
const sharedShop = useShops('file')
const merge = { approval: 'checks', target: 'main' } as const

const tests = { command: 'sh test.sh', readiness: 'auto' } as const

let opened: Promise<Daemon> | undefined
/** One crew for the first tests, which run in their order; its set-up fails until the first of them has mended it. */
function crew(): Promise<Daemon> {
  const setupCommand = 'echo "registry: no such package left@9"; exit 3'
  const scripts = [1, 2, 3, 4, 5].map((n) => [[repair(n)]])
  opened ??= up(sharedShop({ scripts, settings: { merge, tests: { ...tests, setupCommand } } }), 2)
  return opened
}

/** Other settings of the tests, and nothing else changed. */
async function testsAre({ client, workspace }: Daemon, given: object): Promise<void> {
  const { engines, limits } = (await client.workspace()).config
  workspace.setConfig({ merge, tests: given, engines, limits })
}

test('a set-up that fails is told once for two items, and mended by the settings', async () => {
  const daemon = await crew()
  const { workspace } = daemon
  for (const n of [1, 2]) await addRepair(daemon, n)
  const found = await eventually('it is not ready', async () => {
    const readiness = await daemon.client.readiness()
    return readiness.found?.is === 'not_ready' && readiness.checking === null ? readiness.found : undefined
  })
  expect(found.trouble).toMatchObject({
    kind: 'install_failed',
    setting: 'tests.setupCommand',
    lines: 'registry: no such package left@9',
  })
  for (const n of [1, 2])
    expect(await itemNumber(daemon, n)).toMatchObject({ state: 'todo', attempts: 0, runId: null })
  const status = await treadle(workspace, ['status'])
  expect(status.stdout).toContain('No new item is claimed: The tests cannot be run')
  expect(status.stdout).toContain('failed with exit code 3')
  expect(status.stdout).toContain('registry: no such package left@9')
  expect(status.stdout).toContain('tests.setupCommand')
  const again = await treadle(workspace, ['ready', '--again'])
  expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining('failed with exit code 3') })
  const types = (await allEvents(daemon)).map(({ event }) => event.type)
  expect(types.filter((type) => type === 'environment.not_ready')).toHaveLength(2)
  expect(types.filter((type) => type === 'claim.taken')).toEqual([])
  const { items: notices } = await daemon.client.listNotifications({ query: { limit: 100 } })
  expect(notices.filter(({ type }) => type === 'environment.not_ready')).toHaveLength(1)

  await testsAre(daemon, { ...tests, setupCommand: 'true' })
  for (const n of [1, 2]) await until(daemon, n, 'done')
  expect(await told(workspace, 'ready')).toMatchObject({
    found: { is: 'ready', baseline: { command: 'sh test.sh', passed: 0, failed: 5 } },
  })
})

test('a test command of one item that needs a tool ends that item, before an engine is asked', async () => {
  const daemon = await crew()
  await addRepair(daemon, 3, { testCommand: 'no-such-runner src' })
  await addRepair(daemon, 4)
  const item = await until(daemon, 3, 'escalated')
  expect(item.reason).toContain('needs no-such-runner, which is not there')
  const phases = (await eventsOf(daemon, 3)).flatMap(({ event }) =>
    event.type === 'run.phase' ? [event.record.phase] : [],
  )
  expect(phases.filter((phase) => phase !== 'escalation')).toEqual([])
  await until(daemon, 4, 'done')
})

test('a repository without tests is no fault: it is said once, and its items are unproven', async () => {
  const daemon = await crew()
  await testsAre(daemon, { readiness: 'auto' })
  await eventually('no command', async () =>
    (await daemon.client.workspace()).config.tests.command === null ? true : undefined,
  )
  await addRepair(daemon, 5, { testCommand: null })
  const item = await until(daemon, 5, 'in_review', 'done', 'escalated')
  expect(item).toMatchObject({ state: 'in_review' })
  const told = (await allEvents(daemon)).filter(({ event }) => event.type === 'environment.untested')
  expect(told).toHaveLength(1)
  await stopDaemon(daemon)
})

test('a target that does not compile holds everything until it moves', async () => {
  const broken = 'echo "src/a.ts(1,1): error TS1005: \';\' expected."; exit 2\n'
  const workspace = shop({
    scripts: [[[repair(1)]]],
    settings: { merge, tests: { ...tests, command: 'sh compile.sh && sh test.sh' } },
    files: { 'compile.sh': broken },
  })
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  const compiles = async () => (await daemon.client.readiness()).found?.is
  await eventually('it does not compile', async () => (await compiles()) === 'not_ready' || undefined)
  expect(await itemNumber(daemon, 1)).toMatchObject({ state: 'todo' })
  workspace.write('compile.sh', 'true\n')
  workspace.git('commit', '--quiet', '--all', '--message', 'compiles')
  await until(daemon, 1, 'done')
  expect(await compiles()).toBe('ready')
})

test('packages come from one install, a build is made before tests that need it, and each step is told', async () => {
  const lib = { name: 'left', version: '1.0.0', main: 'index.js' }
  const scripts = {
    build: 'mkdir -p build && cp src/sum.js build/',
    pretest: 'npm run build',
    test: 'node --test',
  }
  const manifest = { name: 'p', version: '1.0.0', scripts, dependencies: { left: 'file:vendored/left' } }
  const sum = "module.exports = (a, b) => require('left')(a - b)\n"
  const workspace = shop({
    scripts: [[[{ edit: { file: 'src/sum.js', find: 'a - b', replace: 'a + b' } }]]],
    settings: { merge, tests: { readiness: 'auto', setupCommand: 'npm ci' } },
    files: {
      '.gitignore': 'node_modules\nbuild\n',
      'package.json': JSON.stringify(manifest),
      'vendored/left/package.json': JSON.stringify(lib),
      'vendored/left/index.js': 'module.exports = (x) => x\n',
      'src/sum.js': sum,
      'test/sum.test.js':
        "const { test } = require('node:test')\ntest('adds', () => require('node:assert').equal(require('../build/sum.js')(2, 3), 5))\ntest('is', () => undefined)\n",
    },
  })
  execFileSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], { cwd: workspace.root })
  workspace.git('add', '--all')
  workspace.git('commit', '--quiet', '--message', 'lock file')
  const daemon = await up(workspace, 1)
  // Its own command does not go by the script, and would run what was built before the change.
  await daemon.client.addItem({ body: { title: 'Add', testCommand: 'node --test test/sum.test.js' } })
  // Many starts of npm, each of which takes its time on a busy machine.
  const ended = ['done', 'rework', 'escalated', 'conflicted']
  const item = await eventually(
    'the item ends',
    async () => {
      const now = await itemNumber(daemon, 1)
      return ended.includes(now.state) ? now : undefined
    },
    400_000,
  ).catch(() => itemNumber(daemon, 1))
  expect(item, item.reason ?? '').toMatchObject({ state: 'done' })
  expect(workspace.git('show', 'main:src/sum.js')).toContain('a + b')
  const events = await allEvents(daemon)
  const steps = events.flatMap(({ event }) => {
    if (event.type === 'environment.step') return [event.step]
    return event.type === 'run.preparing' ? [`item: ${event.progress.step}`] : []
  })
  expect(steps.filter((step, at) => steps.indexOf(step) === at)).toEqual([
    'installing',
    'testing',
    'item: installing',
    'item: testing',
  ])
  expect(readdirSync(workspace.paths.packages)).toHaveLength(1)
  const logs = readdirSync(workspace.paths.logs).map((name) => readOrEmpty(join(workspace.paths.logs, name)))
  expect(logs.join('\n')).toMatch(/packages: \d+ files by (?:clone|link) in \d+ ms instead of npm ci/)
}, 600_000)
