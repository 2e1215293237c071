// How a turn of an engine ended, in words for people.
import type { EngineOutcome } from '../run.ts'

export const OUTCOME_WORDS: Record<EngineOutcome, string> = {
  done: 'the engine said it was done',
  max_turns: 'the engine ran out of turns',
  budget: 'the budget was used up',
  interrupted: 'it was interrupted',
  refused: 'the engine gave up',
  rate_limited: 'the engine was rate limited',
  overloaded: 'the engine was overloaded',
  network: 'the network failed',
  auth: 'the engine did not accept the key',
  billing: 'the provider refused for billing reasons',
  invalid: 'the request or the settings were not valid',
  crashed: 'the engine crashed',
  stalled: 'the engine went silent',
}
