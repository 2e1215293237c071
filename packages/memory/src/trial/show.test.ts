// What a run is shown, and what the end of a run says about it. Pure, as tables.
import { freshLesson, type Lesson, type LessonVerdict, NewLesson } from '@treadle/contracts/lesson'
import { RunRecall } from '@treadle/contracts/recall'
import { blankRun, phaseRecord } from '@treadle/contracts/run'
import { NOW, RUN, sampleItem } from '@treadle/flow/work/testing/sample'
import { expect, test } from 'vitest'
import { isWithheld } from './draw.ts'
import { outcomeOf, trialOf } from './outcome.ts'
import { decideShown, merged, queriesOf, type ShowFacts, stratumOf } from './show.ts'
import type { LessonUse } from './uses.ts'

const ID = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const lesson = (n: number, verdict: LessonVerdict = 'on_trial'): Lesson => ({
  ...freshLesson(NewLesson.parse({ type: 'gotcha', topic: `t${n}` }), ID(n), NOW),
  verdict,
})
const facts = (changes: Partial<ShowFacts> = {}): ShowFacts => ({
  ranked: [],
  limit: 5,
  known: [],
  runId: RUN,
  attempt: 1,
  stratum: 'shop item',
  drawn: new Map(),
  trial: { on: true, withheldShare: 0.3 },
  now: NOW,
  ...changes,
})

test('the coin decides for what is on trial; nothing else is kept back', () => {
  const verdicts: LessonVerdict[] = ['on_trial', 'promoted', 'unproven']
  for (const verdict of verdicts) {
    const ranked = Array.from({ length: 60 }, (_, n) => lesson(n, verdict))
    const { shown, withheld, decided } = decideShown(facts({ ranked, limit: 60 }))
    expect(shown.length + withheld.length).toBe(60)
    expect(decided).toHaveLength(60)
    for (const use of decided) {
      const draw = { lessonId: use.lessonId, stratum: 'shop item', nth: 0, withheldShare: 0.3 }
      expect(use.given).toBe(verdict === 'on_trial' && isWithheld(draw) ? 'withheld' : 'shown')
      expect(use.drawn).toBe(verdict === 'on_trial')
    }
    expect(withheld.length > 0).toBe(verdict === 'on_trial')
  }
})

test('without a trial all are shown, and none counts', () => {
  const ranked = Array.from({ length: 30 }, (_, n) => lesson(n))
  const trial = { on: false, withheldShare: 0.3 }
  const { shown, decided } = decideShown(facts({ ranked, limit: 30, trial }))
  expect(shown).toHaveLength(30)
  expect(decided.every(({ drawn, given }) => !drawn && given === 'shown')).toBe(true)
})

test('what is beyond the limit, or retired, is left out with the reason', () => {
  const ranked = [lesson(1, 'promoted'), lesson(2, 'retired'), lesson(3, 'promoted')]
  const { shown, leftOut } = decideShown(facts({ ranked, limit: 2 }))
  expect(shown.map(({ id }) => id)).toEqual([ID(1)])
  expect(leftOut).toEqual([
    { lessonId: ID(2), why: 'it was found not to help' },
    { lessonId: ID(3), why: '2 others fit better' },
  ])
})

test('what was decided for the run stays; what was left out may still be drawn', () => {
  const old = (n: number, given: LessonUse['given']): LessonUse => ({
    lessonId: ID(n),
    runId: RUN,
    stratum: 'shop item',
    nth: 0,
    given,
    why: null,
    attempt: 1,
    drawn: true,
    outcome: null,
    usd: null,
    at: NOW,
    settledAt: null,
  })
  const ranked = [lesson(1), lesson(2), lesson(3, 'promoted'), lesson(4)]
  const known = [old(1, 'shown'), old(2, 'withheld'), old(3, 'left_out'), old(4, 'left_out')]
  for (const nth of [0, 1, 2, 3, 4]) {
    const drawn = new Map([ID(1), ID(2)].map((id) => [id, nth]))
    const again = decideShown(facts({ ranked, known, drawn, limit: 3, attempt: 2 }))
    expect(again.shown.map(({ id }) => id)).toEqual([ID(1), ID(3)])
    expect(again.withheld.map(({ lessonId }) => lessonId)).toEqual([ID(2)])
    expect(again.decided).toMatchObject([{ lessonId: ID(3), given: 'shown', attempt: 2 }])
  }
})

test('one question for each error, or each path; the answers take turns', () => {
  const asked = RunRecall.parse({ action: 'build', signatures: ['A'], similarTo: ['B'], limit: 3 })
  expect(queriesOf(asked)).toEqual([
    { action: 'build', signature: 'A', limit: 8 },
    { action: 'build', similarTo: 'B', limit: 8 },
  ])
  const paths = RunRecall.parse({ paths: ['a.ts', 'b.ts'], topics: ['x'], limit: 100 })
  expect(queriesOf(paths)).toEqual([
    { topics: ['x'], limit: 100, path: 'a.ts' },
    { topics: ['x'], limit: 100, path: 'b.ts' },
  ])
  const [one, two, three] = [lesson(1), lesson(2), lesson(3)]
  expect(merged([[one, two], [], [three, one]], 100)).toEqual([one, three, two])
})

test('many questions together find no more than one of them may', () => {
  const answers = Array.from({ length: 50 }, (_, at) =>
    Array.from({ length: 10 }, (__, n) => lesson(at * 10 + n)),
  )
  expect(merged(answers, 5)).toHaveLength(10)
  expect(merged(answers, 100)).toHaveLength(100)
})

test('what was shown before counts towards the limit, and stays as it was decided', () => {
  const ranked = Array.from({ length: 10 }, (_, n) => lesson(n, 'promoted'))
  const first = decideShown(facts({ ranked: ranked.slice(5) }))
  const known = first.decided.map((use) => ({ ...use, outcome: null, usd: null, settledAt: null }))
  const again = decideShown(facts({ ranked, known }))
  expect(again.shown.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4].map(ID))
  expect(again.leftOut).toHaveLength(5)
  expect(again.decided.map(({ lessonId }) => lessonId)).toEqual([0, 1, 2, 3, 4].map(ID))
})

test('runs are compared with those of the same repository and kind', () => {
  expect(stratumOf('shop', sampleItem())).toBe('shop item')
  expect(stratumOf('shop', sampleItem({ labels: ['goal', 'bug'] }))).toBe('shop goal')
  expect(stratumOf('shop', sampleItem({ labels: ['urgent', 'Bug'] }))).toBe('shop bug')
})

const history = [
  phaseRecord({ phase: 'build', iteration: 0, startedAt: NOW.toISOString(), durationMs: 1, outcome: 'done' }),
]
const run = (outcome: string, iteration: number, tried = true) =>
  blankRun({
    id: RUN,
    item: { projectNumber: 1, number: 1 },
    agentId: 'agent-1',
    startedAt: NOW.toISOString(),
    outcome,
    iteration,
    history: tried ? history : [],
  })

test.each<[string, ReturnType<typeof run>, number, 'good' | 'bad' | null]>([
  ['passed at the first attempt', run('success', 0), 1, 'good'],
  ['passed later', run('success', 1), 1, 'bad'],
  ['passed with the first attempt that was shown it', run('success', 1), 2, 'good'],
  ['gave up', run('escalation', 3), 1, 'bad'],
  ['took too long', run('failed', 0), 1, 'bad'],
  ['was taken away', run('released', 0), 1, null],
  ['was withdrawn', run('withdrawn', 1), 1, null],
  ['never tried', run('escalation', 0, false), 1, null],
])('a run that %s', (_, ended, attempt, outcome) => {
  expect(outcomeOf(ended, attempt)).toBe(outcome)
})

test('a trial for people: what it changes, with an interval, and when it is looked at next', () => {
  const counts = {
    shown: { good: 30, bad: 5, usd: 3 },
    withheld: { good: 5, bad: 10, usd: 2 },
    leftOut: 4,
    used: 40,
  }
  const trial = trialOf({ verdict: 'on_trial', looks: 0 }, counts)
  expect(trial).toMatchObject({ ...counts, nextLookAt: 50 })
  const { low, mean, high } = trial.uplift ?? { low: 0, mean: 0, high: 0 }
  expect([low > 0, low < mean, mean < high]).toEqual([true, true, true])
  const none = { good: 0, bad: 0, usd: 0 }
  expect(
    trialOf({ verdict: 'on_trial', looks: 1 }, { shown: none, withheld: none, leftOut: 0, used: 0 }),
  ).toMatchObject({
    uplift: null,
    nextLookAt: 100,
  })
  expect(trialOf({ verdict: 'promoted', looks: 1 }, counts).nextLookAt).toBeNull()
})
