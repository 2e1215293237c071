// A build of fourteen tasks, four deep, by three agents with the scripted engine, while the daemon and agents are
// killed: every task lands once, in an order in which it may, and one receipt that can be executed names them all.
import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskPhase } from '@treadle/contracts/specification'
import { isFullChaos } from '@treadle/requirements/seeds'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished } from 'vitest'
import { announcedDaemon, clearWorkspace, type Daemon, daemonLog, treadle } from '../kit/daemon.ts'
import { everythingIn, kill } from '../kit/processes.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'
import { until } from './await-build.ts'
import { type GivenTask, specify } from './spec-tasks.ts'

const AGENTS = 3
/** All of them by hand: `npm run chaos`. */
const KILLS = isFullChaos ? 20 : 5
/** A kill comes so much later after its task has landed than the one before. */
const STEP_MS = 370
const SPREAD_MS = 1_500
/** For what hangs. */
const PATIENCE_MS = 8 * 60_000

const FIRST = `import test from 'node:test'\ntest('nothing is built yet', () => {})\n`

interface Made {
  readonly task: GivenTask
  readonly text: string
}

const task = (nth: number, after: readonly number[], phase: TaskPhase): GivenTask => ({
  id: `T${nth}`,
  phase,
  file: `t${nth}.mjs`,
  dependsOn: after.map((each) => `T${each}`),
  validation: `node --check t${nth}.mjs`,
})

function made(): Made[] {
  const code = (nth: number, after: readonly number[], phase: TaskPhase): Made => ({
    task: task(nth, after, phase),
    text: [
      ...after.map((each) => `import { t${each} } from './t${each}.mjs'`),
      `export const t${nth} = () => ${['1', ...after.map((each) => `t${each}()`)].join(' + ')}`,
      '',
    ].join('\n'),
  })
  const check = (nth: number, of: number, value: number): Made => ({
    task: {
      ...task(nth, [of], 'tests'),
      file: `t${nth}.test.mjs`,
      validation: `node --test t${nth}.test.mjs`,
      expected: `t${of} is ${value}`,
    },
    text: [
      `import assert from 'node:assert'`,
      `import test from 'node:test'`,
      `import { t${of} } from './t${of}.mjs'`,
      `test('t${of} is ${value}', () => assert.equal(t${of}(), ${value}))`,
      '',
    ].join('\n'),
  })
  return [
    code(1, [], 'types'),
    code(2, [], 'types'),
    code(3, [], 'types'),
    code(4, [], 'types'),
    code(5, [1, 2], 'queries'),
    code(6, [2], 'queries'),
    code(7, [3, 4], 'queries'),
    code(8, [4], 'queries'),
    code(9, [5, 6], 'api'),
    code(10, [7], 'api'),
    code(11, [6, 8], 'api'),
    check(12, 9, 6),
    check(13, 10, 4),
    check(14, 11, 5),
  ]
}

/** What the engine writes: the file of each task, and nothing else. */
function scenarioOf(tasks: readonly Made[]): string {
  const items = tasks.map(({ task: { id, file }, text }) => ({
    match: { title: `${id}: *` },
    attempts: [[{ write: { file, text } }, { say: { text: `${file} is written.` } }]],
  }))
  return JSON.stringify({ version: 1, items, otherwise: { attempts: [[{ lie: { text: 'Done.' } }]] } })
}

/** Whoever starts it gives up sooner than a busy machine; asked again, it says where the daemon is. */
const UP_TRIES = 3

async function up(workspace: Workspace): Promise<Daemon> {
  const args = ['up', '--detach', '--json', '--agents', String(AGENTS)]
  for (let nth = 1; ; nth += 1) {
    const started = await treadle(workspace, args)
    if (started.code === 0) return announcedDaemon(workspace, started.stdout)
    if (nth === UP_TRIES) throw new Error(`${started.stderr}\n${daemonLog(workspace)}`)
  }
}

verifies(
  ['AGENT-ROUTING-4', 'AGENT-BUILD-33', 'AGENT-BUILD-50'],
  'fourteen tasks, four deep, by three agents and through kills: each lands once and in order, and one receipt holds',
  async () => {
    const tasks = made()
    const slug = 'fourteen'
    const workspace = makeWorkspace({
      settings: {
        tests: { command: 'node --test' },
        limits: { sweepMs: 500, pollMs: 500 },
        engines: { default: 'scripted', scripted: { scenario: 'scenario.json' } },
      } as never,
      files: { 'first.test.mjs': FIRST, 'scenario.json': scenarioOf(tasks) },
    })
    onTestFinished(() => clearWorkspace(workspace))
    let daemon = await up(workspace)
    const { revision } = await specify(
      { client: daemon.client, workspace },
      slug,
      tasks.map((each) => each.task),
    )
    await daemon.client.approveSpecification({ params: { id: slug }, body: { by: 'ada', revision } })
    // Spread over the build as its tasks land, and over what is done in between: the daemon or an agent in turn.
    for (let nth = 0; nth < KILLS; nth += 1) {
      await until(
        () => daemon.client,
        slug,
        ({ counts }) => counts.complete >= Math.floor((nth * (tasks.length - 2)) / KILLS),
      )
      await sleep((nth * STEP_MS) % SPREAD_MS)
      if (nth % 2 === 0) {
        kill(daemon.pid)
        daemon = await up(workspace)
      } else {
        const agents = everythingIn(workspace).filter((pid) => pid !== daemon.pid)
        const [victim] = agents
        if (victim !== undefined) kill(victim)
      }
    }
    const built = await until(
      () => daemon.client,
      slug,
      ({ deliveryState }) => deliveryState === 'in_review' || deliveryState === 'escalated',
    )
    expect(built.tasks.map(({ id, status, why }) => [id, status, why])).toEqual(
      tasks.map((each) => [each.task.id, 'complete', null]),
    )
    const number = built.delivery ?? 0
    const params = { projectNumber: 1, issueNumber: number }
    await until(
      () => daemon.client,
      slug,
      ({ deliveryState }) => deliveryState === 'in_review',
    )
    await daemon.client.approveItem({ params, body: { by: 'ada' } })
    const done = await until(
      () => daemon.client,
      slug,
      ({ status }) => status === 'completed',
    )
    expect(done.finalValidation?.map(({ gate }) => gate)).toContain('tests_pass')
    expect(done.finalValidation?.filter(({ is }) => is === 'failed' || is === 'not_run')).toEqual([])

    // Once each, after what it waits for.
    const log = workspace
      .git('log', '--first-parent', '--reverse', '--format=%s', `main..${done.branch}`)
      .split('\n')
    const order = log.flatMap((line) => /^Merge #\d+: (T\d+): /.exec(line)?.[1] ?? [])
    expect(order.toSorted()).toEqual(tasks.map((each) => each.task.id).toSorted())
    for (const { task: each } of tasks)
      for (const before of each.dependsOn ?? [])
        expect(order.indexOf(before)).toBeLessThan(order.indexOf(each.id))
    expect(new Set(done.commits).size).toBe(tasks.length)

    const { receipt } = await daemon.client.showReceipt({ params })
    expect(receipt?.predicate.build).toMatchObject({ spec: slug, revision, exact: true, branch: done.branch })
    expect(receipt?.predicate.build?.tasks.map(({ task: id, is }) => [id, is])).toEqual(
      tasks.map((each) => [each.task.id, 'complete']),
    )
    const verified = await treadle(workspace, ['verify', done.mergeCommit ?? '', '--json'])
    const told = JSON.parse(verified.stdout)
    expect(told.checks.filter((check: { is: string }) => check.is === 'differs')).toEqual([])
    expect(told.checks.filter((check: { what: string; is: string }) => check.what === 'build')).toHaveLength(
      15,
    )
    // The key of a fresh workspace is taken on trust; nothing else is left open.
    expect(told.checks.filter((check: { is: string }) => check.is === 'missing')).toEqual([])
    expect(told.verdict).toBe('yes')
  },
  { timeout: 2 * PATIENCE_MS },
)
