// What an agent works with. Loaded when there is work: an agent that waits needs none of it.
import { openTokenCounter } from '@treadle/context/tokens'
import type { Answer } from '@treadle/contracts/client'
import { readsWords } from '@treadle/contracts/config/engines'
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { ReviewMaterial } from '@treadle/contracts/routes/reviews'
import type { Thought } from '@treadle/contracts/thought'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { buildFor } from '@treadle/environment/build/build-command'
import { preparedGates } from '@treadle/environment/prepared-gates'
import { engineNow } from '@treadle/flow/claim/cooldown'
import { Fault } from '@treadle/flow/fault'
import type { Clock } from '@treadle/flow/ports/clock'
import type { Engine } from '@treadle/flow/ports/engine'
import { openGates } from '@treadle/gates/gates'
import { keepLimits } from '@treadle/git/keep-limits'
import { openWorktreeGit } from '@treadle/git/worktree'
import type { RepairMemory } from '@treadle/repair/memory'
import { openSurroundings } from '@treadle/sandbox/surroundings'
import { type Hold, openBudgetClient } from './budget-client.ts'
import type { CostBook } from './cost-book.ts'
import { type EngineChoice, engineOf, firstEngineOf, markedEnv, memoryOf, reviewEngineOf } from './engines.ts'
import { askPatiently, type Home } from './home.ts'
import { watchedGates } from './watched-gates.ts'

interface ToolDeps {
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

interface WorkToolDeps extends ToolDeps {
  readonly item: Item | null
  /** Of the run that the tools are for. */
  readonly memory: RepairMemory | null
}

/** What the settings of the moment mean in adapters. */
export function toolsOf({ item, memory: own, ...deps }: WorkToolDeps) {
  const { id, paths, env, home, log } = deps
  const { config, target, testCommand, testsSeeChanges } = deps.settings
  const memory = own ?? memoryOf(home, log)
  const choice = { config, paths, memory, id, crew: { id, home, log } }
  const { default: usual, fallback } = config.engines
  const isMended = item?.engine === MEND && usual !== MEND && readsWords(usual)
  const asked = isMended ? null : (item?.engine ?? null)
  const name = engineNow({ asked, usual, fallback, resting: deps.settings.resting })
  const git = openWorktreeGit({ repository: paths.root, env, keep: keepLimits(config) })
  const gates = openGates({
    evidenceDir: paths.evidence,
    env,
    tailBytes: config.limits.outputTailBytes,
    outputBytesMax: config.limits.outputBytes,
    trace: config.tests.trace === 'auto',
    surroundings: openSurroundings({ ...config.sandbox, owner: paths.root }),
    buildFor: buildFor(config.tests.buildCommand),
    network: config.gates.network,
  })
  return {
    config,
    target,
    testCommand,
    testsSeeChanges,
    env: markedEnv(env),
    counter: openTokenCounter,
    budget: budgetClientOf(deps),
    lessons: memory,
    git,
    gates: watchedGates(preparedGates(gates, { folder: paths.packages, packages: 'shared', log }), git),
    engine: engineOf(choice, name),
    first: isMended ? engineOf(choice, MEND) : firstOf(choice, item),
  }
}

/** What mend cannot put right goes to the usual engine with what mend has found out, if that one reads what it is told. */
const MEND = 'mend'

/** No other engine tries before the one that was asked for by name. */
function firstOf(choice: EngineChoice, item: Item | null): Engine | null {
  return item?.engine == null ? firstEngineOf(choice) : null
}

/** What it works with to think about something. */
export function thinkToolsOf(deps: ToolDeps) {
  const { id, paths, env, home, log } = deps
  const { config, target } = deps.settings
  const crew = { id, home, log }
  return {
    config,
    env: markedEnv(env),
    counter: openTokenCounter,
    budget: budgetClientOf(deps),
    engine: ({ engine, use }: Pick<Thought, 'engine' | 'use'>) =>
      engineOf({ config, paths, id, memory: null, crew, use }, engine),
    judge: (authorModels: readonly string[]) =>
      reviewEngineOf({ config, paths, id, memory: null, crew }, authorModels),
    material: (thought: Thought, signal: AbortSignal) => materialOf(deps, thought, signal),
    targetCommit: () =>
      openWorktreeGit({ repository: paths.root, env, keep: keepLimits(config) }).commitOf(target),
  }
}

/** What a daemon that is away does not answer is asked for again: nobody is to decide for that. */
async function materialOf(
  { home, clock }: ToolDeps,
  { id, work }: Thought,
  signal: AbortSignal,
): Promise<ReviewMaterial> {
  const query = { projectNumber: work?.item.projectNumber, issueNumber: work?.item.number, limit: 100 }
  const look = async () => {
    const { items } = await home.client().listReviews({ query })
    const review = items.find(({ judgement }) => judgement?.thoughtId === id)
    if (review === undefined) throw new Fault('review', 'there is no delivery to judge any more')
    return home.client().showReview({ params: { id: review.id } })
  }
  return askPatiently(look, { clock, signal })
}

function budgetClientOf({ id, home, book, clock, log, settings }: ToolDeps) {
  const lastCallUSD = new Map<string, number>()
  return (held: Hold) =>
    openBudgetClient({ id, held, home, book, clock, log, lastCallUSD, config: settings.config })
}
