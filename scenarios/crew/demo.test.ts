// The demo refuses before it begins; the whole of it is in demo.long.test.ts.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { clearWorkspace } from '../kit/daemon.ts'
import { makeWorkspace } from '../kit/workspace.ts'

const place = makeWorkspace()
afterAll(() => clearWorkspace(place))

test('the demo does not write into a folder that has something in it', async () => {
  const dir = join(place.home, 'taken')
  mkdirSync(join(dir, 'something'), { recursive: true })
  const refused = await run(place, ['demo', '--headless', '--dir', dir])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain(`${dir} is not empty.`)
})
