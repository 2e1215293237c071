// What is told of a thought, and the sentence each makes.
import type { EventType, TreadleEvent } from '../event.ts'

type ThoughtEvent = Extract<EventType, `thought.${string}`>

const thought = {
  thought: '00000000-1111-4111-8111-000000000009',
  kind: 'idea_reply',
  subject: 'cart',
} as const

export const THOUGHT_SAMPLES: {
  [T in ThoughtEvent]: [Extract<TreadleEvent, { type: T }>, string, string | null]
} = {
  'thought.asked': [
    { type: 'thought.asked', ...thought, engine: 'native' },
    'A reply about cart is asked for',
    'from native',
  ],
  'thought.claimed': [
    { type: 'thought.claimed', ...thought, fence: 1 },
    'agent-1 began to think about cart',
    'a reply',
  ],
  'thought.said': [
    { type: 'thought.said', ...thought, text: 'Who is it for?\nAnd' },
    'agent-1 is writing about cart',
    'Who is it for?',
  ],
  'thought.given_back': [
    { type: 'thought.given_back', ...thought, why: 'agent-1 was silent' },
    'A reply about cart is asked for again',
    'agent-1 was silent',
  ],
  'thought.answered': [
    { type: 'thought.answered', ...thought },
    'agent-1 has answered about cart',
    'a reply',
  ],
  'thought.failed': [
    { type: 'thought.failed', ...thought, why: 'No engine' },
    'There is no answer about cart',
    'No engine',
  ],
  'thought.withdrawn': [
    { type: 'thought.withdrawn', ...thought, by: 'ada' },
    'ada wants no answer about cart any more',
    null,
  ],
}
