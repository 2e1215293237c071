import { randomUUID } from 'node:crypto'
import { Config } from '@treadle/contracts/config'
import { newItem, newProject, useStore } from '@treadle/store/testing/both-drivers'
import { claimFor } from '@treadle/store/testing/claim'
import pino from 'pino'
import { expect, test } from 'vitest'
import { PressureWatch } from './pressure-watch.ts'

const open = useStore('embedded')
const at = new Date('2026-01-02T03:04:05.678Z')
/** No machine has so much. */
const config = Config.parse({ limits: { memoryFreeMb: 2_000_000_000 } })

test('under pressure an agent that is halted by a pause keeps nobody else from working', async (context) => {
  const store = await open(context)
  const watch = new PressureWatch({
    store,
    config: () => config,
    now: () => at,
    uuid: randomUUID,
    log: pino({ level: 'silent' }),
    isElsewhere: () => false,
    onEnough: () => undefined,
  })
  await watch.look()
  const { projectNumber, number } = await store.items.add(newItem({ projectNumber: newProject() }), at)
  await store.agents.ensure('agent-1', at)
  await claimFor(store, { ref: { projectNumber, number }, agentId: 'agent-1', at })
  expect(await watch.hold('agent-2')).toContain('one agent works at a time')
  await store.agents.patch('agent-1', { wanted: 'paused', status: 'paused', frozenAt: at })
  expect(await watch.hold('agent-2')).toBeNull()
  await store.agents.patch('agent-1', { wanted: 'running', status: 'working', frozenAt: null })
  expect(await watch.hold('agent-2')).toContain('one agent works at a time')
})
