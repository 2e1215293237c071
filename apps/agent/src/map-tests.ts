// Keeps the map of what each test file runs, by which the next improvement runs only the tests that it can concern.
import type { Item } from '@treadle/contracts/item'
import { messageOf } from '@treadle/flow/fault'
import type { AgentTools } from './work.ts'

/** Tests that did not get their turn within this time stay without an entry, and are run whenever in doubt. */
const MAP_MS_MAX = 120_000

interface Delivered {
  readonly item: Item
  readonly worktree: string
  readonly signal: AbortSignal
}

/** A delivery that held at once had no use for the map, so only one that needed an improvement pays for it. */
export async function mapTests(
  { gates, config, testCommand, log }: Pick<AgentTools, 'gates' | 'config' | 'testCommand' | 'log'>,
  { item, worktree, signal }: Delivered,
): Promise<void> {
  if (item.attempts < 2) return
  try {
    await gates.mapTests({
      cwd: worktree,
      command: item.testCommand ?? testCommand,
      timeoutMs: Math.min(config.tests.timeoutMs, MAP_MS_MAX),
      signal,
    })
  } catch (error) {
    log(`the tests were not mapped: ${messageOf(error)}`)
  }
}
