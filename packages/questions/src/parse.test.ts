import { verifies } from '@treadle/requirements/verifies'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { questionsIn } from './parse.ts'

const asker = { agent: 'agent-1', phase: 'act', sessionId: 'run' }
const spoken = {
  type: 'clarifying',
  text: 'Tabs or spaces?',
  context: 'The files disagree.',
  options: [
    { label: 'Spaces', description: 'As in most files', recommended: true },
    { label: 'Tabs', implications: 'Most files change' },
  ],
  default: 'Spaces',
  allowFreeText: true,
}
const json = (change: object = {}) => JSON.stringify({ question: { ...spoken, ...change } }, null, 2)
const texts = (response: string) =>
  questionsIn(response, asker).map((found) => (found.is === 'question' ? found.question.text : found.why))

verifies('AGENT-QUESTION-43', 'a question in an answer is read with all that it says', () => {
  const found = questionsIn(`I looked at it.\n\n\`\`\`json\n${json()}\n\`\`\`\n\nI go on.`, asker)
  expect(found).toMatchObject([
    {
      is: 'question',
      question: {
        agent: 'agent-1',
        phase: 'act',
        sessionId: 'run',
        type: 'clarifying',
        text: 'Tabs or spaces?',
        context: 'The files disagree.',
        options: [
          { label: 'Spaces', description: 'As in most files', recommended: true },
          { label: 'Tabs', implications: 'Most files change' },
        ],
        defaultOption: 'Spaces',
        allowFreeText: true,
        event: null,
      },
    },
  ])
})

const one = ['Tabs or spaces?']
const places: [where: string, response: string, expected: string[]][] = [
  ['bare', json(), one],
  ['in a sentence', `Well, ${JSON.stringify({ question: spoken })} that is it.`, one],
  ['in a fence without a language', `\`\`\`\n${json()}\n\`\`\``, one],
  ['in a fence of tildes', `~~~json\n${json()}\n~~~`, one],
  ['in a fence within a list', `- so:\n    \`\`\`json\n${json()}\n    \`\`\``, one],
  ['in a fence that is never closed', `\`\`\`json\n${json()}`, one],
  ['with Windows line ends', `\`\`\`json\n${json()}\n\`\`\``.replaceAll('\n', '\r\n'), one],
  ['twice', `${json()}\n${json({ text: 'How many?' })}`, ['Tabs or spaces?', 'How many?']],
  ['in a list', `[${json()}, ${json({ text: 'How many?' })}]`, ['Tabs or spaces?', 'How many?']],
  [
    'with braces in its words',
    json({ text: 'Is "}" or {"question": } meant?' }),
    ['Is "}" or {"question": } meant?'],
  ],
  ['after code', `\`\`\`ts\nconst a = {\n\`\`\`\n${json()}`, one],
  ['quoted in a program', `\`\`\`ts\nconst a = ${json()}\n\`\`\``, []],
  ['quoted in a diff', `\`\`\`diff\n+${JSON.stringify({ question: spoken })}\n\`\`\``, []],
  ['that is a mere string', '{"answer": {"question": "what?"}}', []],
  ['nowhere', 'Nothing to ask. {"a": 1} "question"', []],
  ['nowhere at all', '', []],
]

test.for(places)('a question %s', ([, response, expected]) => {
  expect(texts(response)).toEqual(expected)
})

test('what a model leaves out is filled in', () => {
  const [found] = questionsIn(
    '{"question": {"type": "Blocking", "text": "Which port?", "options": null}}',
    asker,
  )
  expect(found).toMatchObject({
    is: 'question',
    question: { type: 'blocking', text: 'Which port?', options: [], allowFreeText: true, context: '' },
  })
  const [words] = questionsIn(json({ options: ['Spaces', 'Tabs'] }), asker)
  expect(words).toMatchObject({ question: { options: [{ label: 'Spaces' }, { label: 'Tabs' }] } })
  const [recommended] = questionsIn(json({ default: null }), asker)
  expect(recommended).toMatchObject({ question: { defaultOption: 'Spaces' } })
})

const broken: [what: string, response: string, why: RegExp][] = [
  ['a comma too many', '{"question": {"type": "blocking", "text": "a",}}', /JSON/],
  ['no end', `${json().slice(0, -1)}`, /not closed/],
  ['an open string', '{"question": {"text": "a}}', /not closed|JSON/],
  ['an unknown type', json({ type: 'rhetorical' }), /type/],
  ['no text', json({ text: undefined }), /text/],
  ['an empty text', json({ text: '  ' }), /text/],
  ['a number as text', json({ text: 7 }), /text/],
  ['two options alike', json({ options: ['a', 'a'], default: 'a' }), /same label/],
  ['no safe default', json({ default: null, options: ['a', 'b'] }), /safe default/],
  ['too many options', json({ options: Array.from({ length: 21 }, (_, n) => `o${n}`) }), /options/],
  ['a text too long', json({ text: 'x'.repeat(30_000) }), /text/],
  ['a size beyond reason', json({ text: 'x'.repeat(100_000) }), /not closed/],
]

test.for(broken)('a question with %s is reported', ([, response, why]) => {
  const [found, ...others] = questionsIn(response, asker)
  expect(others).toEqual([])
  expect(found).toMatchObject({ is: 'broken', why: expect.stringMatching(why) })
  expect(found?.is === 'broken' && found.excerpt.length).toBeLessThanOrEqual(200)
})

test('a broken question does not hide the next one', () => {
  expect(texts(`{"question": {"type": "blocking",\n\n${json()}`)).toContain('Tabs or spaces?')
})

test('nothing a model writes reaches what every object inherits', () => {
  const response = '{"question": {"type": "blocking", "text": "a", "__proto__": {"polluted": true}}}'
  expect(questionsIn(response, asker)).toMatchObject([{ is: 'question' }])
  expect('polluted' in {}).toBe(false)
})

test('of a huge answer the end is read, and only so many questions', () => {
  expect(texts(`${json()}${' '.repeat(2_000_000)}${json({ text: 'How many?' })}`)).toEqual(['How many?'])
  expect(texts(json().repeat(200))).toHaveLength(10)
  expect(texts('{"question":{'.repeat(70_000))).toHaveLength(10)
  expect(texts('{'.repeat(900_000))).toEqual([])
  expect(texts(`{"question":{"a":${'['.repeat(900_000)}`)).toHaveLength(1)
})

test('no answer is too strange to be read, and what is cut off anywhere is never half a question', () => {
  const whole = `before \`\`\`json\n${json()}\n\`\`\` after`
  fc.assert(
    fc.property(fc.nat(whole.length), fc.string({ maxLength: 20 }), (at, noise) => {
      const found = questionsIn(`${whole.slice(0, at)}${noise}${whole.slice(at)}`, asker)
      expect(found.length).toBeLessThanOrEqual(2)
      for (const each of questionsIn(whole.slice(0, at), asker))
        if (each.is === 'question') expect(each.question).toMatchObject({ text: 'Tabs or spaces?' })
    }),
    { numRuns: 1_000 },
  )
})
