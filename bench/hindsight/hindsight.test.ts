import { expect, test } from 'vitest'
import { dealt, sideOf, signatureIn } from './cases.ts'
import { filled } from './kind.ts'
import { isAhead, type Score, scoreOf } from './measure.ts'
import { OURS, ourSearch } from './peers.ts'
import samples from './samples.json' with { type: 'json' }

test.each(samples)(
  '$id: asked with other names, the lesson of the first time comes first',
  async (sample) => {
    expect(sample.asked).not.toBe(sample.recorded)
    const [first] = await ourSearch(samples)(sample.asked, 5)
    expect(first).toBe(sample.id)
  },
)

test('looking for the very signature finds fewer of the same texts', async () => {
  const same = samples.filter(({ recorded, asked }) => signatureIn(recorded) === signatureIn(asked))
  const ours = await scoreOf(ourSearch(samples), samples)
  expect(ours).toMatchObject({ questions: samples.length, first: samples.length, answered: samples.length })
  expect(same.length).toBeLessThan(samples.length)
})

test('an error that nobody has seen gets no answer', async () => {
  const search = ourSearch(samples)
  expect(await search('Segmentation fault (core dumped)', 5)).toEqual([])
  expect(await search('OutOfMemoryError: Java heap space', 5)).toEqual([])
})

test('the two variants of a snippet share no name and no number', () => {
  const template = '%noun% %other% %third% %word% %word2% %n% %m% %dir% %file%'
  for (const { id } of samples) {
    const [recorded, asked] = [filled(template, id, 'recorded'), filled(template, id, 'asked')]
    const [noun, other, third] = recorded.split(' ')
    expect(new Set([noun, other, third]).size).toBe(3)
    for (const [at, name] of recorded.split(' ').entries()) expect(asked.split(' ')[at]).not.toBe(name)
  }
})

test('who is asked and on which side depends on the id alone', () => {
  const many = Array.from({ length: 300 }, (_, at) => ({
    id: `k${at}`,
    library: 'k',
    recorded: 'a',
    asked: at === 7 ? 'a' : 'b',
  }))
  const { questions, distractors } = dealt(many)
  expect(distractors).toHaveLength(200)
  expect(questions.tuning.length + questions.aside.length).toBe(100)
  expect(questions.aside.every(({ id }) => sideOf(id) === 'aside')).toBe(true)
  expect(distractors[0]?.id).toBe('k7')
  const turned = dealt(many.toReversed())
  expect(turned.distractors.map(({ id }) => id)).toEqual(distractors.map(({ id }) => id))
})

const score = (search: string, first: number, amongFive: number): Score => ({
  ...{ search, side: 'aside', questions: 10, first, amongFive, answered: 10, misled: 0 },
})

test.each([
  [score('peer', 8, 10), true],
  [score('peer', 9, 10), false],
  [score('peer', 10, 10), false],
])('ahead means more right first answers and no fewer among five: %j', (peer, ahead) => {
  expect(isAhead([score(OURS, 9, 10), peer])).toBe(ahead)
})
