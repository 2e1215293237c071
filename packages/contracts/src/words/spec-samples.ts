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
  'spec.reviewed': [
    { type: 'spec.reviewed', spec: 'shopping-list', revision: 2, gaps: 3 },
    'Retrospective for the specification of shopping-list',
    'revision 2, 3 gaps',
  ],
  'spec.template_changed': [
    { type: 'spec.template_changed', path: 'users/templates/spec.md', why: 'ada agreed' },
    'The template users/templates/spec.md was changed',
    'ada agreed',
  ],
  'spec.approved': [
    { type: 'spec.approved', spec: 'shopping-list', revision: 2, by: 'ada' },
    'ada approved the specification of shopping-list',
    'revision 2',
  ],
  'spec.refused': [
    { type: 'spec.refused', spec: 'shopping-list', why: 'planning/brief.md was not found.' },
    'There is no specification of shopping-list',
    'planning/brief.md was not found.',
  ],
}
