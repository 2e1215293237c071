// What is told of the world that work is done in: packages, build and tests of the target.
import { z } from 'zod'
import { CommitId } from '../ids.ts'
import { ReadinessStep, Trouble } from '../readiness.ts'
import { mendWords } from '../words/readiness.ts'
import { event, line, type Sentences } from './shape.ts'

const STEPS = {
  installing: 'Packages are being installed',
  building: 'The project is being built',
  testing: 'The tests are being run',
} as const

/** Facts that move no item. */
const facts = [
  /** A step that is taken before any item is offered. */
  event('environment.step', { step: ReadinessStep, commit: CommitId }),
  event('environment.ready', { commit: CommitId, text: z.string().max(4_000) }),
  /** There are no tests, or nobody can read what they report; told once. */
  event('environment.untested', { commit: CommitId, why: z.string().max(1_000) }),
  event('environment.not_ready', { commit: CommitId, trouble: Trouble }),
] as const

export const environmentEvents = {
  facts,
  sentences: {
    'environment.step': ({ step }) => line(`${STEPS[step]} before items are offered`, null, 'busy'),
    'environment.ready': ({ text }) => line('The tests can be run', text),
    'environment.untested': ({ why }) =>
      line('Nothing could be tested: items are worked on, and what they deliver is unproven', why),
    'environment.not_ready': ({ trouble }) =>
      line(`Nothing is offered: ${trouble.text}`, mendWords(trouble), 'attention'),
  } satisfies Sentences<(typeof facts)[number]>,
}
