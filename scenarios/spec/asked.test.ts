// What the catalogue asks about a specification: nothing waits for it, and an answer is carried out.
import type { QuestionRecord } from '@treadle/contracts/question'
import { verifies } from '@treadle/requirements/verifies'
import { beforeEach, expect, test } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { useInProcess } from '../kit/in-process.ts'
import { BRIEF, writeIdea } from './idea-files.ts'

const open = useInProcess('any', { settings: { questions: { celebrate: true } } })
let daemon: Daemon
beforeEach(async (context) => {
  daemon = await open(context)
})

const generate = (ideaSlug: string) =>
  daemon.client.generateSpecification({ body: { ideaSlug, options: { targetComplexity: 'mvp' } } })
const show = (id: string) => daemon.client.showSpecification({ params: { id } })
const about = async (slug: string, event: string): Promise<QuestionRecord[]> => {
  const { items } = await daemon.client.listQuestions({ query: {} })
  return items.filter((each) => each.sessionId === `spec:${slug}` && each.event === event)
}
/** Asked by a job of the event, so a moment later. */
async function asked(slug: string, event: string): Promise<QuestionRecord> {
  await expect.poll(async () => (await about(slug, event)).length, { timeout: 60_000 }).toBeGreaterThan(0)
  return (await about(slug, event))[0] as QuestionRecord
}
const answer = (question: QuestionRecord, text: string) =>
  daemon.client.answerQuestion({ params: { id: question.id }, body: { text, by: 'ada' } })
const labels = ({ options }: QuestionRecord) => options.map(({ label }) => label)
const revisionOf = (slug: string) => expect.poll(async () => (await show(slug)).revision, { timeout: 60_000 })

const VAGUE = BRIEF.replace(
  '- It works offline for a week',
  '- The list opens fast\n\n## Out of scope\n\n- Recipes\n- A shop finder that uses the Google Maps service',
)

verifies(
  ['AGENT-QUESTION-17', 'AGENT-QUESTION-18', 'AGENT-QUESTION-19', 'AGENT-QUESTION-20'],
  'a specification is there at once, with what was left open, and what is open is asked',
  async () => {
    writeIdea(daemon.workspace, 'asked', VAGUE)
    const spec = await generate('asked')
    expect(spec.validation).toMatchObject({ ok: true, problems: [] })
    expect(spec.validation.missing.join('\n')).toContain(
      '"The list opens fast" can be read in more than one way',
    )
    expect(spec.validation.missing.join('\n')).toMatch(
      /There are two good ways to build the storage of .*no database/,
    )
    const ambiguous = await asked('asked', 'requirement_ambiguous')
    expect(ambiguous).toMatchObject({ type: 'blocking', blocking: true, status: 'open', allowFreeText: true })
    expect(ambiguous.text).toContain('"The list opens fast"')
    expect(ambiguous.text).toContain('"fast" mean here')
    expect(labels(ambiguous)).toEqual([
      '< 100ms response time',
      '< 1 second response time',
      'Faster than current solution',
    ])
    const ways = await asked('asked', 'multiple_architectures')
    expect(ways).toMatchObject({ type: 'blocking', status: 'open', allowFreeText: true })
    expect(labels(ways)).toEqual([
      'Option A',
      'Option B',
      'Tell me more about trade-offs',
      'I have a different approach',
    ])
    expect(ways.options[1]?.implications).toContain('nothing to run beside the program')
    expect(ways.text).toMatch(/Effort: \d+ hours/)
    const others = await asked('asked', 'external_dependencies')
    expect(others).toMatchObject({ type: 'educational', blocking: false })
    expect(others.text).toContain('- Google Maps')
    expect(labels(others)).toEqual(["Yes, I've verified", 'Help me check', "Let's design around them"])
    const scope = await asked('asked', 'before_finalize_spec')
    expect(scope).toMatchObject({ type: 'confirming', status: 'open' })
    expect(scope.text).toMatch(
      /In scope:\n- Shared lists\n- Reminders\n- Dark theme\n\nOut of scope:\n- Recipes/,
    )
    expect(labels(scope)).toEqual([
      'Yes, proceed with spec',
      'Add to scope...',
      'Remove from scope...',
      "Let's discuss",
    ])
  },
)

test('an answer is carried out as a revision, and the scope of an earlier one is asked no more', async () => {
  writeIdea(daemon.workspace, 'answered', VAGUE)
  await generate('answered')
  await answer(await asked('answered', 'requirement_ambiguous'), '< 1 second response time')
  await revisionOf('answered').toBe(2)
  expect((await show('answered')).criteria.map(({ text }) => text)).toContain(
    'The list opens fast: < 1 second response time',
  )
  await answer(await asked('answered', 'multiple_architectures'), 'Option B')
  await revisionOf('answered').toBe(3)
  const { tasks, validation } = await show('answered')
  expect(tasks.filter(({ phase }) => phase === 'database')).toEqual([])
  expect(validation.missing.join('\n')).not.toContain('two good ways')
  await expect
    .poll(async () => (await about('answered', 'before_finalize_spec')).map(({ status }) => status).sort(), {
      timeout: 60_000,
    })
    .toEqual(['open', 'withdrawn', 'withdrawn'])
  const scope = (await about('answered', 'before_finalize_spec')).find(({ status }) => status === 'open')
  await answer(scope as QuestionRecord, 'Remove from scope: dark theme')
  await revisionOf('answered').toBe(4)
  expect((await show('answered')).tasks.filter(({ file }) => file.includes('dark-theme'))).toEqual([])
  // One that says how fast is clear.
  expect(await about('answered', 'requirement_ambiguous')).toHaveLength(1)
})

verifies(
  'AGENT-QUESTION-21',
  'a scope that is confirmed completes the specification; yes to building approves that revision, and nothing is open',
  async () => {
    writeIdea(daemon.workspace, 'complete')
    const spec = await generate('complete')
    await answer(await asked('complete', 'before_finalize_spec'), 'Yes, proceed with spec')
    const complete = await asked('complete', 'spec_complete')
    expect(complete).toMatchObject({ type: 'celebratory', status: 'open' })
    for (const words of [
      `Tasks: ${spec.tasks.length}`,
      'Complexity: mvp',
      'Main risks: Two people change one list at once',
    ])
      expect(complete.text).toContain(words)
    expect(labels(complete)).toEqual([
      'Yes, start building!',
      'Let me review the spec first',
      'I have questions...',
    ])
    expect(complete.options[0]?.recommended).toBe(true)
    await answer(complete, '1')
    await expect.poll(async () => (await show('complete')).status, { timeout: 60_000 }).toBe('approved')
    expect(await show('complete')).toMatchObject({ revision: 1, approvedBy: 'ada' })
    await expect
      .poll(
        async () => {
          const { items } = await daemon.client.listQuestions({ query: { status: 'open' } })
          return items.filter(({ sessionId }) => sessionId === 'spec:complete').map(({ event }) => event)
        },
        { timeout: 60_000 },
      )
      .toEqual([])
  },
)

const OPEN = `# Brief: Score board

## Target user

Clubs that play at the weekend

## Problem

Parents phone around to hear how a game stands

## Solution

A page with the scores of a club, kept in Postgres.

## Features

- **Board**: shows the scores of all games in real time, at most 5 s late
- **Entries**: a coach adds and deletes the goals of a game

## Done when

- The board is easy to read
- The responsible person can delete a game
- A coach can delete an entry of a game
- A coach cannot delete an entry of a game
- A goal is on the board 5 s after it was entered
`

verifies(
  ['AGENT-QUESTION-17', 'AGENT-QUESTION-18'],
  'words that nobody can measure, what contradicts itself and a choice that the brief leaves open are asked, and answers settle them',
  async () => {
    writeIdea(daemon.workspace, 'vague', OPEN)
    const spec = await generate('vague')
    const missing = (words: string) => spec.validation.missing.filter((each) => each.includes(words))
    expect(missing('what does "The responsible person" mean?')).toHaveLength(1)
    expect(missing('cannot both hold')).toHaveLength(1)
    await asked('vague', 'before_finalize_spec')
    const unclear = await about('vague', 'requirement_ambiguous')
    expect(unclear.map(({ text }) => /"(\w[^"]*)" mean here/.exec(text)?.[1]).sort()).toEqual([
      'The responsible person',
      'easy to read',
    ])
    // What the catalogue offers are times, and these are none.
    expect(unclear.map(({ options }) => options)).toEqual([[], []])
    const [opposed] = await about('vague', 'requirements_contradict')
    const [ways] = await about('vague', 'multiple_architectures')
    if (opposed === undefined || ways === undefined) throw new Error('it was not asked')
    expect(await about('vague', 'multiple_architectures')).toHaveLength(1)
    expect(ways.text).toContain('There are two good ways to build Board.')
    expect(ways.options[0]?.implications).toContain('a change is seen within a second')

    await answer(ways, 'Option A')
    await revisionOf('vague').toBe(2)
    await answer(opposed, 'The second holds')
    await revisionOf('vague').toBe(3)
    const person = unclear.find(({ text }) => text.includes('"The responsible person"'))
    await answer(person as QuestionRecord, 'whoever has entered it')
    await revisionOf('vague').toBe(4)
    const { criteria, validation } = await show('vague')
    expect(criteria.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'Board: a change is seen by others within 1 second',
        'The responsible person can delete a game: whoever has entered it',
      ]),
    )
    const left = validation.missing.join('\n')
    expect(left).not.toContain('what does "The responsible person" mean?')
    expect(left).not.toContain('cannot both hold')
    expect(left).toContain('"A coach cannot delete an entry of a game" holds, not "A coach can delete')
    await expect
      .poll(async () => (await about('vague', 'before_finalize_spec')).length, { timeout: 60_000 })
      .toBe(4)
    expect(await about('vague', 'requirement_ambiguous')).toHaveLength(2)
    expect(await about('vague', 'multiple_architectures')).toHaveLength(1)
  },
)

test('of a library whose brief says all of it, nothing is asked but whether that is the scope', async () => {
  const text = `# Brief: Date ranges

## Target user

Developers who compute with periods

## Problem

Every project writes its own overlap check, and gets the edges wrong

## Solution

A small TypeScript library for ranges of dates

## Features

- **Overlap**: whether two ranges share a day
- **Split**: cut a range at a date

## Done when

- Overlap of ranges that only touch is false
- Split of a range of 3 days at its second day gives ranges of 1 and 2 days
`
  writeIdea(daemon.workspace, 'clear', text)
  await generate('clear')
  await asked('clear', 'before_finalize_spec')
  const { items } = await daemon.client.listQuestions({ query: {} })
  expect(items.filter(({ sessionId }) => sessionId === 'spec:clear').map(({ event }) => event)).toEqual([
    'before_finalize_spec',
  ])
})
