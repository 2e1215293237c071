// One event of every kind that the monitor, the PM agent and the daemon tell of themselves, and the sentence it makes.
import type { EventType, TreadleEvent } from '../event.ts'

type AlertEvent = Extract<
  EventType,
  `alert.${string}` | `decision.${string}` | `daemon.${string}` | 'pm.decided' | 'work.assigned'
>

const told = { alert: 12, count: 1 } as const

export const ALERT_SAMPLES: {
  [T in AlertEvent]: [Extract<TreadleEvent, { type: T }>, string, string | null]
} = {
  'alert.stuck_task': [
    {
      ...told,
      type: 'alert.stuck_task',
      severity: 'warning',
      source: 'agent-1',
      message: 'Task #4 stuck for 11 min',
      context: { task_id: '1/4', duration: 660_001, phase: 'api', fence: 3 },
    },
    'Task #4 stuck for 11 min',
    'agent-1',
  ],
  'alert.deadlock': [
    {
      ...told,
      type: 'alert.deadlock',
      severity: 'critical',
      source: 'monitor',
      message: 'Deadlock detected: #4 -> #5 -> #4',
      context: { cycle: ['#4', '#5'] },
    },
    'Deadlock detected: #4 -> #5 -> #4',
    null,
  ],
  'alert.component_down': [
    {
      ...told,
      type: 'alert.component_down',
      severity: 'error',
      source: 'monitor',
      message: 'Component agent-2 not responding',
      context: { component: 'agent-2', last_heartbeat: null },
    },
    'Component agent-2 not responding',
    null,
  ],
  'alert.build_failed': [
    {
      ...told,
      type: 'alert.build_failed',
      severity: 'error',
      source: 'monitor',
      message: 'The build of cart failed',
      context: { build: 'cart', why: '4 tasks failed' },
    },
    'The build of cart failed',
    '4 tasks failed',
  ],
  'pm.decided': [
    {
      type: 'pm.decided',
      about: 'alert.stuck_task',
      eventId: 'alert:12:1',
      alert: 12,
      action: 'INTERRUPT',
      target: 'agent-1',
      reason: 'Task exceeded 30 minute timeout',
      followUp: 'SKIP_AND_CONTINUE',
      checkAgainMs: null,
      options: [],
      facts: { task: '#4', agent: 'agent-1', duration_ms: 1_800_001 },
    },
    'The PM agent interrupts agent-1',
    'Task exceeded 30 minute timeout',
  ],
  'work.assigned': [
    { type: 'work.assigned', task: '1/4', from: 'agent-1', to: 'agent-2', load: 1 },
    '#4 goes from agent-1 to agent-2',
    null,
  ],
  'decision.requested': [
    {
      type: 'decision.requested',
      decisionId: 'alert:12:1',
      by: 'pm-agent',
      text: 'Task #4 stuck for 21 min. Skip or wait?',
      context: '',
      options: ['wait', 'skip', 'retry'],
      alert: 12,
    },
    'pm-agent asks for a decision',
    'Task #4 stuck for 21 min. Skip or wait?',
  ],
  'decision.made': [
    {
      type: 'decision.made',
      decisionId: 'alert:12:1',
      for: 'pm-agent',
      by: 'ada',
      text: 'wait',
      option: 'wait',
      alert: 12,
    },
    'ada decided what pm-agent asked',
    'wait',
  ],
  'daemon.crashed': [
    { type: 'daemon.crashed', why: 'Error: the disk is full' },
    'The daemon crashed',
    'Error: the disk is full',
  ],
  'daemon.started': [
    { type: 'daemon.started', version: '0.1.0', store: 'embedded' },
    'The daemon started',
    'version 0.1.0, embedded database',
  ],
}
