// An item that was given up: its owner is asked, and what he says to try is in the next prompt.
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { eventsLike, untilEvent } from '../goal/goals.ts'
import type { Daemon } from '../kit/daemon.ts'
import { itemNumber, letGo, moduleOf, told, until, up, useShops } from '../kit/shop.ts'

const shop = useShops()
const tries = {
  run: { command: `if [ -e ../../../../home/known ]; then sed -i s/wrong/right/ ${moduleOf(1)}; fi; true` },
}

async function promptOf({ client }: Daemon, id: string): Promise<string> {
  const { history } = await client.showRun({ params: { id } })
  const sha256 = history[0]?.fixes[0]?.prompt ?? ''
  return (await client.evidence({ params: { sha256 } })).text
}

verifies(
  ['AGENT-QUESTION-26', 'AGENT-QUESTION-58'],
  'an item that failed repeatedly asks once, and is tried again with what was answered in its prompt',
  async () => {
    const workspace = shop({ scripts: [[[tries]], [[tries]]], settings: { limits: { improvements: 2 } } })
    const daemon = await up(workspace, 1)
    await daemon.client.addItem({
      body: { title: 'Repair module 1', testCommand: `sh test.sh ${moduleOf(1)}` },
    })
    const { question } = await untilEvent(daemon, 'question.asked')
    expect(question).toMatchObject({ agent: 'build', blocking: true })
    expect(question.text).toContain('#1 Repair module 1')
    const before = await itemNumber(daemon, 1)
    expect(before).toMatchObject({ state: 'escalated', attempts: 3 })
    letGo(workspace, 'known')
    const words = 'Try this: look into the file first'
    await told(workspace, 'answer', String(question.number), words)
    const done = await until(daemon, 1, 'done')
    expect(done.runId).not.toBe(before.runId)
    expect(await promptOf(daemon, done.runId ?? '')).toContain(words)
    expect(await eventsLike(daemon, 'question.asked')).toHaveLength(1)
    expect(await eventsLike(daemon, 'question.answered')).toMatchObject([
      { option: 'Try this...', text: words },
    ])
  },
)
