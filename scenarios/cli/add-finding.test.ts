// `treadle add --finding`: an item of what a survey has found, made after another look.
import { Item } from '@treadle/contracts/item'
import { expect, type TestContext, test } from 'vitest'
import { run } from '../kit/command.ts'
import { useInProcess } from '../kit/in-process.ts'

const open = useInProcess('any', {
  files: {
    'package.json': JSON.stringify({ name: 'shop', private: true, dependencies: { 'left-pad': '1.0.0' } }),
    'index.mjs': 'export const read = () => { try { return open() } catch {} }\n',
  },
})
const KEY = 'unused-dependency:left-pad'

async function added(context: TestContext, ...args: string[]): Promise<Item> {
  const daemon = await open(context)
  const { code, stdout, stderr } = await run(daemon.workspace, ['add', '--json', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { number } = JSON.parse(stdout) as { number: number }
  return (await daemon.client.showItem({ params: { projectNumber: 1, issueNumber: number } })).item
}

test('the item has the title, the evidence and the measure of the finding, and the engine that can do it', async (context) => {
  const item = Item.parse(await added(context, '--finding', KEY))
  expect(item).toMatchObject({
    title: 'left-pad is a dependency that nothing uses',
    labels: ['category:dependency-management'],
    source: 'survey',
    engine: 'mend',
    files: ['package.json'],
    estimateHours: 0.5,
    acceptance: [{ text: 'The measure is good' }],
    measure: { command: `treadle survey dependency-management --finding '${KEY}'`, better: null },
    state: 'todo',
  })
  expect(item.body).toContain('| package.json has it in dependencies.')
  expect((await added(context, '--finding', 'empty-catch:index.mjs')).engine).toBeNull()
})

test('what the options say goes before the finding, and what they add is added', async (context) => {
  const more = ['--label', 'soon', '--accept', 'Nobody misses it', '--body', 'Please.', '--estimate', '2']
  const item = await added(
    context,
    'Away with it',
    '--finding',
    KEY,
    '--engine',
    'repair',
    ...more,
    '--backlog',
  )
  expect(item).toMatchObject({
    title: 'Away with it',
    labels: ['category:dependency-management', 'soon'],
    engine: 'repair',
    estimateHours: 2,
    state: 'backlog',
    acceptance: [{ text: 'The measure is good' }, { text: 'Nobody misses it' }],
  })
  expect(item.body).toMatch(/^Please\.\n\nA survey has found this/)
})

test('for what is not there, or what nobody can tell, nothing is added', async (context) => {
  const { workspace, client } = await open(context)
  const before = (await client.listItems()).items.length
  const refused = async (key: string) => run(workspace, ['add', '--finding', key])
  const gone = 'unused-dependency:right-pad'
  expect(await refused(gone)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${gone} is not there`),
  })
  const unseen = 'untested-file:index.mjs'
  expect(await refused(unseen)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Nobody can tell whether ${unseen} is there`),
  })
  expect(await refused('left-pad')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('left-pad is no key of a finding'),
  })
  expect((await client.listItems()).items).toHaveLength(before)
})

test('a finding brings its own measure, and without one an item needs a title', async (context) => {
  const { workspace } = await open(context)
  const twice = await run(workspace, ['add', '--finding', KEY, '--measure', 'true'])
  expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('a measure of its own') })
  const none = await run(workspace, ['add'])
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('An item needs a title.') })
})
