// One event of every kind about the world that work is done in, and the sentence it makes.
import type { EventType, TreadleEvent } from '../event.ts'

type EnvironmentEvent = Extract<EventType, `environment.${string}` | 'run.preparing'>

export const ENVIRONMENT_SAMPLES: {
  [T in EnvironmentEvent]: [Extract<TreadleEvent, { type: T }>, string, string | null]
} = {
  'run.preparing': [
    { type: 'run.preparing', progress: { step: 'testing', files: { done: 12, of: 30 } } },
    'agent-1 is running the tests, 12 of 30 test files for #4',
    null,
  ],
  'environment.step': [
    { type: 'environment.step', step: 'installing', commit: 'a'.repeat(40) },
    'Packages are being installed before items are offered',
    null,
  ],
  'environment.ready': [
    { type: 'environment.ready', commit: 'a'.repeat(40), text: '`npm test` takes 4.0 s and is green' },
    'The tests can be run',
    '`npm test` takes 4.0 s and is green',
  ],
  'environment.untested': [
    { type: 'environment.untested', commit: 'a'.repeat(40), why: 'no test command was found' },
    'Nothing could be tested: items are worked on, and what they deliver is unproven',
    'no test command was found',
  ],
  'environment.not_ready': [
    {
      type: 'environment.not_ready',
      commit: 'a'.repeat(40),
      trouble: {
        kind: 'packages_missing',
        text: '`npm test` needs the package mocha, which is not installed.',
        setting: 'tests.setupCommand',
        value: 'npm ci',
        lines: 'sh: 1: mocha: not found',
      },
    },
    'Nothing is offered: `npm test` needs the package mocha, which is not installed.',
    'Set tests.setupCommand in treadle.json to `npm ci`',
  ],
}
