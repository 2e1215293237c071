// Asks before anything is spent on a task whose file is not there, and waits for the answer; once for each item.
import type { AgentMove } from '@treadle/contracts/event'
import type { WorkJob, WorkWorld } from '../work/work-world.ts'
import { waitFor } from './answer.run.ts'
import { filesToChange, isAnswered, isRedesign, missingQuestion } from './missing-context.ts'

/** Null: the task can be begun, with what was said about it. */
export async function runMissingContext(
  world: WorkWorld,
  { item, base }: Pick<WorkJob, 'item' | 'base'>,
): Promise<AgentMove | null> {
  const { guidanceChannel: channel, git } = world
  const named = filesToChange(item)
  // Where nobody can be asked the engine decides.
  if (named.length === 0 || channel === null) return null
  await channel.refresh()
  if (isAnswered(channel.said())) return null
  const missing: string[] = []
  for (const file of named) if ((await git.fileAt(base, file)) === null) missing.push(file)
  if (missing.length === 0) return null
  const guidance = await waitFor(world, channel, missingQuestion(item, missing))
  if (guidance === null || !isRedesign(guidance)) return null
  return {
    type: 'item.escalated',
    why: `${guidance.by} wants this part redesigned: ${guidance.text}`.slice(0, 4_000),
  }
}
