// One item for each real program, from claim to delivery, in a workspace that starts nothing without a sandbox: the
// program's turn and every gate are confined. A fresh home, a dummy key and a model on the loopback.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { playScenario } from '@treadle/engines/testing/model-server/scenarios'
import { expect, test } from 'vitest'
import { crewOf, PROGRAMS } from '../../scenarios/kit/program-crew.ts'

test.for(Object.keys(PROGRAMS))('%s delivers an item inside the sandbox', async (name) => {
  const { server, workspace, until, add } = await crewOf(name, { answer: playScenario })
  await add('edit')
  const { item, events } = await until(1, 'in_review')
  const { headCommit } = item
  expect(workspace.git('show', `${headCommit}:sum.mjs`)).toContain('a + b')
  expect(server.requests.length).toBeGreaterThan(0)
  expect(
    events.flatMap(({ event }) => (event.type === 'run.observed' ? [event.observation.tool] : [])),
  ).not.toEqual([])
  expect(existsSync(join(workspace.root, 'sum.mjs'))).toBe(true)
})
