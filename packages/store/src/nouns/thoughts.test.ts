// Thoughts on both databases: added once, had by one at a time, ended once.
import { randomUUID } from 'node:crypto'
import type { NewThought } from '@treadle/flow/ports/thoughts'
import { describe, expect, test } from 'vitest'
import { DRIVERS, useStore } from '../testing/both-drivers.ts'

const at = new Date('2026-11-18T20:00:00.000Z')
const later = (ms: number) => new Date(at.getTime() + ms)
const HOUR_MS = 3_600_000

const thought = (given: Partial<NewThought> = {}): NewThought => ({
  id: randomUUID(),
  kind: 'idea_reply',
  subject: `idea-${randomUUID().slice(0, 8)}`,
  engine: 'native',
  use: 'idea',
  system: 'You are \u0000 here',
  prompt: 'Say something',
  schema: null,
  deadlineAt: later(HOUR_MS),
  ...given,
})
const answer = { text: 'Something', structured: { a: [1] }, model: 'm-1' }

describe.each(DRIVERS)('thoughts on the %s database', (driver) => {
  const open = useStore(driver)

  test('are added once by their id, and counted by what they are about', async (context) => {
    const { thoughts } = await open(context)
    const one = thought()
    expect([await thoughts.add(one, at), await thoughts.add(one, at)]).toEqual([true, false])
    const second = thought({ subject: one.subject, schema: { type: 'object' } })
    await thoughts.add(second, later(1))
    expect(await thoughts.list({ subject: one.subject, limit: 10 })).toMatchObject([
      { id: second.id, nth: 2, schema: { type: 'object' } },
      { id: one.id, nth: 1, status: 'pending', fence: 0, agentId: null, costUSD: null, schema: null },
    ])
    expect(await thoughts.areOpen()).toBe(true)
  })

  test('are had by one at a time, and each claim is fenced off from the one before', async (context) => {
    const { thoughts } = await open(context)
    const one = thought()
    await thoughts.add(one, at)
    const claims = ['agent-1', 'agent-2', 'agent-3'].map((id) => thoughts.claim(one.id, { agentId: id, at }))
    const [held, ...others] = (await Promise.all(claims)).filter((each) => each !== null)
    expect(others).toEqual([])
    const holder = held?.agentId ?? ''
    expect((await thoughts.open(holder, 5)).map(({ id }) => id)).toContain(one.id)
    expect((await thoughts.open('agent-9', 5)).map(({ id }) => id)).not.toContain(one.id)
    expect(await thoughts.claim(one.id, { agentId: holder, at: later(5) })).toMatchObject({ fence: 2 })
    expect(await thoughts.release({ agentId: holder, id: one.id }, 'silent')).toMatchObject([
      { id: one.id, status: 'pending', claimedAt: null, why: 'silent' },
    ])
    expect(await thoughts.claim(one.id, { agentId: 'agent-9', at: later(9) })).toMatchObject({
      fence: 3,
      agentId: 'agent-9',
    })
    expect(await thoughts.end(one.id, 2, { is: 'done', answer }, later(10))).toBe(false)
    expect(await thoughts.end(one.id, 3, { is: 'done', answer }, later(10))).toBe(true)
    expect(await thoughts.end(one.id, 3, { is: 'failed', why: 'twice' }, later(11))).toBe(false)
    expect(await thoughts.find(one.id)).toMatchObject({
      status: 'done',
      answer,
      endedAt: later(10).toISOString(),
    })
    expect(await thoughts.claim(one.id, { agentId: 'agent-9', at: later(12) })).toBeNull()
  })

  test('are claimed again by whoever has their key, and the key is nowhere to be read', async (context) => {
    const { thoughts } = await open(context)
    const one = thought()
    await thoughts.add(one, at)
    const claim = (agentId: string, keyHash?: string) =>
      thoughts.claim(one.id, { agentId, at, ...(keyHash === undefined ? {} : { keyHash }) })
    const held = await claim('agent-1', 'hash-1')
    expect(JSON.stringify(held)).not.toContain('hash-1')
    expect(await thoughts.keyHash(one.id)).toBe('hash-1')
    // Under its name, and not itself.
    expect(await claim('agent-1', 'hash-2')).toBeNull()
    expect(await claim('agent-1')).toBeNull()
    expect(await claim('agent-2', 'hash-1')).toBeNull()
    expect(await claim('agent-1', 'hash-1')).toMatchObject({ fence: 2 })
    await thoughts.release({ agentId: 'agent-1', id: one.id }, 'silent')
    expect(await claim('agent-1', 'hash-2')).toMatchObject({ fence: 3 })
  })

  test('of kinds that wait for no one have a deadline as long as somebody has them', async (context) => {
    const { thoughts } = await open(context)
    const work = { item: { projectNumber: 4, number: 2 }, runId: randomUUID() }
    const one = thought({ kind: 'review_judge', use: 'review', deadlineAt: null, work })
    await thoughts.add(one, at)
    expect(await thoughts.open('review-agent', 50, ['review_judge'])).toContainEqual(
      expect.objectContaining({ id: one.id, work, deadlineAt: null }),
    )
    expect((await thoughts.open('agent-1', 50, ['idea_reply'])).map(({ id }) => id)).not.toContain(one.id)
    const deadlineAt = later(HOUR_MS)
    expect(await thoughts.claim(one.id, { agentId: 'review-agent', at, deadlineAt })).toMatchObject({
      deadlineAt: deadlineAt.toISOString(),
    })
    const [back] = await thoughts.release({ agentId: 'review-agent', id: one.id }, 'stopped')
    expect(back).toMatchObject({ deadlineAt: null })
    await thoughts.end(one.id, 1, { is: 'withdrawn', why: 'done' }, at)
  })

  test('are overdue at their deadline, which moves while an agent is halted', async (context) => {
    const { thoughts } = await open(context)
    const one = thought({ deadlineAt: later(1_000) })
    await thoughts.add(one, at)
    const overdue = async (ms: number) =>
      (await thoughts.overdue(later(ms), 100)).some(({ id }) => id === one.id)
    expect([await overdue(999), await overdue(1_000)]).toEqual([false, true])
    await thoughts.claim(one.id, { agentId: 'agent-4', at })
    await thoughts.extend('agent-4', 500)
    expect([await overdue(1_400), await overdue(1_500)]).toEqual([false, true])
    expect((await thoughts.claimed(100)).map(({ id }) => id)).toContain(one.id)
    await thoughts.end(one.id, 1, { is: 'withdrawn', why: 'ada withdrew it' }, later(1))
    expect(await overdue(9_000)).toBe(false)
  })

  test('have what was booked for them', async (context) => {
    const { thoughts, ledger } = await open(context)
    const one = thought()
    await thoughts.add(one, at)
    const cost = { agentId: 'agent-1', projectNumber: 1, itemNumber: null, runId: null, thoughtId: one.id }
    const call = { model: 'm', tokens: { input: 1, output: 1 }, assumed: false, timestamp: at.toISOString() }
    for (const costUSD of [0.1, 0.2]) await ledger.log({ id: randomUUID(), ...cost, ...call, costUSD })
    expect(await thoughts.find(one.id)).toMatchObject({ costUSD: 0.3 })
    const id = randomUUID()
    const held = { agentId: 'agent-1', item: null, runId: null, thoughtId: one.id, fence: 1 }
    await ledger.reserve({ id, ...held, model: 'm', costUSD: 1, timestamp: at.toISOString() })
    expect((await ledger.open()).find((each) => each.id === id)).toMatchObject(held)
    await ledger.close(id, 'released', at)
  })
})
