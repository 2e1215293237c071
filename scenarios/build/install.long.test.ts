// A package that a task lacks: the agent installs it from the registry of the lock file, and the engine is not asked to.
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished } from 'vitest'
import { announcedDaemon, clearWorkspace, daemonLog, treadle } from '../kit/daemon.ts'
import { makeWorkspace } from '../kit/workspace.ts'
import { until } from './await-build.ts'
import { projectOf, startRegistry } from './registry.ts'
import { type GivenTask, specify } from './spec-tasks.ts'

const PATIENCE_MS = 8 * 60_000
const GREEN = `import test from 'node:test'\ntest('nothing is built yet', () => {})\n`

/** Its code asks for a package that nobody has installed, and its check runs it. */
const asking = (id: string, name: string): GivenTask & { readonly text: string } => ({
  id,
  file: `${name}.mjs`,
  validation: `node ${name}.mjs`,
  expected: `has ${name}`,
  text: `import name from '${name}'\nconsole.log('has', name)\n`,
})
const TASKS = [asking('T1', 'left-pad'), asking('T2', 'right-pad')]

verifies(
  ['AGENT-BUILD-21', 'AGENT-BUILD-35', 'AGENT-BUILD-36'],
  'a missing package is installed before the next attempt, which begins where the failed one did; one that needs what is too young itself is not',
  async () => {
    const ages = { 'mid-pad': 500, 'left-pad': 400, 'right-pad': 400, 'young-pad': 2 }
    const registry = await startRegistry(ages, { 'right-pad': ['young-pad'] })
    onTestFinished(() => registry.close())
    const items = TASKS.map(({ id, file, text }) => ({
      match: { title: `${id}: *` },
      attempts: [[{ write: { file, text } }, { say: { text: `${file} is written.` } }]],
    }))
    const workspace = makeWorkspace({
      settings: {
        tests: { command: 'node --test', setupCommand: 'npm ci --no-audit --no-fund' },
        limits: { sweepMs: 500, pollMs: 500, improvements: 1 },
        engines: { default: 'scripted', scripted: { scenario: 'scenario.json' } },
      } as never,
      files: {
        ...projectOf(registry.url, 'mid-pad'),
        // Whoever may write here must not name another registry.
        '.npmrc': 'registry=http://127.0.0.1:9/\n',
        '.gitignore': 'node_modules/\n',
        'first.test.mjs': GREEN,
        'scenario.json': JSON.stringify({ version: 1, items, otherwise: { attempts: [[]] } }),
      },
    })
    onTestFinished(() => clearWorkspace(workspace))
    const started = await treadle(workspace, ['up', '--detach', '--json', '--agents', '2'])
    if (started.code !== 0) throw new Error(`${started.stderr}\n${daemonLog(workspace)}`)
    const { client } = await announcedDaemon(workspace, started.stdout)
    const given = TASKS.map(({ text: _, ...task }) => task)
    const { revision } = await specify({ client, workspace }, 'missing', given)
    await client.approveSpecification({ params: { id: 'missing' }, body: { by: 'ada', revision } })
    const build = await until(
      () => client,
      'missing',
      ({ counts }) => counts.complete === 1 && counts.failed === 1,
    )
    const decided = (id: string) =>
      build.failures.filter(({ task }) => task === id).map(({ decision }) => decision)

    expect(decided('T1')).toEqual(['INSTALL_AND_RETRY'])
    expect(build.tasks.find(({ id }) => id === 'T1')).toMatchObject({ status: 'complete', attempts: 2 })
    const landed = (file: string) => JSON.parse(workspace.git('show', `build/missing:${file}`))
    expect(landed('package.json').dependencies).toEqual({ 'mid-pad': '1.0.0', 'left-pad': '1.0.0' })
    expect(landed('package-lock.json').packages['node_modules/left-pad']).toMatchObject({
      version: '1.0.0',
      resolved: `${registry.url}/left-pad/-/left-pad-1.0.0.tgz`,
    })

    expect(decided('T2')).toEqual(['INSTALL_AND_RETRY', 'ESCALATE'])
    const t2 = build.tasks.find(({ id }) => id === 'T2')
    expect(t2?.why).toMatch(/right-pad 1\.0\.0 could not be installed/)
    expect(build.failures.findLast(({ task }) => task === 'T2')?.error).toMatch(/young-pad/)

    // What a failed attempt wrote is kept beside, and gone from where the next one begins.
    const { runId } = build.failures.find(({ task }) => task === 'T2') ?? {}
    const filesAt = (name: string) =>
      workspace.git('ls-tree', '--name-only', `refs/treadle/runs/${runId}/${name}`).split('\n')
    expect(filesAt('0-start')).not.toContain('right-pad.mjs')
    expect(filesAt('given-up')).toContain('right-pad.mjs')
    const failed = await client.showRun({ params: { id: runId ?? '' } })
    expect(failed.history.at(-1)).toMatchObject({
      phase: 'escalation',
      checkpoint: workspace.git('rev-parse', `refs/treadle/runs/${runId}/0-start`),
    })
    await treadle(workspace, ['down'])
  },
  { timeout: 2 * PATIENCE_MS },
)
