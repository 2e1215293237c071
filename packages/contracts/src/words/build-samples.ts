// One event of every kind about building, and the sentence it makes.
import type { EventType, TreadleEvent } from '../event.ts'

type BuildEvent = Extract<EventType, `build.${string}` | `task.${string}`>

const commit = '0123456789abcdef0123456789abcdef01234567'
const build = { build: '00000000-0000-4000-8000-000000000045', spec: 'shopping-list' }

export const BUILD_SAMPLES: {
  [T in BuildEvent]: [Extract<TreadleEvent, { type: T }>, string, string | null]
} = {
  'build.started': [
    { type: 'build.started', branch: 'agent-1/project-4', base: commit, from: 'origin/main' },
    'agent-1 started building #4',
    'on agent-1/project-4 from origin/main',
  ],
  'build.finished': [
    { type: 'build.finished', summary: '', checkpoint: commit },
    'agent-1 finished building #4',
    null,
  ],
  'build.failed': [
    { type: 'build.failed', outcome: 'stalled', why: 'No output for 15 min' },
    'Building #4 failed: the engine went silent',
    'No output for 15 min',
  ],
  'build.began': [
    {
      type: 'build.began',
      ...build,
      revision: 2,
      userSlug: 'ada',
      branch: 'build/shopping-list',
      tasks: 14,
    },
    'The build of shopping-list began',
    'revision 2, 14 tasks on build/shopping-list',
  ],
  'build.stop': [{ type: 'build.stop', ...build, by: 'ada' }, 'ada stopped the build of shopping-list', null],
  'build.resume': [
    { type: 'build.resume', ...build, by: 'ada' },
    'ada resumed the build of shopping-list',
    null,
  ],
  'build.stopped': [
    { type: 'build.stopped', ...build, why: 'Stop signal received' },
    'The build of shopping-list stopped',
    'Stop signal received',
  ],
  'build.completed': [
    { type: 'build.completed', ...build, outcome: 'completed', complete: 13, skipped: 1, why: null },
    'The build of shopping-list is merged',
    '13 tasks, 1 skipped',
  ],
  'build.reviewed': [
    { type: 'build.reviewed', ...build, look: 1, gaps: 2, learned: 1 },
    'Retrospective for the build of shopping-list',
    '2 gaps, 1 lesson from its runs',
  ],
  'build.spec_changed': [
    { type: 'build.spec_changed', ...build, revision: 3, why: 'Revision 2 is built on, revision 3 differs.' },
    'The specification of shopping-list was changed while it is built',
    'Revision 2 is built on, revision 3 differs.',
  ],
  'task.failed': [
    {
      type: 'task.failed',
      ...build,
      task: 'T3',
      attempt: 1,
      class: 'SYNTAX_ERROR',
      decision: 'RETRY',
      why: 'Syntax error - will retry with correction',
    },
    'Attempt 1 of task T3 of shopping-list failed',
    'it is tried again: Syntax error - will retry with correction',
  ],
  'task.retry': [
    { type: 'task.retry', ...build, task: 'T3', by: 'ada', why: '' },
    'ada had task T3 of shopping-list tried again',
    null,
  ],
  'task.skipped': [
    { type: 'task.skipped', ...build, task: 'T4', why: 'it waits for T3, which failed' },
    'Task T4 of shopping-list is skipped',
    'it waits for T3, which failed',
  ],
}
