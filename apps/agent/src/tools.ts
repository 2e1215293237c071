// What an agent works with. Loaded when there is work: an agent that waits needs none of it.
import { openTokenCounter } from '@treadle/context/tokens'
import type { Answer } from '@treadle/contracts/client'
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import type { Clock } from '@treadle/flow/ports/clock'
import { openGates } from '@treadle/gates/gates'
import { openWorktreeGit } from '@treadle/git/worktree'
import type { RepairMemory } from '@treadle/repair/memory'
import { openSurroundings } from '@treadle/sandbox/surroundings'
import type { CostBook } from './cost-book.ts'
import { engineOf, firstEngineOf, markedEnv, memoryOf, reviewEngineOf } from './engines.ts'
import type { Home } from './home.ts'
import { type Hold, openPurse } from './purse.ts'
import { watchedGates } from './watched-gates.ts'

interface Hands {
  readonly id: AgentId
  readonly paths: WorkspacePaths
  readonly env: Readonly<Record<string, string>>
  readonly home: Home
  readonly book: CostBook
  readonly clock: Clock
  readonly log: (message: string) => void
  /** Of the moment. */
  readonly settings: Answer<'workspace'>
}

interface WorkHands extends Hands {
  readonly item: Item | null
  /** Of the run that the tools are for. */
  readonly memory: RepairMemory | null
}

/** What the settings of the moment mean in adapters. */
export function toolsOf({ item, memory: own, ...hands }: WorkHands) {
  const { id, paths, env, home, log } = hands
  const { config, target, testCommand, testsSeeChanges } = hands.settings
  const memory = own ?? memoryOf(home, log)
  const choice = { config, paths, memory, id }
  const git = openWorktreeGit({ repository: paths.root, env })
  const gates = openGates({
    evidenceDir: paths.evidence,
    env,
    tailBytes: config.limits.outputTailBytes,
    trace: config.tests.trace === 'auto',
    surroundings: openSurroundings({ ...config.sandbox, owner: paths.root }),
    network: config.gates.network,
  })
  return {
    config,
    target,
    testCommand,
    testsSeeChanges,
    env: markedEnv(env),
    counter: openTokenCounter,
    purse: purseOf(hands),
    lessons: memory,
    git,
    gates: watchedGates(gates, git),
    engine: engineOf(choice, item?.engine ?? config.engines.default),
    // No other engine tries before the one that was asked for by name.
    first: item?.engine == null ? firstEngineOf(choice) : null,
  }
}

/** What a reviewer works with instead. */
export function reviewToolsOf(hands: Hands) {
  const { id, paths, env } = hands
  const { config } = hands.settings
  return {
    config,
    env: markedEnv(env),
    counter: openTokenCounter,
    purse: purseOf(hands),
    engine: () => reviewEngineOf({ config, paths, id, memory: null }),
  }
}

function purseOf({ id, home, book, clock, log, settings }: Hands) {
  return (held: Hold) => openPurse({ id, held, home, book, clock, log, config: settings.config })
}
