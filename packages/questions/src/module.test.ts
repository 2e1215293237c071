import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { QUESTIONING_MODULE } from './module.ts'
import { questionsIn } from './parse.ts'

verifies('AGENT-QUESTION-48', 'the module names the five principles in their order', () => {
  const named = QUESTIONING_MODULE.match(/^\d\. [A-Z][A-Za-z ]+: \S.*$/gm)?.map((line) => line.split(': ')[0])
  expect(named).toEqual([
    '1. Curiosity Over Assumption',
    '2. Forward Thinking',
    '3. Ownership Building',
    '4. Excitement Maintenance',
    '5. Transparent Reasoning',
  ])
})

test('the module says of each type when to ask it and whether to wait', () => {
  const rows = Array.from(
    QUESTIONING_MODULE.matchAll(/^\| (\w+) \| .{10,} \| (yes|no) \|$/gm),
    ([, type, waits]) => [type, waits],
  )
  expect(rows).toEqual([
    ['blocking', 'yes'],
    ['clarifying', 'no'],
    ['confirming', 'no'],
    ['educational', 'no'],
    ['celebratory', 'no'],
    ['preference', 'no'],
  ])
})

test('the module says when not to ask', () => {
  for (const words of ['CLAUDE.md', 'trivial', 'asked recently', '"just do it"', '"use your judgment"'])
    expect(QUESTIONING_MODULE.split('Do not ask when:')[1]).toContain(words)
})

test('the module shows the shape that is read, and repeating it asks nothing', () => {
  const shown = /```json\n(.*?)```/s.exec(QUESTIONING_MODULE)?.[1] ?? ''
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
