// Items are added while the daemon is killed again and again: what was acknowledged is there, what was not says so.
import type { Item } from '@treadle/contracts/item'
import { isFullChaos, oneSeed } from '@treadle/requirements/seeds'
import { afterAll, expect } from 'vitest'
import { run } from '../kit/command.ts'
import { clearWorkspace, startDaemon } from '../kit/daemon.ts'
import { kill, waitGone } from '../kit/processes.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'

const KILLS = isFullChaos ? 30 : 3
const UP_MS_MAX = 3_000
const TEST_MS_MAX = isFullChaos ? 3_600_000 : 900_000

const workspace = makeWorkspace()
afterAll(() => clearWorkspace(workspace))

interface Added {
  readonly title: string
  readonly code: number | null
  readonly said: string
}

/** Adds one item after another until told to stop. */
async function addUntil(at: Workspace, isOver: () => boolean): Promise<Added[]> {
  const added: Added[] = []
  for (let number = 1; !isOver(); number += 1) {
    const title = `Item ${number}`
    const { code, stdout, stderr } = await run(at, ['add', title])
    added.push({ title, code, said: stdout + stderr })
  }
  return added
}

oneSeed(
  `kill -9 of the daemon ${KILLS} times while items are added`,
  async ({ random }) => {
    let over = false
    const adding = addUntil(workspace, () => over)
    for (let kills = 0; kills < KILLS; kills += 1) {
      const daemon = await startDaemon(workspace)
      await new Promise((done) => setTimeout(done, random() * UP_MS_MAX))
      kill(daemon.pid)
      await waitGone(daemon.pid)
    }
    const daemon = await startDaemon(workspace)
    over = true
    const added = await adding
    const { items } = await daemon.client.listItems()
    const titles = items.map(({ title }: Item) => title)
    const acknowledged = added.filter(({ code }) => code === 0)
    expect(acknowledged.length).toBeGreaterThan(0)
    for (const { title, said } of acknowledged) expect(said).toMatch(new RegExp(`^Added #\\d+ ${title}\n$`))
    expect(titles).toEqual(expect.arrayContaining(acknowledged.map(({ title }) => title)))
    for (const { code, said } of added.filter((each) => each.code !== 0)) {
      expect(code).toBe(1)
      expect(said).toMatch(/is not running|may or may not be there|does not answer/)
      expect(said).not.toMatch(/^\s+at /m)
    }
    // Nothing is there twice, and nothing that nobody asked for.
    expect(new Set(titles).size).toBe(titles.length)
    expect(added.map(({ title }) => title)).toEqual(expect.arrayContaining(titles))
    process.stderr.write(
      `${added.length} adds, ${acknowledged.length} acknowledged, ${titles.length} there, ${KILLS} kills\n`,
    )
  },
  { timeout: TEST_MS_MAX },
)
