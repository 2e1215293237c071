// An error that nobody caught, in the daemon and in an agent: it is recorded, the work is kept, and the next start goes on.
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { cleanEnv } from '../env.ts'
import { untilAgent } from '../kit/agents.ts'
import { announcedDaemon, type Daemon, treadle } from '../kit/daemon.ts'
import { waitGone } from '../kit/processes.ts'
import {
  addRepair,
  allEvents,
  letGo,
  mergedOnMain,
  session,
  slowRepair,
  told,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()
const AGENT_MAIN = fileURLToPath(new URL('../../apps/agent/src/main.ts', import.meta.url))

/** Makes a process fail on a signal, in a way that no code of ours is around. */
function provoker({ home }: Workspace, how: 'throw' | 'reject'): string {
  const file = join(home, `${how}.mjs`)
  const fail =
    how === 'throw'
      ? "throw new Error('provoked by throw')"
      : "void Promise.reject(new Error('provoked by reject'))"
  writeFileSync(file, `process.on('SIGUSR2', () => setTimeout(() => { ${fail} }))\n`)
  return file
}

test.each(['throw', 'reject'] as const)(
  'a daemon that ends by an error (%s) is told of by the next',
  async (how) => {
    const workspace = shop({ scripts: [slowRepair(1)] })
    const options = { NODE_OPTIONS: `--import ${provoker(workspace, how)}` }
    const begun = await treadle(workspace, ['up', '--detach', '--json', '--agents', '1'], options)
    const first: Daemon = announcedDaemon(workspace, begun.stdout)
    await addRepair(first, 1)
    const held = await untilHolding(first, 1)
    process.kill(first.pid, 'SIGUSR2')
    await waitGone(first.pid)

    const second = await up(workspace, 1)
    const crashes = (await allEvents(second)).filter(({ event }) => event.type === 'daemon.crashed')
    expect(crashes).toMatchObject([{ event: { why: expect.stringContaining(`Error: provoked by ${how}`) } }])
    expect(existsSync(workspace.paths.crash)).toBe(false)
    letGo(workspace, 'go-1')
    // The agent went on meanwhile: the same claim, the same run.
    expect(await until(second, 1, 'done')).toMatchObject({ runId: held.runId, fence: held.fence })
    expect(mergedOnMain(workspace)).toEqual(['1/1'])
  },
)

test.each(['throw', 'reject'] as const)(
  'an agent that ends by an error (%s) has crashed, and goes on',
  async (how) => {
    const workspace = shop({ scripts: [slowRepair(1)] })
    const daemon = await up(workspace, 0)
    const args = [
      '--import',
      provoker(workspace, how),
      AGENT_MAIN,
      '--workspace',
      workspace.root,
      '--id',
      'agent-1',
    ]
    const child = spawn(process.execPath, args, {
      cwd: workspace.root,
      env: cleanEnv(workspace.home),
      detached: true,
      stdio: 'ignore',
    })
    await eventually('the agent', () =>
      existsSync(join(workspace.paths.locks, 'agent-1.pid')) ? true : undefined,
    )
    // The supervisor takes it over; what it starts itself has no provoker.
    await told(workspace, 'agent', 'start', '1')
    await untilAgent(daemon, 'taken over', ({ pid }) => pid === child.pid)
    await addRepair(daemon, 1)
    const held = await untilHolding(daemon, 1)
    process.kill(child.pid ?? 0, 'SIGUSR2')
    const crashed = await eventually('the crash', async () =>
      (await allEvents(daemon)).find(({ event }) => event.type === 'agent.crashed'),
    )
    expect(crashed.agentId).toBe('agent-1')
    const again = await untilAgent(daemon, 'started again', ({ pid }) => pid !== null && pid !== child.pid)
    expect(again).toMatchObject({
      errorCount: 1,
      lastError: expect.stringContaining(`Error: provoked by ${how}`),
    })
    letGo(workspace, 'go-1')
    expect(await until(daemon, 1, 'done')).toMatchObject({ runId: held.runId, fence: held.fence })
    expect(session(workspace, 1).errorCount).toBe(1)
  },
)
