import { z } from 'zod'
import { count, DAY, HOUR, MINUTE, ms, SECOND } from './bounds.ts'

const MIB = 1024 * 1024

/** The bounds of every loop, queue, retry, prompt and output. */
export const LimitsConfig = z.strictObject({
  improvements: count(3).describe('Improvements of one item before a person is asked (stops when reached)'),
  reviewCycles: count(3).describe('Rejections of one item before a person is asked'),
  infrastructureRetries: count(3).describe(
    'Engine crashes and network faults per phase that do not use up an attempt',
  ),
  claimMs: ms(8 * HOUR).describe('A claim that is older falls, unless its agent is well'),
  executionMs: ms(8 * HOUR).describe('How long one run of an item may take'),
  engineStallMs: ms(15 * MINUTE).describe('How long an engine may say nothing before its turn is ended'),
  queueWaitMs: ms(30 * DAY).describe('How long an item may wait in the queue before a person is asked'),
  reviewWaitMs: ms(2 * HOUR).describe('How long a delivery may wait for a reviewer before a person is asked'),
  thoughtMs: ms(30 * MINUTE).describe(
    'How long a reply of a model may be waited for before it is done without',
  ),
  thoughtTries: count(3).describe('How often a reply of a model is begun before it is done without'),
  humanReminderMs: ms(DAY).describe('How long something waits for you before you are reminded'),
  mergeMs: ms(8 * HOUR).describe(
    'How long an approved item may wait for its merge, those before it included',
  ),
  heartbeatMs: ms(30 * SECOND).describe('How often an agent says that it is there'),
  degradedMs: ms(60 * SECOND).describe('An agent that says nothing for so long is degraded'),
  unresponsiveMs: ms(120 * SECOND).describe('And for so long, unresponsive'),
  pollMs: ms(2 * SECOND).describe('How often an idle agent asks for work'),
  sweepMs: ms(5 * SECOND).describe('How often the supervisor looks at deadlines and processes'),
  stopGraceMs: ms(5 * SECOND).describe('How long a process has to end by itself before it is killed'),
  restartsPerHour: count(20).describe('Restarts of one agent before a person is asked'),
  pushRetries: count(3).describe('How often a push that fails is tried again'),
  fetchMs: ms(8 * SECOND).describe('How long origin is waited for before work starts from what is here'),
  conflictFiles: count(5).describe('A conflict in this many files is left to a person'),
  pendingConflicts: count(5).describe('More conflicts than this, and nothing new is claimed'),
  foresightMs: ms(10 * SECOND).describe('How often live branches are held against each other'),
  outputTailBytes: count(16_384).describe('The end of an output that is shown and told'),
  outputBytes: count(100 * MIB).describe(
    'How much of what a command prints is kept; of more, its beginning and its end, and the item says so',
  ),
  checkpointFileBytes: count(50 * MIB).describe(
    'A new file that is larger is in no checkpoint and no commit; the run says so',
  ),
  checkpointBytes: count(200 * MIB).describe(
    'What the new files of a checkpoint may hold together; the largest are left out, and the run says so',
  ),
  bodyBytes: count(1_048_576).describe('The longest request that the daemon reads'),
  observationsPerPhase: count(500).describe('Observations that are kept of one phase'),
  goalIterations: count(15).describe('Rounds of plan, act, observe and reflect for one goal'),
  stuckAfter: count(3).describe('The same plan or the same failure this often, and a person is asked'),
  engineBreakMs: ms(10 * MINUTE).describe('How long an engine rests whose key or account was refused'),
  steps: count(100).describe(
    'Steps of one turn, a step being a call of the model that offers tools; at the limit the turn ends and is checked',
  ),
  turnMs: ms(2 * HOUR).describe('How long one turn may take, without the time in which it was held'),
  providerHoldMs: ms(10 * MINUTE).describe(
    'How long a call is held inside its turn while the provider is in trouble; then the item goes back unharmed',
  ),
  providerRestMs: ms(2 * SECOND).describe(
    'How long a model rests after trouble of its provider; doubles with every try that fails',
  ),
  providerRestMsMax: ms(MINUTE).describe(
    'The longest rest of a model whose provider names no time of its own; one that does is believed up to 15 minutes',
  ),
  giveBacks: count(5).describe(
    'How often an item may go back because of its engine while that engine serves others, before a person is asked',
  ),
  giveBackMs: ms(DAY).describe(
    'How long trouble of its engine may send one item back, whatever becomes of others, before a person is asked',
  ),
  groupsPerAttempt: count(8).describe('Causes of failures that one improvement takes on, one turn each'),
  assumedCallUSD: z
    .number()
    .positive()
    .max(1_000)
    .default(0.5)
    .describe('What a call of a model is taken to cost until the real figure is known'),
  itemCostUSD: z
    .number()
    .positive()
    .max(1_000_000)
    .default(5)
    .describe('What one item may cost: at the limit no further call is made for it, and a person is asked'),
  callsPerMinute: count(120).describe('Calls of models that the whole crew may begin within a minute'),
  callsAtOnce: count(20).describe(
    'Calls of models that the whole crew may have under way at once; further ones wait in their order',
  ),
  memoryFreeMb: count(500).describe(
    'With less memory free (in MB), one agent works at a time until there is a quarter more',
  ),
  loadPerCore: z
    .number()
    .positive()
    .max(10_000)
    .default(20)
    .describe('With a higher load for each core, one agent works at a time until it is down by a fifth'),
  promptTokens: count(60_000).describe('What an engine is told at most'),
  agents: z.int().min(1).max(10).default(10).describe('The most agents that a crew may have'),
})
