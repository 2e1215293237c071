// The report for whoever takes over, the story of an attempt, and what is remembered of both.
import { blankRun, type PhaseRecord, phaseRecord, type Run } from '@treadle/contracts/run'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { lessonsOf } from '../learn/extract.ts'
import { groupFailures } from '../verify/failure/group.ts'
import { groupNote } from '../verify/failure/note.ts'
import { deliveryMessage } from '../work/commit-message.ts'
import { COMMIT, green, NOW, RUN, red, sampleItem } from '../work/testing/sample.ts'
import { triedFixes } from '../work/tried-fixes.ts'
import { escalationOf } from './escalation.ts'
import { escalationMarkdown } from './escalation-words.ts'
import { explain } from './explain.ts'

const gate = red('tests_pass', ['pumps', 'holds'])
const failures = gate.is === 'failed' ? gate.failures : []
const groups = groupFailures(failures)
const note = groups.map(groupNote)
const at = { startedAt: NOW.toISOString(), durationMs: 1_500 }
const fixOf = (said: string, lessonId: string | null = null) =>
  note.slice(0, 1).map((group) => ({
    group,
    novel: lessonId === null,
    lessonId,
    confidence: lessonId === null ? null : 0.8,
    engine: 'scripted',
    outcome: 'done' as const,
    prompt: 'e'.repeat(64),
    context: null,
    said,
  }))
const LESSON = '00000000-0000-4000-8000-000000000009'

const history: PhaseRecord[] = [
  phaseRecord({
    ...at,
    phase: 'build',
    iteration: 0,
    outcome: 'done',
    changes: ['src/pump.ts'],
    diff: '-shut\n+open',
    diffOutput: 'f'.repeat(64),
    fixes: fixOf('opened the valve'),
    applied: [{ lessonId: LESSON, type: 'gotcha', topic: 'pressure', confidence: 0.8 }],
  }),
  phaseRecord({ ...at, phase: 'test', iteration: 0, outcome: 'failed', summary: 'still dry', groups: note }),
  phaseRecord({
    ...at,
    phase: 'improve',
    iteration: 1,
    outcome: 'done',
    changes: ['src/valve.ts'],
    fixes: fixOf('warmed it up', LESSON),
  }),
  phaseRecord({ ...at, phase: 'test', iteration: 1, outcome: 'failed', summary: 'still dry', groups: note }),
]
const run: Run = blankRun({
  id: RUN,
  item: { projectNumber: 1, number: 7 },
  agentId: 'agent-1',
  startedAt: NOW.toISOString(),
  iteration: 1,
  baseline: [red('tests_pass', ['pumps'])],
  gates: [gate],
  history,
})
const item = sampleItem({ state: 'escalated', reason: 'tests: 2 failed', runId: RUN })

verifies(
  ['META-ESC-1', 'META-ESC-2', 'META-ESC-3', 'META-ESC-4'],
  'the report lists every attempt with its outcome, what remains and why, and where to look',
  () => {
    const report = escalationOf(item, run)
    expect(
      report.attempts.map(({ attempt, novel, said, changes, result }) => [
        attempt,
        novel,
        said,
        changes,
        result,
      ]),
    ).toEqual([
      [1, true, 'opened the valve', ['src/pump.ts'], 'still fails'],
      [2, false, 'warmed it up', ['src/valve.ts'], 'still fails'],
    ])
    expect(report.remaining.flatMap(({ tests }) => tests).sort()).toEqual(['holds', 'pumps'])
    for (const { cause, message, signature } of report.remaining) {
      expect(cause).not.toBe('')
      expect(message).toContain('expected 1 to be 2')
      expect(signature).not.toBe('')
    }
    expect(report.areas.map(({ place }) => place)).toEqual(['src/pump.ts', 'src/valve.ts'])
    const text = escalationMarkdown(report)
    for (const part of [
      'Mend the pump',
      'tests: 2 failed',
      '## What was tried',
      'Attempt 2, scripted, a known resolution',
      '## What still fails',
      '## Where to look',
      'src/valve.ts',
      'See it fail: npm test',
      `treadle explain ${RUN} 2`,
      'treadle reopen 7',
    ])
      expect(text).toContain(part)
    expect(escalationOf(item, run, true).nextSteps.join('\n')).toContain('treadle fix --engine')
  },
)

test('an item that never got an attempt still gets a report with something to do', () => {
  const bare = blankRun({ id: RUN, item: run.item, agentId: 'agent-1', startedAt: NOW.toISOString() })
  const report = escalationOf(sampleItem({ reason: 'setup failed' }), bare)
  expect(report).toMatchObject({ why: 'setup failed', attempts: [], remaining: [], areas: [] })
  expect(report.nextSteps.length).toBeGreaterThan(0)
  expect(escalationMarkdown(report)).toContain('No attempt was made.')
})

test('an attempt is explained from its evidence; one that never was is not made up', () => {
  const told = explain({ item, run }, { attempt: 1, now: NOW })
  for (const part of [
    'Attempt 1 of run',
    'tests failed (1)',
    'gotcha "pressure"',
    'opened the valve',
    `evidence ${'e'.repeat(64)}`,
    '```diff\n-shut\n+open\n```',
    `evidence ${'f'.repeat(64)}`,
    'failed: still dry',
  ])
    expect(told?.text).toContain(part)
  expect(explain({ item, run }, { attempt: 2, now: NOW })?.text).toContain(`after lesson ${LESSON}`)
  expect(explain({ item, run }, { attempt: 3, now: NOW })).toBeNull()
  expect(explain({ item, run }, { attempt: null, now: NOW })?.escalation).toEqual(escalationOf(item, run))
})

verifies(
  ['META-ESC-5', 'META-ESC-6', 'META-ESC-7'],
  'what nobody could mend is remembered, with its context',
  () => {
    const before = sampleItem({ state: 'verifying', runId: RUN })
    const move = { type: 'verify.failed' as const, gates: [gate], why: 'tests: 2 failed' }
    const lessons = lessonsOf({ before, after: item }, run, move)
    expect(lessons.map(({ type, signature }) => [type, signature])).toEqual(
      note.map(({ signature }) => ['unresolved_error', signature]),
    )
    expect(lessons[0]).toMatchObject({
      provenance: { runId: RUN, attempt: 2 },
      payload: {
        escalation: { item: '1/7', why: 'tests: 2 failed' },
        tried: [{ attempt: 1, said: 'opened the valve' }, { attempt: 2 }],
      },
    })
    expect(
      lessonsOf({ before: item, after: item }, run, { type: 'deadline.passed', state: 'escalated' }),
    ).toEqual([])
  },
)

verifies('META-IMPROVE-9', 'a novel fix that helped becomes a resolution; a known one is not new', () => {
  const passed = phaseRecord({ ...at, phase: 'test', iteration: 1, outcome: 'passed' })
  const move = {
    type: 'verify.passed' as const,
    branch: 'b',
    head: COMMIT,
    gates: [green()],
    pushed: false,
    pushNote: null,
  }
  const after = sampleItem({ state: 'in_review', runId: RUN })
  const of = (records: PhaseRecord[]) =>
    lessonsOf(
      { before: sampleItem({ state: 'verifying', runId: RUN }), after },
      { ...run, history: records },
      move,
    )
  const [build, ...rest] = history
  if (build === undefined) throw new Error('no build')
  const once = of([build, { ...passed, iteration: 0 }])
  expect(once).toMatchObject([
    {
      type: 'resolution',
      signature: note[0]?.signature,
      confidence: 0.7,
      provenance: { runId: RUN, attempt: 1, commit: COMMIT },
      content: 'What helped: a change to src/pump.ts',
      // What the engine said of it is kept for people, and is not the lesson.
      payload: { novel: true, said: 'opened the valve', files: ['src/pump.ts'], diff: '-shut\n+open' },
    },
  ])
  expect(of([build, ...rest.slice(0, 2), passed])).toEqual([])
  expect(lessonsOf({ before: after, after }, run, { ...move, gates: [red()] })).toEqual([])
})

verifies(
  ['META-COMMIT-2', 'META-COMMIT-3', 'META-COMMIT-4', 'META-COMMIT-5', 'META-COMMIT-6', 'META-COMMIT-7'],
  'the delivery commit says what changed and why over all attempts, and carries the facts as trailers',
  () => {
    const passed = phaseRecord({ ...at, phase: 'test', iteration: 1, outcome: 'passed' })
    const records = [...history.slice(0, 3), passed]
    const message = deliveryMessage(sampleItem({ title: `${'very '.repeat(30)}long\ntitle` }), {
      changed: ['src/pump.ts', 'src/valve.ts'],
      fixes: triedFixes(records),
      mended: ['pumps'],
      applied: records.flatMap(({ applied }) => applied),
      iterations: 1,
      runId: RUN,
      gates: [green(), green('linter_pass')],
    })
    const [subject = '', ...body] = message.split('\n')
    expect(subject.length).toBeLessThanOrEqual(72)
    expect(body.join('\n')).toContain('Changes src/pump.ts, src/valve.ts.')
    expect(body.join('\n')).toContain(note[0]?.cause ?? 'a cause')
    expect(body.join('\n')).toContain('Failed before and pass now: pumps.')
    expect(message.split('\n\n').at(-1)?.split('\n')).toEqual([
      'Kind: delivery',
      'Item: 1/7',
      'Iterations-used: 1',
      'Patterns-applied: none',
      `Hindsight-used: ${LESSON}`,
      'Gates: tests_pass=passed, linter_pass=passed',
      `Run: ${RUN}`,
    ])
  },
)

test('an item with a test command of its own is told its own failures; what the suite had before is counted', () => {
  const item = sampleItem({ testCommand: 'npm test -- pump', state: 'escalated', reason: 'still dry' })
  const suite = (names: string[]) => ({ ...red('no_regression', names), gate: 'no_regression' as const })
  const noisy: Run = {
    ...run,
    baseline: [red('tests_pass', ['pumps']), suite(['pumps', 'heats', 'cools'])],
    gates: [red('tests_pass', ['pumps']), suite(['pumps', 'heats', 'cools', 'leaks'])],
    history: [],
  }
  const told = escalationOf(item, noisy)
  expect(told.remaining.flatMap(({ tests }) => tests).toSorted()).toEqual(['leaks', 'pumps'])
  expect(told.older).toBe(2)
  expect(escalationMarkdown(told)).toContain('2 other tests of the suite failed before this item already')
  expect(JSON.stringify(told)).not.toMatch(/heats|cools/)
  expect(escalationOf({ ...item, testCommand: null }, noisy).older).toBe(0)
})
