// The graph of roles and events: every event leads to somebody or only informs, and every row says what it is.
import { readFileSync } from 'node:fs'
import { EVENTS } from '@treadle/contracts/event'
import { requirementsFile } from '@treadle/requirements/ids'
import { expect, test } from 'vitest'
import { INFORMING, ROLES } from './roles.ts'
import { isOf, jobsOf, reactionsTo } from './routes.ts'

const typesOf = (kind: 'agentMoves' | 'daemonMoves' | 'runNotes' | 'facts'): string[] =>
  EVENTS.flatMap((part) => {
    const schemas: readonly { shape: { type: { value: string } } }[] =
      (part as Partial<Record<typeof kind, readonly { shape: { type: { value: string } } }[]>>)[kind] ?? []
    return schemas.map(({ shape }) => shape.type.value)
  })

test('every fact leads to a role or is listed as one that only informs, and none is both', () => {
  for (const type of typesOf('facts'))
    expect([
      type,
      reactionsTo(type).length > 0 ? 'leads on' : 'nowhere',
      INFORMING.includes(type as never),
    ]).toEqual(reactionsTo(type).length > 0 ? [type, 'leads on', false] : [type, 'nowhere', true])
  const known = new Set(typesOf('facts'))
  expect(INFORMING.filter((type) => !known.has(type))).toEqual([])
  expect(new Set(INFORMING).size).toBe(INFORMING.length)
})

test('what moves an item makes its work by the state, and what a run notes makes none: no role reacts to either', () => {
  for (const type of [...typesOf('agentMoves'), ...typesOf('daemonMoves'), ...typesOf('runNotes')])
    expect([type, reactionsTo(type)]).toEqual([type, []])
})

test('only rows of later parts name events that nothing records yet', () => {
  const known = new Set(EVENTS.flatMap(() => [...typesOf('facts'), ...typesOf('daemonMoves')]))
  for (const { reactions } of ROLES)
    for (const { event, does } of reactions)
      if (does.is !== 'later')
        expect([event, [...known].some((type) => isOf(type, event))]).toEqual([event, true])
})

/** The rows of the requirements about who reacts to what: which role, to which event. */
const ROWS: readonly (readonly [id: string, role: string, event: string])[] = [
  ['AGENT-ROUTING-14', 'build-agent', 'spec.approved'],
  ['AGENT-ROUTING-15', 'sia-agent', 'build.completed'],
  ['AGENT-ROUTING-16', 'pm-agent', 'alert.anything'],
  ['AGENT-ROUTING-17', 'specification-agent', 'ideation.completed'],
  ['AGENT-ROUTING-21', 'specification-agent', 'ideation.completed'],
  ['AGENT-ROUTING-22', 'specification-agent', 'spec.revision_requested'],
  ['AGENT-ROUTING-23', 'build-agent', 'spec.approved'],
  ['AGENT-ROUTING-24', 'build-agent', 'build.resume'],
  ['AGENT-ROUTING-25', 'build-agent', 'task.retry'],
  ['AGENT-ROUTING-26', 'sia-agent', 'build.completed'],
  ['AGENT-ROUTING-27', 'sia-agent', 'ideation.completed'],
  ['AGENT-ROUTING-28', 'sia-agent', 'spec.generated'],
  ['AGENT-ROUTING-29', 'sia-agent', 'task.failed'],
  ['AGENT-ROUTING-31', 'pm-agent', 'alert.stuck_task'],
  ['AGENT-ROUTING-32', 'pm-agent', 'alert.deadlock'],
  ['AGENT-ROUTING-33', 'pm-agent', 'alert.build_failed'],
  ['AGENT-ROUTING-34', 'pm-agent', 'conflict.detected'],
  ['AGENT-ROUTING-35', 'pm-agent', 'decision.requested'],
  ['AGENT-ROUTING-40', 'build-agent', 'work.assigned'],
]

test.each(ROWS)(
  '%s: %s reacts to %s, and the row is deferred as long as a later part brings it',
  (id, role, event) => {
    const found = reactionsTo(event).filter((each) => each.role === role)
    expect(found).toHaveLength(1)
    const row = readFileSync(requirementsFile, 'utf8')
      .split(/^- id: /m)
      .find((text) => text.startsWith(`${id}\n`))
    expect(row).toBeDefined()
    if (found[0]?.reaction.does.is === 'later') expect(row).toMatch(/^ {2}deferred: /m)
    else expect(row).not.toMatch(/^ {2}deferred: /m)
  },
)

test('a talk and a timer have no events: nothing but messages and the clock wakes these two', () => {
  const silent = ROLES.filter(({ reactions }) => reactions.length === 0)
  expect(silent.map(({ name, trigger }) => [name, trigger.kind, trigger.everyMs])).toEqual([
    ['ideation-agent', 'message', null],
    ['monitor-agent', 'timer', 120_000],
  ])
})

test('a job is one by the event that made it, and none is made where the owner does not want it', () => {
  const event = { type: 'ideation.completed', idea: 'x', title: 'X', brief: 'b' } as const
  const told = { id: 'idea:x:completed', event, item: null, runId: null, agentId: null }
  const config = (autoGenerate: boolean) => ({ specification: { autoGenerate, layout: {} } })
  const job = { subject: 'x', eventId: told.id, type: event.type }
  const learn = { name: 'learn', job }
  expect(jobsOf(told, config(false))).toEqual([learn])
  expect(jobsOf(told, config(true))).toEqual([{ name: 'spec', job }, learn])
})

test('a family stands for its events and for no other', () => {
  expect([isOf('alert.deadlock', 'alert.*'), isOf('alerted', 'alert.*'), isOf('alert', 'alert.*')]).toEqual([
    true,
    false,
    false,
  ])
})
