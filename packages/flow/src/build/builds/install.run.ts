// Installs what was found missing at an earlier attempt of a task, before an engine is asked: what the registry of the
// lock file has had for long enough, and nothing else. Done again it finds the package there.
import type { AgentMove } from '@treadle/contracts/event'
import { Fault } from '../../fault.ts'
import type { WorkJob, WorkWorld } from '../../work/work-world.ts'
import { asksFor, installCommand } from './install.ts'

const MANIFEST = 'package.json'

/** Null: the task can be built. */
export async function runInstall(
  world: WorkWorld,
  { item }: Pick<WorkJob, 'item'>,
): Promise<Extract<AgentMove, { type: 'item.escalated' }> | null> {
  for (const wanted of (await world.packagesToInstall?.(item)) ?? []) {
    if (asksFor(await world.read(MANIFEST), wanted.name)) continue
    world.note({ type: 'run.preparing', progress: { step: 'installing', files: null } })
    const ended = await world.gates.runSetup({
      cwd: world.worktree,
      command: installCommand(wanted, item.phase === 'tests' ? 'dev' : 'prod'),
      timeoutMs: world.config.tests.timeoutMs,
      signal: world.signal,
    })
    if (world.signal.aborted) throw new Fault('stopped', 'this agent was told to stop')
    if (ended.is === 'failed') {
      const why = `${wanted.name} ${wanted.version} could not be installed: ${ended.why}`
      return { type: 'item.escalated', why: why.slice(0, 4_000) }
    }
  }
  return null
}
