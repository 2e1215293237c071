// Lessons of fixes that ran without a daemon reach the crew, once.
import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { repair, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()

test('the next daemon takes in what fixes have learned', async () => {
  const idea = [{ write: { file: 'notes.txt', text: 'an idea\n' } }]
  const workspace = shop({ scripts: [[idea, [repair(1)]]] })
  expect((await run(workspace, ['fix', '--json'])).code).toBe(0)
  expect(readdirSync(workspace.paths.lessons)).toHaveLength(1)
  const { client } = await up(workspace, 0)
  const known = await eventually('the lesson', async () => {
    const { items } = await client.recallLessons({ query: { type: 'resolution' } })
    return items.length > 0 ? items : undefined
  })
  expect(known).toMatchObject([{ type: 'resolution', occurrences: 1, payload: { novel: true } }])
  await eventually('an empty folder', () =>
    existsSync(workspace.paths.lessons) && readdirSync(workspace.paths.lessons).length === 0
      ? true
      : undefined,
  )
})
