// Two that start the same workspace at once: one daemon, and both are told of it.
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { everythingIn } from '../kit/processes.ts'
import { makeWorkspace } from '../kit/workspace.ts'

test('treadle up, twice at the same moment, starts one daemon and tells both of it', async ({
  onTestFinished,
}) => {
  const workspace = makeWorkspace()
  onTestFinished(() => workspace.remove())
  const up = () => run(workspace, ['up', '--agents', '0', '--detach', '--json'])
  const both = await Promise.all([up(), up()])
  // What they tell besides is about the settings, or that the start takes long.
  for (const { code, stderr } of both) expect(code, stderr).toBe(0)
  const [one, other] = both.map(({ stdout }) => JSON.parse(stdout) as { url: string; pid: number })
  expect(one?.url).toBe(other?.url)
  await run(workspace, ['down'])
  expect(everythingIn(workspace)).toEqual([])
})
