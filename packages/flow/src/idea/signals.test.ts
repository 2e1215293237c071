import { describe, expect, test } from 'vitest'
import { listed } from './answer-lines.ts'
import { profileIn } from './prompt.ts'
import { readReply } from './signals.ts'

const read = (reply: string) => readReply(reply, 0.3)
const fenced = (given: string) => `Words for you. Shall we?\n\n\`\`\`json\n${given}\n\`\`\`\n`

describe('the JSON block', () => {
  test('is taken out of what is shown, and each part is read by itself', () => {
    const found = read(
      fenced(
        JSON.stringify({
          artifacts: [{ type: 'problem', text: 'Two\nlines' }, { type: 'weather' }, 'x', { type: 'brief' }],
          decisions: [{ type: 'scope', text: 'no sync' }, { type: 'scope' }],
          risks: ['late', { text: 'dear' }, 7],
          questions: ['A?', { text: 'B?' }, 'C?', 'D?'],
          confidence: 0.55,
        }),
      ),
    )
    expect(found.text).toBe('Words for you. Shall we?')
    expect(found.brought).toEqual({
      artifacts: [
        { type: 'problem', summary: 'Two lines', text: 'Two\nlines', confidence: 0.7, by: 'model' },
      ],
      decisions: [{ type: 'scope', text: 'no sync' }],
      risks: [{ text: 'late' }, { text: 'dear' }],
      confidence: 0.55,
    })
    expect(found.questions.map(({ text }) => text)).toEqual(['A?', 'B?', 'C?'])
    expect(found).toMatchObject({ needsModel: false, isNonsense: false })
  })

  test('that says more than is allowed is not believed', () => {
    const found = read(
      fenced('{"confidence": 7, "artifacts": [{"type": "problem", "text": "x", "confidence": 2}]}'),
    )
    expect(found.brought).toEqual({ artifacts: [], decisions: [], risks: [], confidence: 0.3 })
  })

  test('that is code of the person stays where it is', () => {
    const found = read('Like this?\n\n```json\n{"name": "cart"}\n```')
    expect(found.text).toContain('{"name": "cart"}')
    expect(found).toMatchObject({ needsModel: false, isNonsense: false })
  })

  test('that is cut off is read by a model, and not shown', () => {
    const found = read('So it is clear. What is next?\n\n```json\n{"artifacts": [{"type": "prob')
    expect(found).toMatchObject({
      text: 'So it is clear. What is next?',
      needsModel: true,
      isNonsense: false,
    })
  })
})

describe('labels and headings', () => {
  test('bring what stands behind them, up to the next', () => {
    const found = read(
      [
        '## Problem',
        'Nobody knows what is in the fridge.',
        '',
        '**MVP features:**',
        '- **Scan**: reads a receipt',
        '- **Warn**: before it is too late',
        '',
        '**Validation**: ten of twelve asked throw food away',
        '**Risks**:',
        '- receipts fade',
        '- nobody scans',
        '',
        'Confidence: 45 %. Is that so?',
      ].join('\n'),
    )
    expect(found.brought).toMatchObject({
      artifacts: [
        { type: 'problem', text: 'Nobody knows what is in the fridge.' },
        { type: 'mvp-features', text: '- **Scan**: reads a receipt\n- **Warn**: before it is too late' },
      ],
      decisions: [{ type: 'validation', text: 'ten of twelve asked throw food away' }],
      risks: [{ text: 'receipts fade' }, { text: 'nobody scans' }],
      confidence: 0.45,
    })
    expect(found.questions).toMatchObject([{ text: 'Confidence: 45 %. Is that so?' }])
  })

  test('that ask bring nothing', () => {
    expect(read('**Target user**: who would that be?').brought.artifacts).toEqual([])
  })
})

test.each(['', '   ', '%%%', 'ok', '{}'])('%j is nonsense', (reply) => {
  expect(read(reply).isNonsense).toBe(true)
})

test.each([
  ['a reply', () => read(`# ${' '.repeat(20_000)}x:y`)],
  ['a profile', () => profileIn(`${' '.repeat(12_000)}!`)],
  ['an answer', () => listed(`a${' '.repeat(80_000)}b`, { commas: true })],
])('%s of very many spaces is read in no time', (_, readAll) => {
  const began = performance.now()
  readAll()
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('a very long reply of brackets is read in no time', () => {
  const began = performance.now()
  for (const part of ['[', '**', '```json\n{', '#'.repeat(6), '- ']) read(part.repeat(50_000))
  expect(performance.now() - began).toBeLessThan(5_000)
})
