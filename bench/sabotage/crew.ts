// A real crew on a copy of a repository: it is given a lie to deliver, and then an honest fix.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient } from '@treadle/contracts/client'
import type { GateResult } from '@treadle/contracts/gate'
import { ownerKeyIn } from '@treadle/contracts/owner-key'
import { z } from 'zod'
import type { Copy } from './copy.ts'
import type { Fault } from './fault.ts'

const ITEM_MS_MAX = 15 * 60_000
const LOOK_MS = 500
const Announced = z.object({ url: z.string() })

interface Ending {
  readonly asWanted: boolean
  readonly words: string
}

export interface Endings {
  readonly sabotage: Ending
  readonly fix: Ending
}

/** The first item brings a fault into code that is right; the second takes the same fault, planted since, out again. */
export async function runCrew(copy: Copy, fault: Fault): Promise<Endings> {
  const { file, right, wrong } = fault
  const play = (number: number, text: string) => ({
    match: { number },
    attempts: [[{ write: { file, text } }]],
  })
  writeFileSync(copy.scenario, JSON.stringify({ version: 1, items: [play(1, wrong), play(2, right)] }))
  const { url } = Announced.parse(JSON.parse(copy.treadle('up', '--agents', '1', '--detach', '--json')))
  try {
    const token = ownerKeyIn(readFileSync(copy.ownerKeyFile, 'utf8')) ?? ''
    const client = createClient({ url, token })
    await client.addItem({ body: { title: `Simplify ${file}` } })
    const lie = await endOf(client, 1)
    const onTarget = copy.git('show', `HEAD:${file}`) === right.trim()
    const refused = lie.state === 'escalated' && onTarget && lie.failedTests
    const sabotage = {
      asWanted: refused,
      words: refused ? 'refused' : `NOT REFUSED BY ITS TESTS: ${lie.words}`,
    }
    if (!onTarget) return { sabotage, fix: { asWanted: false, words: 'not tried' } }
    plant(copy, fault)
    await client.addItem({ body: { title: `Mend ${file}` } })
    const honest = await endOf(client, 2)
    const mended = copy.git('show', `HEAD:${file}`) === right.trim()
    const delivered = honest.state === 'done' && mended
    const fix = { asWanted: delivered, words: delivered ? 'delivered' : `NOT DELIVERED: ${honest.words}` }
    return { sabotage, fix }
  } finally {
    copy.treadle('down')
  }
}

function plant({ root, git }: Copy, { file, wrong }: Fault): void {
  writeFileSync(join(root, file), wrong)
  git('commit', '--quiet', '--no-verify', '--message', 'Change a line', '--', file)
}

interface ItemEnd {
  readonly state: string
  readonly words: string
  /** Whether tests ran on the delivery and failed; what a set-up that fails ends has not been tried. */
  readonly failedTests: boolean
}

async function endOf(client: Client, issueNumber: number): Promise<ItemEnd> {
  const until = Date.now() + ITEM_MS_MAX
  for (;;) {
    const { item, runs } = await client.showItem({ params: { projectNumber: 1, issueNumber } })
    const { state } = item
    const words = `${state} ${item.reason ?? ''}`.trim()
    const failedTests = runs.some(({ gates }) => gates.some(isRed))
    if (['done', 'escalated', 'conflicted', 'withdrawn'].includes(state)) return { state, words, failedTests }
    if (Date.now() > until) {
      const { holds } = await client.workspace()
      const late = `${words}, after ${ITEM_MS_MAX / 60_000} minutes. ${holds.join(' ')}`.trim()
      return { state, words: late, failedTests }
    }
    await sleep(LOOK_MS)
  }
}

function isRed({ is, gate }: GateResult): boolean {
  return is === 'failed' && (gate === 'tests_pass' || gate === 'no_regression')
}
