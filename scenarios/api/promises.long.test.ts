// What the API promises within seconds.
import { verifies } from '@treadle/requirements/verifies'
import { expectWithin, timed } from '@treadle/requirements/within'
import { describe, expect } from 'vitest'
import { DRIVERS } from '../kit/daemon.ts'
import { addItem, take } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

describe.each(DRIVERS)('a daemon on the %s database', (driver) => {
  const open = useInProcess(driver)

  verifies('AC-2.1.a', 'answers with a long queue of what nobody holds within a second', async (context) => {
    const daemon = await open(context)
    const { client } = daemon
    await take(daemon, await addItem(client, { title: 'Held' }))
    for (let count = 0; count < 300; count += 1) await addItem(client, { title: `One of many ${count}` })
    await expectWithin(1_000, () =>
      timed(async () => expect((await client.queue({ query: { limit: 1_000 } })).items).toHaveLength(300)),
    )
  })

  verifies('AC-5.4.b', 'answers a question for metrics within a second', async (context) => {
    const { client } = await open(context)
    await expectWithin(1_000, () =>
      timed(async () => expect((await client.crewMetrics()).summary).toBeDefined()),
    )
  })

  verifies('AC-1.1.a', 'takes on changed settings of the editor within 2 seconds', async (context) => {
    const { workspace, client } = await open(context)
    await expectWithin(2_000, (triesBefore) =>
      timed(async () => {
        const maxConcurrent = 2 + triesBefore
        const settings = { 'claudeProjects.agents.maxConcurrent': maxConcurrent }
        workspace.write('.vscode/settings.json', JSON.stringify(settings))
        await eventually(`maxConcurrent ${maxConcurrent}`, async () =>
          (await client.workspace()).config.agents.maxConcurrent === maxConcurrent ? true : undefined,
        )
      }),
    )
  })
})
