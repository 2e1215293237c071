// What the learner asks, through a daemon: about what a run taught, each lesson once, and what an answer changes.
import { randomUUID } from 'node:crypto'
import type { RunReport } from '@treadle/contracts/event'
import type { Lesson } from '@treadle/contracts/lesson'
import type { QuestionRecord } from '@treadle/contracts/question'
import { type PhaseRecord, phaseRecord } from '@treadle/contracts/run'
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { begin, commitOnBranch, delivery, red, say, type Work } from '../kit/hand-agent.ts'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

const open = useInProcess('any', { settings: { limits: { sweepMs: 300 } } })

const known = (type: Lesson['type'], content: string, more: Partial<Lesson> = {}): Lesson => ({
  id: randomUUID(),
  type,
  content,
  glob: null,
  action: null,
  topic: null,
  signature: null,
  confidence: 0.85,
  discoveredBy: 'ada',
  provenance: { runId: null, attempt: null, commit: null },
  payload: {},
  unconfirmed: false,
  occurrences: 2,
  seenIn: ['1/901', '1/902'],
  verdict: 'on_trial',
  looks: 0,
  weighed: false,
  supersededBy: null,
  supersededAt: null,
  why: null,
  createdAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
  ...more,
})

const record = (phase: PhaseRecord['phase'], iteration: number, more: Partial<PhaseRecord> = {}) =>
  phaseRecord({
    phase,
    iteration,
    startedAt: new Date().toISOString(),
    durationMs: 1,
    outcome: 'done',
    ...more,
  })

/** A run that ends well and has changed these files; with a cause, only after an attempt that failed by it. */
async function taught(daemon: InProcessDaemon, changes: string[], cause?: string): Promise<Work> {
  const { workspace } = daemon
  const work = await begin(daemon, { title: 'Anything' })
  const base = workspace.git('rev-parse', 'main')
  const head = commitOnBranch(workspace, work, { [`${work.ref.number}.txt`]: 'done\n' })
  await say(work, { type: 'build.started', branch: `agent-1/project-${work.ref.number}`, base })
  const built = { type: 'build.finished', summary: 'done', checkpoint: base } as const
  await say(work, { ...built, records: [record('build', 0, { changes })] })
  if (cause !== undefined) {
    const groups = [{ id: 'g1', signature: cause, cause, tests: ['adds'] }]
    const failed = record('test', 0, { outcome: 'failed', groups })
    await say(work, { type: 'verify.failed', gates: [red], why: cause, records: [failed] })
    await say(work, { ...built, records: [record('improve', 1, { changes })] })
  }
  const passed = record('test', cause === undefined ? 0 : 1, { outcome: 'passed' })
  await say(work, { ...delivery(work, head), records: [passed] } as RunReport)
  await eventually('it is looked back on', async () => {
    const { items } = await daemon.client.listRetrospectives({ query: { limit: 50 } })
    return items.some(({ runId }) => runId === work.claim.run.id) ? true : undefined
  })
  return work
}

const about = async ({ client }: InProcessDaemon, event: string, words: string): Promise<QuestionRecord[]> =>
  (await client.listQuestions({ query: {} })).items.filter(
    (each) => each.event === event && each.text.includes(words),
  )
const asked = (daemon: InProcessDaemon, event: string, words: string) =>
  eventually(`${event} is asked`, async () => (await about(daemon, event, words))[0])
const labels = ({ options }: QuestionRecord) => options.map(({ label }) => label)
const answer = ({ client }: InProcessDaemon, { id }: QuestionRecord, text: string) =>
  client.answerQuestion({ params: { id }, body: { text, by: 'ada' } })
const lesson = ({ client }: InProcessDaemon, id: string, is: (lesson: Lesson) => boolean) =>
  eventually('the lesson changes', async () => {
    const { lesson: found } = await client.showLesson({ params: { id } })
    return is(found) ? found : undefined
  })

verifies(
  ['AGENT-QUESTION-37', 'AGENT-QUESTION-38'],
  'a run that shows a pattern and a gotcha again asks about each once, nobody waits, and the answer is carried out',
  async (context) => {
    const daemon = await open(context)
    const files = ['lib/a.js', 'test/a.test.js']
    const pattern = 'A change to *.js comes with a test in test/*.js.'
    const cause = 'TypeError: the clock has no zone'
    await taught(daemon, files)
    await taught(daemon, ['clock.py'], cause)
    expect((await daemon.client.listQuestions({ query: {} })).items).toEqual([])
    await taught(daemon, files)
    await taught(daemon, ['clock.py'], cause)
    const seen = await asked(daemon, 'pattern_detected', pattern)
    expect(seen).toMatchObject({ type: 'confirming', blocking: false, status: 'open', allowFreeText: true })
    expect(seen.text).toContain(`Pattern: ${pattern}`)
    expect(seen.text).toMatch(/Seen: 2 times\nWhere: \*\.js, item 1\/1, item 1\/3/)
    expect(labels(seen)).toEqual([
      'Yes, add it',
      'Not a real pattern',
      'Refine it first...',
      'Show me examples',
    ])
    expect(seen.options[0]?.recommended).toBe(true)
    const warned = await asked(daemon, 'gotcha_candidate', cause)
    expect(warned).toMatchObject({ type: 'confirming', blocking: false, status: 'open', allowFreeText: true })
    expect(warned.text).toMatch(/Where: \*\.py\nWhy it matters: it came up 2 times/)
    expect(labels(warned)).toEqual([
      'Yes, add to Knowledge Base',
      "It's project-specific, don't generalize",
      'Reword it...',
    ])
    const idOf = ({ subject }: QuestionRecord) => subject?.replace('lesson ', '') ?? ''
    await answer(daemon, seen, 'Not a real pattern')
    await lesson(daemon, idOf(seen), ({ verdict }) => verdict === 'retired')
    await taught(daemon, ['clock.py'], cause)
    await answer(daemon, warned, 'Reword it: Write times with their zone')
    const old = await lesson(daemon, idOf(warned), ({ supersededBy }) => supersededBy !== null)
    expect(await daemon.client.showLesson({ params: { id: old.supersededBy ?? '' } })).toMatchObject({
      lesson: { content: 'Write times with their zone', discoveredBy: 'ada' },
    })
    await taught(daemon, files)
    expect(await about(daemon, 'pattern_detected', pattern)).toHaveLength(1)
    expect(await about(daemon, 'gotcha_candidate', cause)).toHaveLength(1)
  },
)

verifies(
  'AGENT-QUESTION-39',
  'a pattern that is sure and often seen waits for a word before it goes into CLAUDE.md, on a branch of its own',
  async (context) => {
    const daemon = await open(context)
    const { workspace } = daemon
    const words = 'Read each setting once and hand it on'
    const sure = known('pattern', words, { confidence: 0.95, occurrences: 3 })
    const unsure = known('pattern', 'Name a table after its noun', { confidence: 0.89, occurrences: 3 })
    const seldom = known('pattern', 'Close handles in the order they were opened', { confidence: 0.95 })
    await daemon.client.restoreLessons({ body: { lessons: [sure, unsure, seldom] } })
    await taught(daemon, ['nothing.txt'])
    const question = await asked(daemon, 'claude_md_promotion', words)
    expect(question).toMatchObject({ type: 'blocking', blocking: true, status: 'open', dueAt: null })
    expect(labels(question)).toEqual([
      'Yes, promote it',
      'Not yet, needs more validation',
      'Modify it...',
      'Keep it in Knowledge Base only',
    ])
    for (const other of [unsure, seldom])
      expect(await about(daemon, 'claude_md_promotion', other.content)).toEqual([])
    const branch = `treadle/lessons-${sure.id.slice(0, 8)}`
    expect(workspace.git('branch', '--list', branch)).toBe('')
    await answer(daemon, question, 'Yes, promote it')
    await lesson(daemon, sure.id, ({ verdict }) => verdict === 'promoted')
    expect(workspace.git('show', `${branch}:CLAUDE.md`)).toContain(`- ${words}`)
  },
)
