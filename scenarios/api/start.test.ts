import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, type TestContext, test } from 'vitest'
import { cleanEnv } from '../env.ts'
import {
  DRIVERS,
  type Ended,
  type Place,
  startDaemon,
  stopDaemon,
  treadle,
  useDaemon,
  usePlaces,
} from '../kit/daemon.ts'
import { listenFrom } from '../kit/event-stream.ts'
import { begin, itemOf, SOME_COMMIT, say } from '../kit/hand-agent.ts'
import { isAlive, kill, waitGone } from '../kit/processes.ts'
import { eventually } from '../kit/wait.ts'

const DAEMON_MAIN = fileURLToPath(new URL('../../apps/daemon/src/main.ts', import.meta.url))
const START_MS_MAX = 60_000

/** Starts the daemon's program itself, and reads how it ends. */
async function runDaemon({ workspace, databaseUrl }: Place): Promise<Ended> {
  const added = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, [DAEMON_MAIN, '--workspace', workspace.root], {
    cwd: workspace.root,
    env: cleanEnv(workspace.home, added),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: START_MS_MAX,
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: child.exitCode, stdout, stderr }
}

describe.each(DRIVERS)('a daemon on the %s database', (driver) => {
  const place = usePlaces(driver)
  let shared: Promise<Place> | undefined
  const here = (context: TestContext) => {
    shared ??= place(context)
    return shared
  }

  test('gives way to the one that has the workspace, and names it', async (context) => {
    const at = await here(context)
    const first = await startDaemon(at.workspace, at.databaseUrl)
    const announced = readFileSync(at.workspace.paths.daemon, 'utf8')
    const second = await runDaemon(at)
    expect(second.code).toBe(3)
    expect(second.stderr).toContain(first.url)
    expect(second.stderr).toContain(String(first.pid))
    expect(second.stderr).not.toMatch(/^\s+at /m)
    expect(readFileSync(at.workspace.paths.daemon, 'utf8')).toBe(announced)
    expect(await first.client.health()).toMatchObject({ ok: true, pid: first.pid })
    const again = await startDaemon(at.workspace, at.databaseUrl)
    expect([again.pid, again.url]).toEqual([first.pid, first.url])
  })

  test('starts where something is in the way of the session files, and says so', async (context) => {
    const at = await here(context)
    await stopDaemon(await startDaemon(at.workspace, at.databaseUrl))
    const { sessions, logs } = at.workspace.paths
    rmSync(sessions, { recursive: true })
    writeFileSync(sessions, 'in the way\n')
    const daemon = await startDaemon(at.workspace, at.databaseUrl)
    expect(await daemon.client.health()).toMatchObject({ ok: true })
    expect(readFileSync(`${logs}/daemon.log`, 'utf8')).toContain('session files cannot be written there')
    rmSync(sessions)
  })

  test('comes back after kill -9 with everything that was answered, at the same address', async (context) => {
    const at = await here(context)
    const first = await startDaemon(at.workspace, at.databaseUrl)
    const work = await begin(first, { title: 'Before the kill' })
    await say(work, { type: 'build.started', branch: 'agent-1/project-1', base: SOME_COMMIT })
    const listener = await listenFrom(first)
    await eventually('the events', () => listener.heard.find(({ event }) => event.type === 'build.started'))
    kill(first.pid)
    await waitGone(first.pid)
    const second = await startDaemon(at.workspace, at.databaseUrl)
    expect(second.pid).not.toBe(first.pid)
    expect([second.url, second.token]).toEqual([first.url, first.token])
    expect(await itemOf({ ...work, client: second.client })).toMatchObject({
      title: 'Before the kill',
      state: 'building',
      claimedByAgentId: 'agent-1',
      fence: work.claim.fence,
    })
    const typesSince = async () => {
      const { items } = await second.client.events({ query: { after: listener.cursor() } })
      return items.map(({ event }) => event.type)
    }
    await expect.poll(typesSince, { timeout: 60_000 }).toEqual(['daemon.started', 'order.given'])
    const told = await say({ ...work, client: second.client }, { type: 'claim.released', why: 'enough' })
    expect(told).toEqual({ is: 'advanced', state: 'backlog' })
  })
})

describe('a running daemon', () => {
  const open = useDaemon('embedded')

  test('takes on changed settings of the editor by itself', async (context) => {
    const daemon = await open(context)
    const { workspace } = daemon
    workspace.write('.vscode/settings.json', '{"claudeProjects.agents.maxConcurrent": 3}')
    await eventually('maxConcurrent 3', async () =>
      (await daemon.client.workspace()).config.agents.maxConcurrent === 3 ? true : undefined,
    )
    rmSync(workspace.paths.vscode)
  })

  test('takes on a changed treadle.json by itself, and says what it could not use', async (context) => {
    const daemon = await open(context)
    const { workspace } = daemon
    const read = () => daemon.client.workspace()
    for (const maxConcurrent of [2, 3]) {
      workspace.setConfig({ agents: { maxConcurrent } })
      await eventually(`maxConcurrent ${maxConcurrent}`, async () =>
        (await read()).config.agents.maxConcurrent === maxConcurrent ? true : undefined,
      )
    }
    const warned = (given: unknown) => {
      workspace.setConfig(given)
      return eventually('warnings', async () => {
        const now = await read()
        return now.warnings.length > 0 ? now : undefined
      })
    }
    const many = await warned({
      agents: { maxConcurrent: 25, dailyBudgetUSD: -5, enabledCategories: ['nonsense'] },
      limits: { improvements: 'many', sweepMs: 900 },
      merge: { approval: 'always' },
      surprise: 1,
    })
    expect(many.config).toMatchObject({
      agents: { maxConcurrent: 10, dailyBudgetUSD: 50, enabledCategories: [] },
      limits: { improvements: 3, sweepMs: 900 },
      merge: { approval: 'human' },
    })
    const wanted = [
      /^agents\.maxConcurrent: 25 .*10 is used/,
      /^agents\.enabledCategories: "nonsense" .*left out/,
      /^limits\.improvements: "many" .*(default .* is used|left out)/,
      /^merge\.approval: "always" .*(default .* is used|left out)/,
      /^surprise: 1 .*(default .* is used|left out)/,
    ]
    for (const sentence of wanted)
      expect(
        many.warnings.filter((warning) => sentence.test(warning)),
        String(sentence),
      ).toHaveLength(1)
    expect(many.warnings).toHaveLength(wanted.length)
    expect(many.errors).toEqual([expect.stringMatching(/^agents\.dailyBudgetUSD: -5 .*default 50 is used/)])
    workspace.setConfig({ tests: { command: 'make check' }, merge: { target: 'release' } })
    await eventually('the new test command and target', async () => {
      const { testCommand, target } = await read()
      return testCommand === 'make check' && target === 'release' ? true : undefined
    })
  })

  test('outlives a treadle.json that is broken, replaced, gone or no file at all', async (context) => {
    const daemon = await open(context)
    const { workspace } = daemon
    const max = (wanted: number) =>
      eventually(`maxConcurrent ${wanted}`, async () => {
        const now = await daemon.client.workspace()
        return now.config.agents.maxConcurrent === wanted ? now : undefined
      })
    workspace.setConfig({ agents: { maxConcurrent: 5 } })
    expect((await max(5)).warnings).toEqual([])
    workspace.write('treadle.json', '{ "agents": ')
    const damaged = await eventually('a warning', async () => {
      const now = await daemon.client.workspace()
      return now.warnings.length > 0 ? now : undefined
    })
    // Defaults would be another engine and another budget for a crew at work.
    expect(damaged.config.agents.maxConcurrent).toBe(5)
    expect(damaged.warnings).toEqual([
      'treadle.json is not a JSON object: what it said before stays in force',
    ])
    workspace.write('treadle.new', '{ "agents": { "maxConcurrent": 6 } }')
    renameSync(`${workspace.root}/treadle.new`, workspace.paths.config)
    expect((await max(6)).warnings).toEqual([])
    rmSync(workspace.paths.config, { recursive: true })
    expect((await max(1)).warnings).toEqual([])
    workspace.setConfig({ agents: { maxConcurrent: 7 } })
    await max(7)
    rmSync(workspace.paths.config, { recursive: true })
    workspace.write('treadle.json/inside', 'a folder')
    const odd = await eventually('a warning', async () => {
      const now = await daemon.client.workspace()
      return now.warnings.length > 0 ? now : undefined
    })
    expect(odd.warnings.join()).toContain('treadle.json')
    rmSync(workspace.paths.config, { recursive: true })
    workspace.setConfig({ agents: { maxConcurrent: 8 } })
    expect((await max(8)).warnings).toEqual([])
    expect(isAlive(daemon.pid)).toBe(true)
  })

  test('ends in good order when asked, by signal as by command, and leaves nothing behind', async (context) => {
    const first = await open(context)
    const { workspace } = first
    process.kill(first.pid, 'SIGTERM')
    await waitGone(first.pid)
    expect(existsSync(workspace.paths.daemon)).toBe(false)
    const second = await startDaemon(workspace)
    const down = await treadle(workspace, ['down', '--json'])
    expect(JSON.parse(down.stdout)).toMatchObject({ stopped: true, pid: second.pid })
    expect(isAlive(second.pid)).toBe(false)
    workspace.git('checkout', '--quiet', 'treadle.json')
    expect(workspace.git('status', '--porcelain')).toBe('')
  })
})
