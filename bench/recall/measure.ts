// How long it takes to recall a lesson among ten thousand, the ways a run asks for them.
import { randomUUID } from 'node:crypto'
import { freshLesson, type Lesson, LessonQuery, NewLesson } from '@treadle/contracts/lesson'
import { signatureAsked } from '@treadle/flow/verify/failure/signature-asked'
import { LessonIndex } from '@treadle/memory/lesson-index'
import { type OpenStore, openStore, type StoreTarget } from '@treadle/store/connect'
import type { z } from 'zod'
import { signatureIn } from '../hindsight/cases.ts'
import samples from '../hindsight/samples.json' with { type: 'json' }
import { percentile, ratio, round, table } from '../start/numbers.ts'
import { openTrigrams } from './trigrams.ts'

/** What an answer may take. */
export const LIMIT_MS = 20
const WARM_UP = 20
export const PEER = 'by a like error, with pg_trgm'
const ACTIONS = ['build', 'repair', 'review', 'edit', null] as const
const VERDICTS = ['on_trial', 'on_trial', 'promoted', 'unproven', 'retired'] as const
const WORDS =
  `lease queue cache index retry socket parser schema token branch commit worktree migration fixture
  header cursor snapshot budget ledger reviewer daemon agent prompt signal timeout buffer encoder stream handle
  column trigger vacuum replica session cookie router bundle loader harness seed clock mutex`.split(/\s+/)

export interface Timing {
  readonly name: string
  readonly p50: number
  readonly p99: number
}

type Query = z.input<typeof LessonQuery>

/** Lessons as in a long life: real errors with other names, sentences, globs of many folders. */
function lessonAt(nth: number): Lesson {
  const word = (step: number) => WORDS[(nth * step + step) % WORDS.length] ?? ''
  const printed = signatureIn(samples[nth % samples.length]?.recorded ?? '')
  const folder = `src/${word(3)}/${word(5)}-${nth % 211}`
  const glob =
    [null, '*.ts', `${folder}/**`, `${folder}/${word(7)}.ts`, `**/${word(11)}-*.{ts,js}`][nth % 5] ?? null
  const type = (['gotcha', 'pattern', 'resolution', 'unresolved_error'] as const)[nth % 4] ?? 'gotcha'
  const given = NewLesson.parse({
    type,
    content: `When the ${word(1)} of the ${word(13)} is ${word(17)}ed, check ${word(19)} ${nth} and the ${word(23)} first`,
    glob,
    action: ACTIONS[nth % ACTIONS.length] ?? null,
    topic: nth % 3 === 0 ? null : word(29),
    signature: type === 'pattern' ? null : `${printed} @ ${word(2)}${nth} (${folder}/${word(7)}.ts)`,
    confidence: 0.5 + (nth % 50) / 100,
    payload: { summary: `what was done about ${word(31)}`, diff: `-${word(37)}\n+${word(41)}\n`.repeat(40) },
  })
  const verdict = VERDICTS[nth % VERDICTS.length] ?? 'on_trial'
  return { ...freshLesson(given, randomUUID(), new Date(nth * 1_000)), verdict }
}

const QUESTIONS: Readonly<Record<string, (turn: number) => Query>> = {
  'by path and action': (turn) => ({
    type: 'gotcha',
    path: `src/${WORDS[turn % WORDS.length]}/${WORDS[(turn * 5) % WORDS.length]}-${turn % 211}/main.ts`,
    action: 'build',
  }),
  'by topics': (turn) => ({ type: 'pattern', topics: [WORDS[turn % WORDS.length] ?? '', 'naming'] }),
  'by signature': (turn) => ({ signature: lessonAt(turn * 4 + 2).signature ?? '' }),
  'by a like error': (turn) => ({
    similarTo: samples[turn % samples.length]?.asked ?? '',
    type: 'resolution',
  }),
  'by words': (turn) => ({ text: `${WORDS[turn % WORDS.length]} check ${turn * 7}` }),
  'by a word that all have': (turn) => ({ text: 'check first', type: turn % 2 === 0 ? 'gotcha' : undefined }),
  'by words none has all of': (turn) => ({
    text: `the ${WORDS[turn % WORDS.length]} unheard ${WORDS[(turn * 3) % WORDS.length]} broke`,
  }),
}

export async function measure(
  target: StoreTarget,
  plan: { lessons: number; turns: number; schema?: string },
): Promise<Timing[]> {
  const { schema = 'treadle', turns } = plan
  const store = await openStore(target, { now: () => new Date(), schema })
  try {
    const timings = await measureOn(store, plan)
    const peer = target.is === 'server' ? await openTrigrams(target.url, schema) : null
    if (peer === null) return timings
    const took = await timed(turns, (turn) =>
      peer.find(signatureIn(samples[turn % samples.length]?.asked ?? '')),
    )
    await peer.close()
    return [...timings, { name: PEER, ...took }]
  } finally {
    await store.close()
  }
}

async function measureOn(
  store: OpenStore,
  { lessons, turns }: { lessons: number; turns: number },
): Promise<Timing[]> {
  const all = Array.from({ length: lessons }, (_, nth) => lessonAt(nth))
  for (let from = 0; from < lessons; from += 1_000) await store.lessons.restore(all.slice(from, from + 1_000))
  const index = new LessonIndex(store.lessons, signatureAsked)
  const timings: Timing[] = []
  const peer = await timed(turns, (turn) => store.lessons.find(all[turn % lessons]?.id ?? ''))
  timings.push({ name: 'one lesson by its id', ...peer })
  for (const [name, query] of Object.entries(QUESTIONS))
    timings.push({ name, ...(await timed(turns, (turn) => index.recall(LessonQuery.parse(query(turn))))) })
  const changed = await timed(turns, async (turn) => {
    await store.lessons.reconsider(all[turn % lessons]?.id ?? '', { looks: 1, why: 'bench' }, new Date())
    const before = performance.now()
    await index.recall(LessonQuery.parse(QUESTIONS['by a like error']?.(turn) ?? {}))
    return performance.now() - before
  })
  timings.push({ name: 'by a like error, after a change', ...changed })
  const path = await timed(turns, async (turn) => {
    await store.lessons.reconsider(all[turn % lessons]?.id ?? '', { looks: 1, why: 'bench' }, new Date())
    const before = performance.now()
    await index.recall(LessonQuery.parse(QUESTIONS['by path and action']?.(turn) ?? {}))
    return performance.now() - before
  })
  timings.push({ name: 'by path and action, after a change', ...path })
  const recorded = await timed(turns, (turn) => {
    const content = `Avoid: the zebra ${turn} fails in the quagga module`
    return store.lessons.record(
      NewLesson.parse({ type: 'gotcha', content, signature: `E${turn}` }),
      new Date(),
    )
  })
  return [...timings, { name: 'one more is recorded', ...recorded }]
}

/** What the body answers with, if that is a number, is the time that counts. */
async function timed(
  turns: number,
  body: (turn: number) => Promise<unknown>,
): Promise<{ p50: number; p99: number }> {
  const took: number[] = []
  for (let turn = -WARM_UP; turn < turns; turn += 1) {
    const before = performance.now()
    const own = await body(turn + WARM_UP)
    const ms = typeof own === 'number' ? own : performance.now() - before
    if (turn >= 0) took.push(ms)
  }
  return { p50: percentile(took, 50), p99: percentile(took, 99) }
}

export function printed(title: string, timings: readonly Timing[]): string {
  const peer = timings[0]?.p50 ?? Number.NaN
  const rows = timings.map(({ name, p50, p99 }) => [
    name,
    round(p50, 2),
    round(p99, 2),
    round(p50 / LIMIT_MS, 2),
    round(p99 / LIMIT_MS, 2),
    ratio(p50, peer),
  ])
  const head = [
    'question',
    'p50 ms',
    'p99 ms',
    `p50 of ${LIMIT_MS} ms`,
    `p99 of ${LIMIT_MS} ms`,
    'to one by id',
  ]
  return table(title, [head, ...rows])
}
