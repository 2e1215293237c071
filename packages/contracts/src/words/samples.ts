// One event of every kind, and the sentence it makes.
import type { EventType, TreadleEvent } from '../event.ts'
import type { GateResult, TestReport } from '../gate.ts'
import { phaseRecord } from '../run.ts'
import { ALERT_SAMPLES } from './alert-samples.ts'
import { BUILD_SAMPLES } from './build-samples.ts'
import { CATEGORY_SAMPLES } from './category-samples.ts'
import { CONFLICT_SAMPLES } from './conflict-samples.ts'
import { ENVIRONMENT_SAMPLES } from './environment-samples.ts'
import { IDEA_SAMPLES } from './idea-samples.ts'
import { LESSON_SAMPLES } from './lesson-samples.ts'
import { QUESTION_SAMPLES } from './question-samples.ts'
import { SPEC_SAMPLES } from './spec-samples.ts'
import { SPEECH_SAMPLES } from './speech-samples.ts'
import { THOUGHT_SAMPLES } from './thought-samples.ts'

export const commit = '0123456789abcdef0123456789abcdef01234567'
export const at = '2026-11-15T12:00:00.000Z'
export const runId = '00000000-1111-4111-8111-000000000001'
export const evidence = {
  command: 'npm test',
  exitCode: 0,
  signal: null,
  timedOut: false,
  durationMs: 900,
  output: 'a'.repeat(64),
  outputBytes: 10,
  tail: '',
  report: null,
}
export const report: TestReport = {
  format: 'tap',
  total: 5,
  passed: 5,
  failed: 0,
  skipped: 0,
  failures: [],
  warnings: [],
}
export const failure = { id: 'a', file: null, line: null, message: 'no', stack: null }
export const passed: GateResult = { is: 'passed', gate: 'tests_pass', evidence: { ...evidence, report } }
export const SAMPLES: { [T in EventType]: [Extract<TreadleEvent, { type: T }>, string, string | null] } = {
  'item.added': [{ type: 'item.added', title: 'Fix it' }, '#4 was added', 'Fix it'],
  'item.escalated': [{ type: 'item.escalated', why: 'Gave up' }, '#4 needs you', 'Gave up'],
  'item.withdrawn': [{ type: 'item.withdrawn', by: 'owner' }, 'owner withdrew #4', null],
  'item.reopened': [{ type: 'item.reopened', by: 'owner' }, 'owner put #4 back in the queue', null],
  'item.edited': [
    { type: 'item.edited', by: 'ada', changes: { dependsOn: [2, 3], parent: 1, priority: null } },
    'ada edited #4',
    'waits for #2, #3; part of #1; priority none',
  ],
  'item.assigned': [{ type: 'item.assigned', by: 'ada', to: 'agent-2' }, 'ada gave #4 to agent-2', null],
  'claim.taken': [{ type: 'claim.taken', agentId: 'agent-2', runId }, 'agent-2 claimed #4', null],
  'claim.released': [{ type: 'claim.released', why: 'Asked to' }, 'agent-1 gave #4 back', 'Asked to'],
  'claim.expired': [{ type: 'claim.expired', why: 'Silent' }, 'The claim on #4 expired', 'Silent'],
  'claim.extended': [
    { type: 'claim.extended', byMs: 60_000, why: 'agent-1 was paused' },
    'The claim on #4 stands 1 min 0 s longer',
    'agent-1 was paused',
  ],
  'verify.passed': [
    {
      type: 'verify.passed',
      branch: 'agent-1/project-4',
      head: commit,
      gates: [passed],
      pushed: false,
      pushNote: 'no remote',
    },
    '#4 passed its checks',
    'tests passed (5 of 5); not pushed: no remote',
  ],
  'verify.failed': [
    { type: 'verify.failed', gates: [passed], why: '1 test fails' },
    '#4 failed its checks',
    '1 test fails',
  ],
  'review.approved': [
    { type: 'review.approved', approval: { kind: 'human', by: 'owner', at } },
    'owner approved #4',
    null,
  ],
  'review.rejected': [
    { type: 'review.rejected', by: 'owner', feedback: 'Add a test' },
    'owner requested changes to #4',
    'Add a test',
  ],
  'review.checked': [
    { type: 'review.checked', evidence: { level: 'supported', why: 'no test was red before the change' } },
    'The change for #4 is supported',
    'no test was red before the change',
  ],
  'review.referred': [
    { type: 'review.referred', why: 'it has no criteria' },
    'The review of #4 needs you',
    'it has no criteria',
  ],
  'review.claimed': [
    { type: 'review.claimed', reviewId: 7, cycle: 2 },
    'agent-1 began to review #4',
    'delivery 2',
  ],
  'review.escalated': [
    { type: 'review.escalated', reviewId: 7, why: 'nobody took it' },
    'The review of #4 takes too long',
    'nobody took it',
  ],
  'merge.landed': [
    { type: 'merge.landed', commit, target: 'main', note: null },
    '#4 was merged into main',
    'as 01234567',
  ],
  'merge.conflicted': [
    { type: 'merge.conflicted', files: ['a.ts', 'b.ts'], why: 'Both changed' },
    '#4 conflicts in 2 files',
    'a.ts, b.ts',
  ],
  'merge.failed': [
    { type: 'merge.failed', gates: [], why: 'Red after the merge' },
    '#4 could not be merged',
    'Red after the merge',
  ],
  'merge.auto_resolved': [
    { type: 'merge.auto_resolved', head: commit, onto: commit, how: 'rebase', files: ['a.ts'] },
    "#4 was adapted to the target by a rebase; where both changed the same, the target's side was kept",
    'a.ts',
  ],
  'merge.resumed': [
    { type: 'merge.resumed', by: 'ada', head: commit },
    'ada resolved the conflict of #4',
    null,
  ],
  'merge.delivered': [
    {
      type: 'merge.delivered',
      branch: 'agent-1/project-4',
      head: commit,
      pushed: false,
      note: 'no remote',
    },
    '#4 is done on agent-1/project-4',
    'not pushed: no remote',
  ],
  'item.commented': [
    { type: 'item.commented', by: 'treadle', text: 'It conflicts' },
    'treadle commented on #4',
    'It conflicts',
  ],
  'owner.notified': [
    { type: 'owner.notified', about: 'push', text: 'origin is away' },
    '#4 needs your attention',
    'origin is away',
  ],
  ...CONFLICT_SAMPLES,
  'deadline.passed': [
    { type: 'deadline.passed', state: 'in_review' },
    '#4 took too long',
    'in the state in review',
  ],
  ...BUILD_SAMPLES,
  ...SPEECH_SAMPLES,
  ...ALERT_SAMPLES,
  ...THOUGHT_SAMPLES,
  ...CATEGORY_SAMPLES,
  'run.phase': [
    {
      type: 'run.phase',
      record: phaseRecord({
        phase: 'build',
        iteration: 1,
        startedAt: at,
        durationMs: 27_400,
        outcome: 'max_turns',
        summary: 'Half done',
      }),
    },
    'agent-1 ended the phase build of #4: max turns after 27 s',
    'Half done',
  ],
  'run.baseline': [
    { type: 'run.baseline', base: commit, gates: [passed] },
    'agent-1 ran the checks before its change for #4',
    'tests passed (5 of 5)',
  ],
  'run.used': [
    { type: 'run.used', usage: { model: 'large', inputTokens: 1_200, outputTokens: 340, usd: 0.0123 } },
    'agent-1 used 1,540 tokens of large',
    '$0.0123',
  ],
  'run.resumed': [
    { type: 'run.resumed', from: 'build', why: 'Restarted' },
    'agent-1 resumed #4 from build',
    'Restarted',
  ],
  'run.moved': [{ type: 'run.moved', to: 'planning' }, 'agent-1 is planning on #4', null],
  'run.planned': [
    {
      type: 'run.planned',
      plan: {
        iteration: 2,
        tasks: [
          { id: 'a', text: 'Search', dependsOn: [], by: 'self' },
          { id: 'b', text: 'Rename', dependsOn: ['a'], by: 'self' },
        ],
        scope: [],
        guidance: [],
        why: '',
      },
    },
    'agent-1 made plan 2 for #4',
    'Search; Rename',
  ],
  'run.reflected': [
    {
      type: 'run.reflected',
      reflection: {
        iteration: 1,
        verdict: 'not_yet',
        why: 'One usage is left',
        remaining: [],
        question: null,
        stuck: false,
        verified: null,
      },
    },
    'agent-1 checked the goal of #4: not yet',
    'One usage is left',
  ],
  'run.asked': [
    { type: 'run.asked', question: { id: 'q1', kind: 'guidance', title: 'Where to look?', options: [] } },
    'agent-1 has a question about #4',
    'Where to look?',
  ],
  'run.heard': [
    { type: 'run.heard', guidance: ['7b0d4a9e-0d57-4b5e-9d44-0a8f6a0f3c11'] },
    'agent-1 took in 1 word of guidance on #4',
    null,
  ],
  'run.concluded': [
    {
      type: 'run.concluded',
      end: { outcome: 'max_iterations', iterations: 15, summary: 'Three files are left' },
    },
    'agent-1 ended #4: max iterations',
    'Three files are left',
  ],
  'run.paused': [
    { type: 'run.paused', until: '2026-01-01T00:00:00.000Z', why: 'The usage limit is reached' },
    'agent-1 waits with #4 until 2026-01-01T00:00:00.000Z',
    'The usage limit is reached',
  ],
  'run.session': [
    { type: 'run.session', engine: 'claude-code', session: 's1' },
    'agent-1 talks with claude-code about #4',
    null,
  ],
  ...ENVIRONMENT_SAMPLES,
  ...IDEA_SAMPLES,
  ...LESSON_SAMPLES,
  ...QUESTION_SAMPLES,
  'run.guided': [
    {
      type: 'run.guided',
      guidance: {
        id: '7b0d4a9e-0d57-4b5e-9d44-0a8f6a0f3c11',
        by: 'owner',
        text: 'Search only in /src/utils',
        answers: null,
      },
    },
    'owner gave guidance on #4',
    'Search only in /src/utils',
  ],
  'resources.short': [
    { type: 'resources.short', why: 'memory is short', memory: true, load: false },
    'Fewer agents claim',
    'memory is short',
  ],
  'resources.enough': [
    { type: 'resources.enough', memoryFreeMb: 2_048.4, load: 0.52 },
    'All agents claim again',
    '2048 MB are free, the load is 0.5',
  ],
  'engine.suspended': [
    { type: 'engine.suspended', engine: 'native', why: 'The key was refused', until: '2026-01-01T00:00:00Z' },
    'The engine native rests',
    'The key was refused',
  ],
  'engine.rested': [
    { type: 'engine.rested', engine: 'native', why: 'It answers 529', until: '2026-01-01T00:00:00.000Z' },
    'The engine native rests until 00:00:00 UTC, then tries one',
    'It answers 529',
  ],
  'run.retrying': [
    { type: 'run.retrying', engine: 'native', cause: 'It answers 529', attempt: 2, delayMs: 4_000 },
    'agent-1 waits with #4 for native, which tries again in 4.0 s',
    'It answers 529',
  ],
  'run.noted': [{ type: 'run.noted', engine: 'acp', text: 'Not told.' }, 'acp on #4: Not told.', null],
  'agent.started': [{ type: 'agent.started', pid: 42 }, 'agent-1 started', 'process 42'],
  'agent.status_changed': [
    { type: 'agent.status_changed', from: 'idle', to: 'working' },
    'agent-1 is now working',
    null,
  ],
  'agent.status_refused': [
    { type: 'agent.status_refused', from: 'stopped', to: 'working', why: 'It was stopped' },
    'agent-1 said it was working and was not believed',
    'It was stopped',
  ],
  'agent.crashed': [{ type: 'agent.crashed', why: 'SIGKILL' }, 'agent-1 crashed', 'SIGKILL'],
  'agent.stopped': [{ type: 'agent.stopped', why: 'Asked to' }, 'agent-1 stopped', 'Asked to'],
  'recovery.acted': [
    { type: 'recovery.acted', action: 'release_claim', why: 'Gone' },
    'Recovery: release claim',
    'Gone',
  ],
  'cost.logged': [
    {
      type: 'cost.logged',
      model: 'claude-sonnet-4-5',
      tokens: { input: 10, output: 20 },
      costUSD: 0.5,
      assumed: true,
    },
    'agent-1 spent an assumed $0.50',
    'on claude-sonnet-4-5',
  ],
  'budget.crossed': [
    { type: 'budget.crossed', period: 'daily', percent: 90, level: 'error', spentUSD: 45, limitUSD: 50 },
    '90% of the daily budget is spent',
    '$45.00 / $50.00 (90.0%); no new item is claimed',
  ],
  'order.given': [
    {
      type: 'order.given',
      order: 'emergency_stop',
      by: 'ada',
      target: null,
      impact: 'This will stop 1 active agent working on project #4',
      outcome: 'stopped agent-1',
    },
    'ada ordered: emergency stop',
    'stopped agent-1',
  ],
  'notification.created': [
    {
      type: 'notification.created',
      id: 7,
      about: 'item.escalated',
      level: 'error',
      title: '#4 needs you',
      text: 'Three attempts did not help.',
      nextSteps: [{ label: 'See what was tried', command: 'treadle explain 4' }],
      blocking: false,
    },
    'You were notified: #4 needs you',
    'Three attempts did not help.',
  ],
  'notification.acknowledged': [
    { type: 'notification.acknowledged', ids: [7, 8], by: 'ada' },
    'ada has seen 2 notifications',
    null,
  ],
  'notification.resolved': [
    {
      type: 'notification.resolved',
      ids: [7],
      about: ['health.agent_unresponsive'],
      text: 'agent-1 gives no sign of life',
    },
    'It is over: agent-1 gives no sign of life',
    null,
  ],
  'notification.failed': [
    { type: 'notification.failed', ids: [7], channel: 'telegram', why: 'the token was refused' },
    'telegram did not take 1 notification',
    'the token was refused',
  ],
  ...SPEC_SAMPLES,
}
