// The crew on a real database, where no process can be started.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workspacePaths } from '@treadle/contracts/workspace'
import { sampleConfig } from '@treadle/flow/work/testing/sample'
import { verifies } from '@treadle/requirements/verifies'
import { useStore } from '@treadle/store/testing/both-drivers'
import pino from 'pino'
import { afterAll, expect } from 'vitest'
import { machineClock } from '../clock.ts'
import { Crew } from './crew.ts'

const open = useStore('embedded')
const root = mkdtempSync(join(tmpdir(), 'treadle-crew-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

verifies(
  'ORCH-1.4-8',
  'a process that cannot be started is logged, and its agent has failed',
  async (context) => {
    const store = await open(context)
    const logged: string[] = []
    const crew = new Crew({
      paths: workspacePaths(root),
      workspace: { id: 'here', words: 'here', shared: false },
      store,
      advance: () => expect.unreachable(),
      config: () => sampleConfig(),
      now: () => new Date(),
      clock: machineClock,
      uuid: () => crypto.randomUUID(),
      childEnv: {},
      log: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }),
      node: join(root, 'no-such-program'),
    })
    await crew.want(1)
    expect(await store.agents.find('agent-1')).toMatchObject({
      status: 'failed',
      pid: null,
      wanted: 'running',
      lastError: expect.stringContaining('ENOENT'),
    })
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        msg: 'agent did not start',
        agent: 'agent-1',
        why: expect.stringContaining('ENOENT'),
      }),
    ])
    const session = JSON.parse(readFileSync(join(root, '.claude-sessions/agent-1.session'), 'utf8'))
    expect(session).toMatchObject({ status: 'failed', lastError: expect.stringContaining('ENOENT') })
    const { items } = await store.events.after({ after: '0.0', limit: 100 })
    expect(items.map(({ event }) => event)).toContainEqual({
      type: 'agent.status_changed',
      from: 'stopped',
      to: 'failed',
    })
    // It is not tried again by itself; a new order is a new chance.
    const before = logged.length
    await crew.tick()
    expect(logged).toHaveLength(before)
    await crew.order('agent-1', 'start')
    expect(logged).toHaveLength(before + 1)
    await crew.order('agent-1', 'stop')
    expect(await store.agents.find('agent-1')).toMatchObject({ status: 'stopped', wanted: 'stopped' })
  },
)
