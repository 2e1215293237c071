import type { RunNote } from '@treadle/contracts/event'
import { expect, test } from 'vitest'
import { TurnSpeech } from './turn-speech.run.ts'

function setUp(how?: { readonly asItComes: boolean }) {
  const notes: RunNote[] = []
  let wake: (() => void) | null = null
  const clock = {
    now: () => new Date(0),
    sleep: () =>
      new Promise<void>((resolve) => {
        wake = resolve
      }),
  }
  const speech = new TurnSpeech({ clock, note: (note) => notes.push(note) }, how)
  const pause = async () => {
    wake?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { notes, speech, pause }
}

const observation = { tool: 'bash', input: 'ls', output: '', durationMs: 1, success: true }

test('the first words are told at once, what follows within a pause together, and before the next call', async () => {
  const { notes, speech, pause } = setUp()
  speech.hear({ is: 'text', text: 'one' })
  expect(notes).toEqual([{ type: 'run.said', text: 'one' }])
  speech.hear({ is: 'text', text: 'two' })
  speech.hear({ is: 'text', text: 'three' })
  expect(notes).toHaveLength(1)
  await pause()
  expect(notes[1]).toEqual({ type: 'run.said', text: 'two\nthree' })
  speech.hear({ is: 'text', text: 'four' })
  speech.hear({ is: 'began', callId: 'c', tool: 'bash', input: 'ls' })
  speech.hear({ is: 'observed', observation })
  expect(notes.slice(2)).toEqual([
    { type: 'run.said', text: 'four' },
    { type: 'run.began', callId: 'c', tool: 'bash', input: 'ls' },
  ])
  speech.hear({ is: 'text', text: 'last' })
  speech.end()
  speech.end()
  speech.hear({ is: 'text', text: 'too late' })
  await pause()
  expect(notes.slice(4)).toEqual([{ type: 'run.said', text: 'last' }])
})

test('an engine that says megabytes is recorded up to a bound, and what was left out is counted', async () => {
  const { notes, speech, pause } = setUp()
  const part = `${'word '.repeat(2_000)}end`
  let said = 0
  for (let n = 0; n < 1_000; n += 1) {
    speech.hear({ is: 'text', text: part })
    said += part.length
    if (n % 3 === 0) await pause()
  }
  speech.end()
  const told = notes.flatMap((note) => (note.type === 'run.said' ? [note] : []))
  const chars = told.reduce((sum, { text }) => sum + text.length, 0)
  expect(told.length).toBeLessThanOrEqual(301)
  expect(chars).toBeLessThanOrEqual(100_000)
  expect(told.every(({ text }) => text.length <= 4_000)).toBe(true)
  const leftOut = told.reduce((sum, each) => sum + (each.leftOut ?? 0), 0)
  expect(chars + leftOut).toBeGreaterThanOrEqual(said)
})

test('a part ends between words, and no character is torn', () => {
  const { notes, speech } = setUp()
  speech.hear({ is: 'text', text: `${'a'.repeat(3_990)} secret-that-is-long` })
  speech.end()
  expect(notes[0]).toMatchObject({ text: 'a'.repeat(3_990) })
  const other = setUp()
  other.speech.hear({ is: 'text', text: '\u{1F600}'.repeat(3_000) })
  expect(JSON.stringify(other.notes[0])).not.toMatch(/\\ud83d"/)
})

test('calls whose beginning is told are bounded, and their input is cut', () => {
  const { notes, speech } = setUp()
  for (let n = 0; n < 600; n += 1)
    speech.hear({ is: 'began', callId: 'c'.repeat(300), tool: '', input: 'x'.repeat(9_000) })
  expect(notes).toHaveLength(500)
  expect(notes[0]).toMatchObject({ tool: 'tool', input: 'x'.repeat(2_000), callId: 'c'.repeat(200) })
})

const said = (notes: readonly RunNote[]) =>
  notes.flatMap((note) => (note.type === 'run.said' ? [note.text] : []))

test('words that somebody waits for are told as they come, word by word, and once', async () => {
  const { notes, speech, pause } = setUp({ asItComes: true })
  speech.hear({ is: 'piece', text: 'Who wo' })
  expect(said(notes)).toEqual(['Who '])
  speech.hear({ is: 'piece', text: 'uld use it' })
  await pause()
  expect(said(notes)).toEqual(['Who ', 'would use '])
  speech.hear({ is: 'text', text: 'Who would use it first?' })
  speech.hear({ is: 'text', text: 'And why?' })
  speech.end()
  expect(said(notes).join('')).toBe('Who would use it first?\n\nAnd why?')
})

test('a call that is made again says all of it again, below what was said before', () => {
  const { notes, speech } = setUp({ asItComes: true })
  speech.hear({ is: 'piece', text: 'Who wou' })
  speech.hear({ is: 'retrying', attempt: 1, delayMs: 1, cause: 'overload' })
  speech.hear({ is: 'piece', text: 'Who would ' })
  speech.hear({ is: 'text', text: 'Who would use it?' })
  speech.end()
  expect(said(notes).join('')).toBe('Who wou\n\nWho would use it?')
})

test.each([
  ['the key sk-abc', 'defghijklmnop ends', 'the key '],
  ['Bearer ', 'abcdefghijklmnopqrst and ', ''],
  ['-----BEGIN RSA ', 'PRIVATE KEY-----\nabc', ''],
])('%j is not told before it is known what it becomes', async (first, then, told) => {
  const { notes, speech, pause } = setUp({ asItComes: true })
  speech.hear({ is: 'piece', text: first })
  expect(said(notes).join('')).toBe(told)
  speech.hear({ is: 'piece', text: then })
  await pause()
  expect(said(notes).at(-1)).toContain(`${first.slice(told.length)}${then.split(/\s/)[0]}`)
})

test('words of a run are told block by block: nobody waits for them', () => {
  const { notes, speech } = setUp()
  speech.hear({ is: 'piece', text: 'one word ' })
  expect(notes).toEqual([])
  speech.hear({ is: 'text', text: 'one word more' })
  expect(said(notes)).toEqual(['one word more'])
})
