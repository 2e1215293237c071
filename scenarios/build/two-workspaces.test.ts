// Two daemons of two workspaces on one database: what follows in a build is done by the one that has it.
import { expect, test } from 'vitest'
import { useInProcess } from '../kit/in-process.ts'
import { begun, start, taskOf } from './hand-build.ts'

const open = useInProcess('server', { settings: { limits: { sweepMs: 300 } } })
const TASKS = ['T1', 'T2', 'T3', 'T4', 'T5']

test('a job about a build is left to the daemon that has it, also where nobody sweeps over it any more', async (context) => {
  const daemon = await open(context)
  const other = await daemon.another()
  const { client } = daemon
  const build = await start(
    daemon,
    'shared',
    TASKS.map((id) => ({ id, file: `${id}.txt` })),
  )
  await client.stopBuild({ params: { id: 'shared' }, body: { by: 'ada' } })
  for (const [nth, id] of TASKS.entries()) {
    const params = { projectNumber: 1, issueNumber: taskOf(build, id).number }
    await client.withdrawItem({ params, body: { by: 'ada' } })
    const known = await begun(client, 'shared', ({ skipped }) => skipped.length === nth + 1)
    expect(known).toMatchObject({ status: 'stopped' })
  }
  expect((await other.client.listBuilds()).items).toEqual([])
})
