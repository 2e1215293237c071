// What a run teaches: divergences, what to avoid, numbers, and how sure one may be. Pure, as tables.
import { NewLesson } from '@treadle/contracts/lesson'
import type { DivergenceClass } from '@treadle/contracts/retrospective'
import { type GroupNote, type PhaseRecord, phaseRecord } from '@treadle/contracts/run'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { NOW, RUN, sampleItem } from '../work/testing/sample.ts'
import { confidenceAfterUse, type UseFacts, validateDiscovery } from './confidence.ts'
import { classifyDivergence, DIVERGENCE_KINDS, type DivergenceFacts, kindOf } from './divergence.ts'
import { failuresOf, happenedIn } from './failures.ts'
import { decideGotcha, type ErrorType, errorTypeOf, type GotchaEvidence } from './gotcha.ts'
import { metricsOf } from './metrics.ts'
import { divergencesOf, filesNamed, type PlannedFacts } from './planned.ts'
import { addedIn } from './retrospective.ts'
import { globOf, gotchaOf, patternsOf } from './teach.ts'

const CLASSES: [row: string, facts: DivergenceFacts, is: DivergenceClass][] = [
  ['AGENT-SIA-9', { type: 'addition', beneficial: true }, 'GOOD:enhancement'],
  ['AGENT-SIA-10', { type: 'addition', beneficial: false }, 'BAD:scope_creep'],
  ['AGENT-SIA-11', { type: 'omission', intentional: true }, 'NEUTRAL:intentional_skip'],
  ['AGENT-SIA-12', { type: 'omission', intentional: false }, 'BAD:missed_requirement'],
  ['AGENT-SIA-13', { type: 'modification', improvement: true }, 'GOOD:optimization'],
  ['AGENT-SIA-14', { type: 'modification', improvement: false }, 'BAD:deviation'],
  ['AGENT-SIA-15', { type: 'rename', beneficial: true, intentional: true, improvement: true }, 'UNKNOWN'],
]
for (const [row, facts, is] of CLASSES)
  verifies(row, `${JSON.stringify(facts)} is ${is}`, () => {
    expect(classifyDivergence(facts)).toBe(is)
  })

test.each(['addition', 'omission', 'modification'])('%s of which no rule can tell is UNKNOWN', (type) => {
  expect(classifyDivergence({ type, beneficial: null, intentional: null, improvement: null })).toBe('UNKNOWN')
  expect(classifyDivergence({ type })).toBe('UNKNOWN')
})

verifies('AGENT-SIA-16', 'three kinds are to be kept, three to be learned from', () => {
  expect(DIVERGENCE_KINDS.keep).toEqual(['enhancement', 'optimization', 'best_practice'])
  expect(DIVERGENCE_KINDS.learn).toEqual(['shortcut', 'mistake', 'deviation'])
  const kinds: [DivergenceFacts, string | null][] = [
    [{ type: 'addition', beneficial: true }, 'enhancement'],
    [{ type: 'addition', beneficial: true, followsPattern: true }, 'best_practice'],
    [{ type: 'modification', improvement: true }, 'optimization'],
    [{ type: 'omission', intentional: false }, 'shortcut'],
    [{ type: 'modification', improvement: false, broke: true }, 'mistake'],
    [{ type: 'modification', improvement: false }, 'deviation'],
    [{ type: 'omission', intentional: true }, null],
    [{ type: 'addition' }, null],
  ]
  for (const [facts, kind] of kinds) expect(kindOf(facts), JSON.stringify(facts)).toBe(kind)
})

const failure = (changes: Partial<GotchaEvidence>): GotchaEvidence => ({
  selfCorrected: false,
  seenBefore: false,
  errorType: 'OTHER',
  reproducible: false,
  ...changes,
})
const OUTSIDE: ErrorType[] = ['NETWORK', 'TIMEOUT', 'RESOURCE']
const GOTCHAS: [row: string, facts: GotchaEvidence, record: boolean][] = [
  ['AGENT-SIA-18', failure({ selfCorrected: true }), true],
  ['AGENT-SIA-19', failure({ seenBefore: true }), true],
  ...OUTSIDE.flatMap((errorType): [string, GotchaEvidence, boolean][] => [
    ['AGENT-SIA-20', failure({ errorType, reproducible: true }), false],
    ['AGENT-SIA-20', failure({ errorType, selfCorrected: true }), true],
    ['AGENT-SIA-20', failure({ errorType, seenBefore: true }), true],
  ]),
  ['AGENT-SIA-21', failure({ reproducible: true }), true],
  ['AGENT-SIA-21', failure({}), false],
]
for (const [row, facts, record] of GOTCHAS)
  verifies(row, `${JSON.stringify(facts)} ${record ? 'is' : 'is not'} recorded`, () => {
    expect(decideGotcha(facts).record).toBe(record)
  })

test.each<[string, ErrorType]>([
  ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'NETWORK'],
  ['getaddrinfo ENOTFOUND registry', 'NETWORK'],
  ['Test timed out in 5000ms', 'TIMEOUT'],
  ['ENOSPC: no space left on device', 'RESOURCE'],
  ['FATAL ERROR: JavaScript heap out of memory', 'RESOURCE'],
  ['TypeError: timeoutMs is not a function', 'OTHER'],
  ['AssertionError: expected 1 to be 2', 'OTHER'],
])('%s is %s', (text, type) => {
  expect(errorTypeOf(text)).toBe(type)
})

verifies(
  ['AGENT-SIA-23', 'AGENT-SIA-24', 'AGENT-SIA-25'],
  'numbers of a run, and none where there is nothing to divide by',
  () => {
    const times = { startedAt: '2026-01-02T03:00:00.000Z', endedAt: '2026-01-02T03:01:30.000Z' }
    const task = (complete: boolean, attempts: number, hadGotchas: boolean) => ({
      complete,
      attempts,
      hadGotchas,
    })
    const tasks = [task(true, 1, true), task(true, 1, false), task(true, 2, true), task(false, 1, false)]
    expect(metricsOf(tasks, times)).toEqual({
      first_pass_success: 0.5,
      gotcha_effectiveness: 0.5,
      build_duration_minutes: 1.5,
    })
    expect(metricsOf([], times)).toMatchObject({ first_pass_success: 0, gotcha_effectiveness: 0 })
    expect(metricsOf([task(true, 1, false)], times)).toMatchObject({ gotcha_effectiveness: 0 })
  },
)

const use = (changes: Partial<UseFacts> & { confidence?: number } = {}): UseFacts => {
  const { confidence = 0.7, ...facts } = changes
  const lesson = { type: 'gotcha', action: 'build', signature: 'E', confidence } as const
  return { lesson, given: 'shown', expected: true, happened: false, passed: true, ...facts }
}
const CONFIDENCE_CHANGES: [row: string, title: string, facts: UseFacts, to: number | null][] = [
  ['AGENT-KNOWLEDGE-16', 'prevented', use(), 0.95],
  ['AGENT-KNOWLEDGE-16', 'prevented, and was surer already', use({ confidence: 0.97 }), null],
  ['AGENT-KNOWLEDGE-16', 'did not happen, but the run did not pass', use({ passed: false }), null],
  ['AGENT-KNOWLEDGE-16', 'nobody had to expect', use({ expected: false }), null],
  ['AGENT-KNOWLEDGE-16', 'withheld', use({ given: 'withheld' }), null],
  ['AGENT-KNOWLEDGE-17', 'happened all the same', use({ happened: true, passed: false }), 0.55],
  ['AGENT-KNOWLEDGE-17', 'happened and was corrected later', use({ happened: true }), 0.55],
  ['AGENT-KNOWLEDGE-17', 'at the bottom', use({ happened: true, confidence: 0.1 }), null],
  ['AGENT-KNOWLEDGE-17', 'near the bottom', use({ happened: true, confidence: 0.2 }), 0.1],
  ['AGENT-KNOWLEDGE-17', 'withheld', use({ given: 'withheld', happened: true, passed: false }), null],
]
for (const [row, title, facts, to] of CONFIDENCE_CHANGES)
  verifies(row, `a lesson whose failure ${title}: ${to ?? 'as it was'}`, () => {
    expect(confidenceAfterUse(facts)?.confidence ?? null).toBe(to)
  })

test.each<[string, UseFacts['lesson']]>([
  ['a pattern', { type: 'pattern', action: 'build', signature: 'E', confidence: 0.7 }],
  ['one that names no failure', { type: 'gotcha', action: 'build', signature: null, confidence: 0.7 }],
  ['an edit of the search', { type: 'resolution', action: 'repair', signature: 'E', confidence: 0.5 }],
])('%s is neither raised nor lowered by a failure', (_, lesson) => {
  expect(confidenceAfterUse(use({ lesson }))).toBeNull()
  expect(confidenceAfterUse(use({ lesson, happened: true }))).toBeNull()
})

verifies('AGENT-KNOWLEDGE-13', 'a discovery is confirmed, or trusted less', () => {
  const facts = { confidence: 0.7, mendedTogether: 1, flaky: false }
  expect(validateDiscovery(facts)).toMatchObject({ is: 'confirmed' })
  expect(validateDiscovery({ ...facts, flaky: true })).toMatchObject({ is: 'adjusted', confidence: 0.4 })
  expect(validateDiscovery({ ...facts, mendedTogether: 3 })).toMatchObject({ confidence: 0.6 })
  expect(validateDiscovery({ ...facts, mendedTogether: 3, confidence: 0.5 })).toMatchObject({
    is: 'confirmed',
  })
})

const group = (signature: string, tests: string[] = [signature]): GroupNote => ({
  id: signature,
  signature,
  cause: `one test fails: ${signature}`,
  tests,
})
const record = (phase: PhaseRecord['phase'], iteration: number, changes: Partial<PhaseRecord> = {}) =>
  phaseRecord({ phase, iteration, startedAt: NOW.toISOString(), durationMs: 1, outcome: 'done', ...changes })
const HISTORY = [
  record('build', 0, { changes: ['src/a.ts'], summary: 'first idea' }),
  record('test', 0, { outcome: 'failed', groups: [group('A'), group('B')] }),
  record('improve', 1, {
    changes: ['src/b.ts'],
    summary: 'guarded the empty list',
    diff: '+guard',
    checkpoint: 'b'.repeat(40),
  }),
  record('test', 1, { outcome: 'failed', groups: [group('B')] }),
]

test('what failed in a run: after which attempt, how often, and what mended it', () => {
  const [a, b] = failuresOf(HISTORY)
  expect(a).toMatchObject({ attempt: 1, times: 1, files: ['src/a.ts'], mendedBy: { iteration: 1 } })
  expect(b).toMatchObject({ attempt: 1, times: 2, mendedBy: null })
  expect(happenedIn(HISTORY, 'A', 1)).toBe(true)
  expect(happenedIn(HISTORY, 'A', 2)).toBe(false)
})

verifies(
  ['AGENT-SIA-29', 'AGENT-KNOWLEDGE-12'],
  'a mistake that was mended is one to avoid, with its files',
  () => {
    const [failed] = failuresOf(HISTORY)
    if (failed === undefined) throw new Error('nothing failed')
    const run = { id: RUN, item: { projectNumber: 1, number: 7 } }
    const { choice, lesson } = gotchaOf({ run, commit: 'b'.repeat(40), failure: failed, known: [], past: [] })
    expect(choice.record).toBe(true)
    expect(lesson).toMatchObject({
      type: 'gotcha',
      glob: '*.ts',
      confidence: 0.7,
      signature: 'A',
      seenAt: '1/7',
      provenance: { runId: RUN, attempt: 1, commit: 'b'.repeat(40) },
    })
    // Seen, not said: the words of the engine stay beside it, for people.
    expect(lesson.content).toContain('What helped: a change to src/b.ts')
    expect(lesson.payload).toMatchObject({ recommended: '+guard', said: 'guarded the empty list' })
    expect(lesson.content).not.toContain('guarded the empty list')
  },
)

test('another run that met the same makes it worth remembering; the run itself does not', () => {
  const [, failed] = failuresOf([...HISTORY].slice(0, 2))
  if (failed === undefined) throw new Error('nothing failed')
  const run = { id: RUN, item: { projectNumber: 1, number: 7 } }
  const decided = (runId: string) => {
    const { provenance } = NewLesson.parse({ type: 'gotcha', provenance: { runId } })
    return gotchaOf({ run, commit: null, failure: failed, known: [{ provenance }], past: [] }).choice.record
  }
  expect(decided(RUN)).toBe(false)
  expect(decided('00000000-0000-4000-8000-000000000002')).toBe(true)
})

verifies('AGENT-SIA-28', 'what passed is a pattern, the surer the more often it was found', () => {
  const run = { id: RUN, item: { projectNumber: 1, number: 7 } }
  const facts = { run, commit: null, files: ['src/a.ts', 'src/a.test.ts'], past: [], attempts: 1 }
  const [found] = patternsOf(facts)
  expect(found).toMatchObject({ type: 'pattern', glob: '*.ts', topic: 'tests', confidence: 0.7 })
  expect(found?.content).toBe('A change to *.ts comes with a test in src/*.ts.')
  const note = { lessonId: null, type: 'pattern', how: 'recorded', why: '' } as const
  const past = [{ learned: [{ ...note, text: found?.content ?? '' }] }, { learned: [] }]
  expect(patternsOf({ ...facts, past })[0]?.confidence).toBeCloseTo(0.75)
  expect(patternsOf({ ...facts, attempts: 3 })[0]?.confidence).toBe(0.6)
  expect(patternsOf({ ...facts, files: ['src/a.ts'] })).toEqual([])
  const [together] = patternsOf({ ...facts, files: ['db/x.sql', 'src/a.ts'] })
  expect(together?.content).toBe('A change to db/*.sql goes together with one to src/*.ts.')
})

test.each([
  [['src/a.ts', 'lib/b.ts'], '*.ts'],
  [['src/a.ts', 'test/a.spec.js'], '*.ts'],
  [['src/a.ts', 'db/x.sql'], null],
  [['Makefile'], null],
  [[], null],
])('files %j are %s', (files, glob) => {
  expect(globOf(files)).toBe(glob)
})

const planned = (changes: Partial<PlannedFacts> = {}): PlannedFacts => ({
  item: sampleItem({ title: 'Mend src/pump.ts' }),
  plans: [],
  guidance: [],
  summary: '',
  changed: ['src/pump.ts'],
  added: new Set(),
  suspected: [],
  passed: true,
  followed: () => false,
  ...changes,
})
const classes = (facts: PlannedFacts) => divergencesOf(facts).map((each) => `${each.type} ${each.class}`)
const criterion = (status: 'pending' | 'met' | 'not_met') => ({ id: null, text: 'It pumps', status })
const approval = { kind: 'human', by: 'ada', at: NOW.toISOString() } as const

test.each<[string, Partial<PlannedFacts>, string[]]>([
  ['as planned', {}, []],
  [
    'a new test',
    { changed: ['src/pump.ts', 'test/pump.ts'], added: new Set(['test/pump.ts']) },
    ['addition GOOD:enhancement'],
  ],
  ['a file far away', { changed: ['src/pump.ts', 'infra/deploy.ts'] }, ['addition BAD:scope_creep']],
  ['a file near by', { changed: ['src/pump.ts', 'src/valve.ts'] }, ['addition UNKNOWN']],
  [
    'a file that the failure points at',
    { changed: ['src/pump.ts', 'infra/deploy.ts'], suspected: ['infra/deploy.ts'] },
    [],
  ],
  ['nothing named', { item: sampleItem(), changed: ['infra/deploy.ts'] }, []],
  ['a planned file untouched, and it passed', { changed: [] }, ['omission UNKNOWN']],
  [
    'a planned file untouched, and it failed',
    { changed: [], passed: false },
    ['omission BAD:missed_requirement'],
  ],
  [
    'a planned file left on purpose',
    { changed: [], summary: 'I left src/pump.ts as it was.' },
    ['omission NEUTRAL:intentional_skip'],
  ],
  [
    'a criterion not met',
    { item: sampleItem({ title: 'src/pump.ts', acceptance: [criterion('not_met')] }) },
    ['omission BAD:missed_requirement'],
  ],
  [
    'a criterion that a person waived',
    { item: sampleItem({ title: 'src/pump.ts', acceptance: [criterion('not_met')], approval }) },
    ['omission NEUTRAL:intentional_skip'],
  ],
  ['an existing test changed', { changed: ['src/pump.ts', 'test/pump.ts'] }, ['modification BAD:deviation']],
])('plan and change: %s', (_, changes, found) => {
  expect(classes(planned(changes))).toEqual(found)
})

verifies(
  'AGENT-SIA-27',
  'a goal that was planned anew: divergences with classes, and the fact that decided',
  () => {
    const plan = (iteration: number) => ({
      iteration,
      tasks: [{ id: '1', text: 'change src/pump.ts', dependsOn: [], by: 'self' as const }],
      scope: [],
      guidance: [],
      why: '',
    })
    const facts = planned({ plans: [plan(1), plan(2)] })
    expect(divergencesOf(facts)).toEqual([
      {
        type: 'modification',
        what: 'the first plan was replaced once',
        class: 'GOOD:optimization',
        kind: 'optimization',
        why: 'the goal was reached that way',
      },
    ])
    expect(classes({ ...facts, passed: false })).toContain('modification BAD:deviation')
  },
)

test('names of files are found in prose, and versions and sentences are not', () => {
  expect(
    filesNamed('Change src/a-b/pump.ts, then `x.sql`. Use 1.2.3, e.g. now. See https://a.example/b'),
  ).toEqual(['src/a-b/pump.ts', 'x.sql'])
})

test('new files are read from a diff', () => {
  const diff =
    'diff --git a/x.ts b/x.ts\nnew file mode 100644\n--- /dev/null\ndiff --git a/y.ts b/y.ts\nindex 1..2\n'
  expect([...addedIn(diff)]).toEqual(['x.ts'])
})
