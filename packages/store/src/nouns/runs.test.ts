import { randomUUID } from 'node:crypto'
import { phaseRecord, type Run } from '@treadle/contracts/run'
import type { RunPatch } from '@treadle/flow/ports/runs'
import { describe, expect, test } from 'vitest'
import { DRIVERS, newProject, useStore } from '../testing/both-drivers.ts'

const at = new Date('2026-01-02T03:04:05.678Z')

describe.each(DRIVERS)('runs on the %s database', (driver) => {
  const open = useStore(driver)

  test('a run begins active and empty, and every field can be changed', async (context) => {
    const { runs, tx } = await open(context)
    const item = { projectNumber: newProject(), number: 1 }
    const id = randomUUID()
    const added = await runs.add({ id, item, agentId: 'agent-1', fence: 3, at })
    const empty: Run = {
      id,
      parentRunId: null,
      kind: 'item',
      item,
      agentId: 'agent-1',
      fence: 3,
      status: 'loading',
      phase: null,
      iteration: 0,
      outcome: null,
      base: null,
      baseline: [],
      history: [],
      gates: [],
      usage: [],
      startedAt: at.toISOString(),
      endedAt: null,
    }
    expect(added).toEqual(empty)
    const gate = { is: 'not_run', gate: 'tests_pass', why: 'no \0 command' } as const
    const patch: Required<RunPatch> = {
      status: 'complete',
      phase: 'test',
      iteration: 2,
      outcome: 'success',
      base: 'c'.repeat(40),
      baseline: [gate],
      history: [
        phaseRecord({
          phase: 'build',
          iteration: 1,
          startedAt: at.toISOString(),
          durationMs: 12.5,
          outcome: 'done',
          summary: 's',
        }),
      ],
      gates: [gate, gate],
      usage: [{ model: 'm', inputTokens: 1, outputTokens: 2, usd: 0.1 }],
      endedAt: '2026-01-02T04:00:00.000Z',
    }
    await tx(async () => {
      expect(await runs.lock(id)).toEqual(empty)
      await runs.patch(id, patch)
    })
    const stored = { ...gate, why: 'no \uFFFD command' }
    expect(await runs.find(id)).toEqual({ ...empty, ...patch, baseline: [stored], gates: [stored, stored] })
    await runs.patch(id, {})
    await runs.patch(id, { phase: null })
    expect(await runs.find(id)).toMatchObject({ phase: null, status: 'complete' })
  })

  test('the runs of an item come newest first', async (context) => {
    const { runs } = await open(context)
    const item = { projectNumber: newProject(), number: 1 }
    for (const fence of [1, 2, 3])
      await runs.add({
        id: randomUUID(),
        item,
        agentId: 'agent-1',
        fence,
        at: new Date(at.getTime() + fence),
      })
    expect((await runs.ofItem(item, 2)).map(({ fence }) => fence)).toEqual([3, 2])
    expect(await runs.ofItem({ ...item, number: 2 }, 2)).toEqual([])
  })

  test('a run that is not there is found to be missing, and cannot be changed', async (context) => {
    const { runs } = await open(context)
    expect(await runs.find(randomUUID())).toBeNull()
    await expect(runs.patch(randomUUID(), { phase: 'test' })).rejects.toMatchObject({ kind: 'store_run' })
  })
})
