// One event of every kind about conflicts, and the sentence it makes.
import type { EventType, TreadleEvent } from '../event.ts'

type ConflictEvent = Extract<EventType, `conflict.${string}`>

export const CONFLICT_SAMPLES: {
  [T in ConflictEvent]: [Extract<TreadleEvent, { type: T }>, string, string | null]
} = {
  'conflict.detected': [
    {
      type: 'conflict.detected',
      build: '00000000-0000-4000-8000-000000000001',
      file: 'src/a.ts',
      requestor: { item: { projectNumber: 1, number: 4 }, agentId: null, priority: null },
      owner: { item: { projectNumber: 1, number: 7 }, agentId: 'agent-2', priority: 2 },
      decision: {
        action: 'DENY',
        target: '#4',
        reason: 'File owned by #7',
        suggestion: 'Wait or request change',
      },
    },
    '#4 waits for src/a.ts',
    'File owned by #7. Wait or request change',
  ],
  'conflict.predicted': [
    {
      type: 'conflict.predicted',
      branch: 'agent-1/project-4',
      other: 'agent-2/project-5',
      otherItem: { projectNumber: 1, number: 5 },
      files: ['a.ts', 'b.ts'],
      committed: false,
    },
    '#4 will conflict with #5 in 2 files',
    'a.ts, b.ts (not committed yet)',
  ],
}
