// What the PM agent decides, and what follows from it.
import { z } from 'zod'
import { PmAction } from '../alert.ts'
import { AgentId, EventId } from '../ids.ts'
import { event, line, type Sentences } from './shape.ts'

const decisionId = z.string().min(1).max(128)
const options = z.array(z.string().min(1).max(200)).max(10)

/** Facts that move no item. */
const facts = [
  event('pm.decided', {
    /** The event that it is about. */
    about: z.string().min(1).max(100),
    eventId: EventId,
    alert: z.int().min(1).nullable(),
    action: PmAction,
    /** An agent, a task, or `human`. */
    target: z.string().min(1).max(200).nullable(),
    reason: z.string().min(1).max(1_000),
    followUp: z.string().max(100).nullable(),
    checkAgainMs: z.int().min(1).nullable(),
    options,
    /** What it was decided by. */
    facts: z.record(z.string().max(60), z.union([z.string().max(2_000), z.number(), z.null()])),
  }),
  /** A task changes hands. */
  event('work.assigned', {
    /** As `1/7`. */
    task: z.string().min(1).max(200),
    from: AgentId.nullable(),
    to: AgentId,
    /** What the one that takes it up has to do with this one included. */
    load: z.int().min(0),
  }),
  /** Somebody cannot decide by itself: a person is asked, and the answer comes back as decision.made. */
  event('decision.requested', {
    decisionId,
    by: z.string().min(1).max(100),
    text: z.string().min(1).max(4_000),
    context: z.string().max(4_000),
    options,
    /** The alert that it is about. */
    alert: z.int().min(1).nullable(),
  }),
  event('decision.made', {
    decisionId,
    /** Who asked for it. */
    for: z.string().min(1).max(100),
    by: z.string().min(1).max(100),
    text: z.string().max(20_000),
    option: z.string().max(200).nullable(),
    alert: z.int().min(1).nullable(),
  }),
] as const

const ACTION_WORDS: Readonly<Record<PmAction, (target: string) => string>> = {
  WATCH: () => 'waits and looks again',
  ESCALATE: () => 'asks you',
  INTERRUPT: (target) => `interrupts ${target}`,
  REASSIGN: (target) => `gives the work of ${target} to others`,
  BREAK: (target) => `takes ${target} out of the circle`,
  RESTART: (target) => `restarts ${target}`,
  GRANT: (target) => `lets ${target} have it`,
  PREEMPT: (target) => `takes it from ${target}`,
  DENY: (target) => `has ${target} wait`,
  LEAVE: () => 'leaves it as it is',
}

export const pmEvents = {
  facts,
  sentences: {
    'pm.decided': ({ action, target, reason }) =>
      line(
        `The PM agent ${ACTION_WORDS[action](target ?? 'it')}`,
        reason,
        action === 'WATCH' || action === 'LEAVE' ? 'plain' : 'attention',
      ),
    'work.assigned': ({ from, to }, { item }) =>
      line(`${item} goes ${from === null ? '' : `from ${from} `}to ${to}`, null, 'busy'),
    'decision.requested': ({ by, text }) => line(`${by} asks for a decision`, text, 'attention'),
    'decision.made': ({ by, text, for: asked }) => line(`${by} decided what ${asked} asked`, text),
  } satisfies Sentences<(typeof facts)[number]>,
}
