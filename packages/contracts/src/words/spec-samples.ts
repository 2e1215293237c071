// One event of every kind about specifications, and the sentence it makes.
import type { EventType, TreadleEvent } from '../event.ts'

type SpecEvent = Extract<EventType, `spec.${string}`>

export const SPEC_SAMPLES: {
  [T in SpecEvent]: [Extract<TreadleEvent, { type: T }>, string, string | null]
} = {
  'spec.generated': [
    {
      type: 'spec.generated',
      spec: 'shopping-list',
      revision: 2,
      tasks: 14,
      problems: 0,
      writtenBy: 'rules',
    },
    'The specification of shopping-list is ready',
    'revision 2, 14 tasks',
  ],
  'spec.revision_requested': [
    {
      type: 'spec.revision_requested',
      spec: 'shopping-list',
      revision: 2,
      by: 'ada',
      text: 'No database\nplease',
    },
    'ada asked for changes to the specification of shopping-list',
    'No database',
  ],
  'spec.approved': [
    { type: 'spec.approved', spec: 'shopping-list', revision: 2, by: 'ada' },
    'ada approved the specification of shopping-list',
    'revision 2',
  ],
}
