// What an engine says and does while its turn goes on, and the sentence each makes.
import type { EventType, TreadleEvent } from '../event.ts'

type SpeechEvent = Extract<EventType, 'run.said' | 'run.began' | 'run.observed'>

export const SPEECH_SAMPLES: {
  [T in SpeechEvent]: [Extract<TreadleEvent, { type: T }>, string, string | null]
} = {
  'run.said': [{ type: 'run.said', text: 'I look at it.\nThen' }, 'agent-1 said', 'I look at it.'],
  'run.began': [
    { type: 'run.began', callId: 'call-1', tool: 'bash', input: 'npm test\nmore' },
    'agent-1 is using bash',
    'npm test',
  ],
  'run.observed': [
    {
      type: 'run.observed',
      observation: { tool: 'bash', input: 'npm test\nmore', output: '', durationMs: 5, success: true },
    },
    'agent-1 used bash',
    'npm test',
  ],
}
