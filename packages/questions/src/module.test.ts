import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { QUESTIONING_MODULE } from './module.ts'
import { questionsIn } from './parse.ts'

verifies('AGENT-QUESTION-48', 'the module names the five principles in their order', () => {
  const [, said = ''] = /^Principles: (.*)$/m.exec(QUESTIONING_MODULE) ?? []
  expect(Array.from(said.matchAll(/([A-Z][A-Za-z ]+) \([^()]{10,}\)/g), ([, name]) => name)).toEqual([
    'Curiosity Over Assumption',
    'Forward Thinking',
    'Ownership Building',
    'Excitement Maintenance',
    'Transparent Reasoning',
  ])
})

test('the module names each type, and the one that is waited for', () => {
  expect(QUESTIONING_MODULE).toContain('"blocking|clarifying|confirming|educational|celebratory|preference"')
  expect(QUESTIONING_MODULE).toContain('After `blocking` stop: you will be given the answer.')
})

test('the module takes five lines', () => {
  expect(QUESTIONING_MODULE.split('\n').filter((line) => line !== '')).toHaveLength(5)
})

test('the module says when not to ask', () => {
  for (const words of ['CLAUDE.md', 'trivial', 'asked recently', '"just do it"', '"use your judgment"'])
    expect(QUESTIONING_MODULE.split('Do not ask when')[1]).toContain(words)
})

test('the module shows the shape that is read, and repeating it asks nothing', () => {
  const shown = /\{"question".*\}/.exec(QUESTIONING_MODULE)?.[0] ?? ''
  expect(Object.keys(JSON.parse(shown).question)).toEqual([
    'type',
    'text',
    'context',
    'options',
    'default',
    'allowFreeText',
  ])
  expect(questionsIn(QUESTIONING_MODULE, { agent: 'agent-1' })).toMatchObject([{ is: 'broken' }])
  const meant = QUESTIONING_MODULE.replace(/"blocking\|[a-z|]+"/, '"clarifying"')
  expect(questionsIn(meant, { agent: 'agent-1' })).toMatchObject([{ is: 'question' }])
})
