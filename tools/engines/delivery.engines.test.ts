// One item for each real program, from claim to delivery, in a workspace that starts nothing without a sandbox: the
// program's turn and every gate are confined. A fresh home, a dummy key and a model on the loopback.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { playScenario } from '@treadle/engines/testing/model-server/scenarios'
import { expect, test } from 'vitest'
import { daemonLog } from '../../scenarios/kit/daemon.ts'
import { crewOf, PROGRAMS } from '../../scenarios/kit/program-crew.ts'
import { eventually } from '../../scenarios/kit/wait.ts'

const DELIVERED_MS = 8 * 60_000

test.for(Object.keys(PROGRAMS))('%s delivers an item inside the sandbox', async (name) => {
  const { server, workspace, show, add } = await crewOf(name, { answer: playScenario })
  await add('edit')
  const delivered = async () => {
    const { item } = await show(1)
    if (item.state === 'escalated') throw new Error(`${item.reason}\n${daemonLog(workspace).slice(-3_000)}`)
    return item.state === 'in_review' ? item : undefined
  }
  const { headCommit } = await eventually('the item is delivered', delivered, DELIVERED_MS)
  expect(workspace.git('show', `${headCommit}:sum.mjs`)).toContain('a + b')
  expect(server.requests.length).toBeGreaterThan(0)
  const { events } = await show(1)
  expect(
    events.flatMap(({ event }) => (event.type === 'run.observed' ? [event.observation.tool] : [])),
  ).not.toEqual([])
  expect(existsSync(join(workspace.root, 'sum.mjs'))).toBe(true)
})
