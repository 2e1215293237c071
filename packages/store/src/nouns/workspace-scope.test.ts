// Two workspaces on one server: what belongs to one is neither found nor changed through the store of the other.
import { randomUUID } from 'node:crypto'
import type { Idea } from '@treadle/contracts/idea'
import { afterAll, expect, test } from 'vitest'
import type { OpenStore } from '../connect.ts'
import { openAt, useTestDatabases } from '../testing/both-drivers.ts'

const places = useTestDatabases('server')
const opened: OpenStore[] = []
afterAll(async () => {
  for (const store of opened) await store.close()
})

const at = new Date('2026-11-18T20:00:00.000Z')
const later = new Date(at.getTime() + 60_000)
const at1 = at.toISOString()
const idea = (slug: string): Idea => ({
  slug,
  userSlug: 'ada',
  title: slug,
  phase: 'EXPLORING',
  status: 'active',
  mode: 'engine',
  engine: 'native',
  modeWhy: null,
  signals: { artifacts: [], decisions: [], risks: [], confidence: 0 },
  questions: [],
  candidateAt: at1,
  completedAt: null,
  createdAt: at1,
  updatedAt: at1,
})
const thought = (subject: string) => ({
  id: randomUUID(),
  kind: 'idea_reply' as const,
  subject,
  engine: 'native',
  use: 'idea' as const,
  system: '',
  prompt: 'Say something',
  schema: null,
  deadlineAt: later,
})

test('what one workspace has is out of reach of another on the same server', async (context) => {
  const place = places(context)
  const store = async (id: string) => {
    const made = await openAt(place, { workspace: { id, shared: true } })
    opened.push(made)
    return made
  }
  const [one, other] = [await store('one'), await store('other')]
  await one.ideas.add(idea('lamp'))
  expect(await other.ideas.add(idea('lamp'))).toBe(false)
  expect([await other.ideas.find('lamp'), await other.ideas.lock('lamp')]).toEqual([null, null])
  await other.ideas.patch('lamp', { status: 'archived' }, later)
  await other.ideas.markDocumented('lamp', 1)
  expect(await other.ideas.undocumented(9)).toEqual([])
  expect(await one.ideas.undocumented(9)).toMatchObject([{ idea: { status: 'active' }, documented: 0 }])

  const asked = thought('lamp')
  await one.thoughts.add(asked, at)
  expect(await other.thoughts.areOpen()).toBe(false)
  expect(await other.thoughts.open('agent-2', 9)).toEqual([])
  expect(await other.thoughts.claim(asked.id, { agentId: 'agent-2', at })).toBeNull()
  expect(await one.thoughts.claim(asked.id, { agentId: 'agent-1', at })).toMatchObject({ fence: 1 })
  expect([await other.thoughts.claimed(9), await other.thoughts.overdue(later, 9)]).toEqual([[], []])
  expect(await other.thoughts.end(asked.id, 1, { is: 'failed', why: 'no' }, later)).toBe(false)
  expect(await one.thoughts.overdue(later, 9)).toHaveLength(1)
  // The daemon of agent-1 is gone for good: whoever stops that agent gives back what it held, for its own to find.
  expect(await other.thoughts.release({ agentId: 'agent-1' }, 'it was stopped')).toHaveLength(1)
  expect(await one.thoughts.open('agent-3', 9)).toMatchObject([{ id: asked.id, status: 'pending' }])
  const second = thought('lamp')
  await other.thoughts.add(second, at)
  expect(await other.thoughts.find(second.id)).toMatchObject({ nth: 1 })

  const request = { folder: 'db', spec: 'lamp', feature: 'light', taken: 4 }
  expect(await one.specifications.allocate(request, at)).toBe(5)
  expect(await other.specifications.allocate(request, at)).toBe(6)
  expect(await one.specifications.allocate(request, at)).toBe(5)
})
