// What is told of looks for improvements, and the sentence each makes.
import type { EventType, TreadleEvent } from '../event.ts'

type CategoryEvent =
  | Extract<EventType, `category.${string}`>
  | 'idea.generated'
  | 'idea.rejected'
  | 'item.valued'

export const CATEGORY_SAMPLES: {
  [T in CategoryEvent]: [Extract<TreadleEvent, { type: T }>, string, string | null]
} = {
  'idea.generated': [
    { type: 'idea.generated', category: 'testing', title: 'testing: Test the cart' },
    'agent-1 generated new idea: testing: Test the cart',
    'Testing',
  ],
  'idea.rejected': [
    { type: 'idea.rejected', category: 'testing', outcome: 'duplicate', why: 'It is like #4' },
    'The answer about Testing was not taken',
    'It is like #4',
  ],
  'category.exhausted': [
    { type: 'category.exhausted', category: 'security', until: '2026-11-19T10:00:00.000Z', why: 'No idea' },
    'Security is left alone until 2026-11-19 10:00 UTC',
    'No idea',
  ],
  'category.all_exhausted': [
    { type: 'category.all_exhausted', until: '2026-11-19T10:00:00.000Z', why: 'All are left alone' },
    'There is no category to look at until 2026-11-19 10:00 UTC',
    'All are left alone',
  ],
  'category.template_missing': [
    { type: 'category.template_missing', category: 'security', why: 'security.md is not there' },
    'Security is skipped',
    'security.md is not there',
  ],
  'item.valued': [{ type: 'item.valued', value: 7, by: 'ada' }, 'ada gave #4 7 of 10 points', null],
}
