// Tasks whose checks never end, print without end, or want what is not there: a real agent, and a build that says so.
import type { BuildView } from '@treadle/contracts/build'
import { expect, onTestFinished, test } from 'vitest'
import { announcedDaemon, clearWorkspace, daemonLog, treadle } from '../kit/daemon.ts'
import { everythingIn } from '../kit/processes.ts'
import { makeWorkspace } from '../kit/workspace.ts'
import { until } from './await-build.ts'
import { type GivenTask, specify } from './spec-tasks.ts'

const GREEN = `import test from 'node:test'\ntest('nothing is built yet', () => {})\n`
/** More than is kept of an output. */
const PRINTED = 120_000_000
const CHECK_MS = 12_000
const PATIENCE_MS = 8 * 60_000

const TASKS: readonly GivenTask[] = [
  { id: 'T1', file: 'hangs.txt', validation: 'sleep 3600 & wait' },
  { id: 'T2', file: 'prints.txt', validation: `yes | head -c ${PRINTED}` },
  { id: 'T3', file: 'tool.txt', validation: 'no-such-tool --check tool.txt' },
  { id: 'T4', file: 'after.txt', dependsOn: ['T1'], validation: 'test -s after.txt' },
]

test('a check that hangs is ended, one that prints more than is kept is read to its end, one without its tool says which, and the rest goes on', {
  timeout: 2 * PATIENCE_MS,
}, async () => {
  const items = TASKS.map(({ id, file }) => ({
    match: { title: `${id}: *` },
    attempts: [[{ write: { file, text: `${id}\n` } }, { say: { text: `${file} is written.` } }]],
  }))
  const otherwise = { attempts: [[{ lie: { text: 'Done.' } }]] }
  const workspace = makeWorkspace({
    settings: {
      tests: { command: 'node --test', timeoutMs: CHECK_MS },
      limits: { sweepMs: 500, pollMs: 500, improvements: 1 },
      engines: { default: 'scripted', scripted: { scenario: 'scenario.json' } },
    } as never,
    files: {
      'first.test.mjs': GREEN,
      'scenario.json': JSON.stringify({ version: 1, items, otherwise }),
    },
  })
  onTestFinished(() => clearWorkspace(workspace))
  const started = await treadle(workspace, ['up', '--detach', '--json', '--agents', '2'])
  if (started.code !== 0) throw new Error(`${started.stderr}\n${daemonLog(workspace)}`)
  const { client } = await announcedDaemon(workspace, started.stdout)
  const { revision } = await specify({ client, workspace }, 'bad-checks', TASKS)
  await client.approveSpecification({ params: { id: 'bad-checks' }, body: { by: 'ada', revision } })
  const isSettled = ({ counts }: BuildView) => counts.complete === 1 && counts.skipped + counts.failed === 3
  const build = await until(() => client, 'bad-checks', isSettled)
  const of = (id: string) => build.tasks.find((task) => task.id === id)
  const errorOf = (id: string) => build.failures.findLast(({ task }) => task === id)?.error ?? ''

  expect(of('T1')).toMatchObject({ status: 'skipped', why: 'Validation failed after 2 attempts' })
  expect(errorOf('T1')).toContain(`did not end within ${CHECK_MS} ms`)
  expect(everythingIn(workspace).length).toBeLessThan(20)
  expect(of('T2')).toMatchObject({ status: 'complete', why: null })
  expect(of('T3')).toMatchObject({
    status: 'failed',
    why: 'no-such-tool is not installed here, and the check of the task needs it',
  })
  expect(errorOf('T3')).toMatch(/no-such-tool.*not found/)
  expect(of('T4')).toMatchObject({ status: 'skipped', why: 'it waits for T1, which is skipped' })

  // What was printed is kept by its two ends, with how much it was.
  const { runs } = await client.showItem({
    params: { projectNumber: 1, issueNumber: of('T2')?.number ?? 0 },
  })
  const evidence = runs
    .flatMap(({ gates }) => gates)
    .flatMap((gate) => ('evidence' in gate ? [gate.evidence] : []))
  const printed = evidence.find(({ command }) => command.startsWith('yes'))
  expect(printed?.printedBytes).toBe(PRINTED)
  expect(printed?.outputBytes).toBeLessThan(PRINTED)
  const shown = await treadle(workspace, ['build', 'show', 'bad-checks'])
  expect(shown.stdout).toMatch(
    /What failed:\n(.*\n)* {2}T3 \(treadle show \d+ has all of it\)\n(.*\n)*.*no-such-tool: not found/,
  )
  expect(shown.stdout).toContain(`treadle build retry bad-checks T3`)
  await treadle(workspace, ['down'])
})
