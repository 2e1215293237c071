// Which engines can be used here, as the page asks it.
import { expect, test } from 'vitest'
import { useInProcess } from '../kit/in-process.ts'

const open = useInProcess('any', { settings: { tests: { command: 'true' }, engines: { default: 'codex' } } })

test('the engines of this machine are told, each usable or with the reason, without asking a model', async (context) => {
  const { client } = await open(context)
  const [found, again] = await Promise.all([client.listEngines({}), client.listEngines({})])
  expect(again).toEqual(found)
  expect(found.default).toBe('codex')
  expect(found.items).toContainEqual(expect.objectContaining({ name: 'repair', usable: true, hint: null }))
  for (const { usable, found: words, hint } of found.items) {
    expect(words).not.toBe('')
    expect(hint === null).toBe(usable)
  }
})
