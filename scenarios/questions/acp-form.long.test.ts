// A form that a program asks with over ACP: every field is a question in the inbox, and each answer reaches the program
// in the type that its field has.
import { expect, test } from 'vitest'
import { eventsLike } from '../goal/goals.ts'
import { acpProgram } from '../kit/acp-program.ts'
import { type Daemon, treadle } from '../kit/daemon.ts'
import { itemNumber, told, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()

const openQuestion = (daemon: Daemon, wanted: number) =>
  eventually(`question ${wanted}`, async () => {
    const { items } = await daemon.client.listQuestions({ query: { status: 'open' } })
    return items.find(({ number }) => number === wanted)
  })

test('every field of a form is asked of a person, and the answers reach the program as the form wants them', async () => {
  const workspace = shop({ scripts: [[[]]], settings: { questions: { autonomy: 'ask' } } })
  const { heard } = acpProgram(workspace, {
    body: async ({ ask, edit }) => {
      await ask('How is the export to be built?', {
        type: 'object',
        properties: {
          empty: {
            type: 'string',
            title: 'Empty cart',
            description: 'What is an empty cart worth?',
            oneOf: [
              { const: 'z', title: 'zero' },
              { const: 'n', title: 'null' },
            ],
          },
          formats: {
            type: 'array',
            title: 'Formats',
            description: 'Which formats are written?',
            items: {
              anyOf: [
                { const: 'c', title: 'CSV' },
                { const: 'j', title: 'JSON' },
                { const: 'x', title: 'XML' },
              ],
            },
          },
          rows: { type: 'integer', title: 'Rows', description: 'How many rows at most?' },
          loud: { type: 'boolean', title: 'Loud', description: 'Is every row to be logged?' },
        },
        required: ['empty', 'formats', 'rows', 'loud'],
      })
      edit('src/module-01.txt', 'state: wrong', 'state: right')
      return 'Built as I was told.'
    },
  })
  const daemon = await up(workspace, 1)
  await daemon.client.addItem({ body: { title: 'Repair module 1' } })
  const asked = [
    {
      words: ['Empty cart', 'What is an empty cart worth?', 'How is the export to be built?', 'zero', 'null'],
      answer: 'null',
    },
    {
      words: ['Formats', 'Which formats are written?', 'CSV', 'JSON', 'XML', 'Several may be chosen'],
      answer: '1, 3',
    },
    { words: ['Rows', 'How many rows at most?'], answer: '250' },
    { words: ['Loud', 'Is every row to be logged?', 'Yes', 'No'], answer: 'No' },
  ]
  for (const [index, { words, answer }] of asked.entries()) {
    const { number } = await openQuestion(daemon, index + 1)
    const { stdout } = await treadle(workspace, ['questions', 'show', String(number)])
    for (const word of words) expect(stdout).toContain(word)
    // Nothing is answered in anybody's name while a person is waited for.
    expect(heard().answers).toEqual([])
    expect(await itemNumber(daemon, 1)).toMatchObject({ state: 'building' })
    await told(workspace, 'answer', String(number), answer)
  }
  await until(daemon, 1, 'done')
  expect(heard().answers).toMatchObject([
    { action: 'accept', content: { empty: 'n', formats: ['c', 'x'], rows: 250, loud: false } },
  ])
  const { items } = await daemon.client.listQuestions({ query: {} })
  expect(items.map(({ answer }) => [answer?.how, answer?.text]).sort()).toEqual([
    ['person', '250'],
    ['person', 'CSV, XML'],
    ['person', 'No'],
    ['person', 'null'],
  ])
})

test.each<[string, string[], object, boolean]>([
  ['set where the program offers that', ['low', 'medium', 'high'], { thinking: 'low' }, false],
  ['said not to be told where the program offers no such level', ['max'], {}, true],
])('the effort of an item is %s', async (_, levels, options, isNoted) => {
  const workspace = shop({ scripts: [[[]]] })
  const { heard } = acpProgram(workspace, {
    levels,
    body: async ({ edit }) => {
      edit('src/module-01.txt', 'state: wrong', 'state: right')
      return 'Done.'
    },
  })
  const daemon = await up(workspace, 1)
  await daemon.client.addItem({ body: { title: 'Repair module 1', effort: 'low' } })
  await until(daemon, 1, 'done')
  expect(heard().options).toEqual(options)
  const notes = (await eventsLike(daemon, 'run.noted')).map(({ text }) => text)
  const untold = notes.filter((text) => text.includes('effort "low" of the item is not told'))
  expect(untold).toHaveLength(isNoted ? 1 : 0)
})
