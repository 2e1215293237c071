// Makes the worktree of an item ready and says what stands in the way: before an engine is asked, so that nobody is asked
// to mend code where packages, a build or a tool are missing.
import type { Config } from '@treadle/contracts/config'
import type { GateResult } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import type { StepProgress, Trouble } from '@treadle/contracts/readiness'
import { troubleWords } from '@treadle/contracts/words/readiness'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { setupTrouble } from '@treadle/environment/readiness/check'
import { missingFor, troubleIn } from '@treadle/environment/readiness/judge-baseline'
import { projectFacts } from '@treadle/environment/readiness/project-facts'
import { Fault } from '@treadle/flow/fault'
import { testResults } from '@treadle/flow/work/test-gates.run'
import type { WorkWorld } from '@treadle/flow/work/work-world'
import type { AgentTools } from './work.ts'

/** The world is not ready for an item; thrown before any engine is asked. */
export class NotReady extends Error {
  readonly trouble: Trouble
  /** Whether only this item's own test command meets it; else every item would. */
  readonly isItsOwn: boolean

  constructor(trouble: Trouble, isItsOwn: boolean) {
    super(notReadyWords(trouble))
    this.trouble = trouble
    this.isItsOwn = isItsOwn
  }
}

/** What is wrong, what mends it, and the last lines of the output. */
function notReadyWords(trouble: Trouble): string {
  return `${troubleWords(trouble)}.\n${trouble.lines}`.trim().slice(0, 4_000)
}

type Tools = Pick<AgentTools, 'config' | 'gates' | 'paths' | 'onStep'>

/** Tells what is done before an engine is asked: in the run's events, and with the agent's signs of life. */
export function tellStep({ onStep }: Tools, world: WorkWorld): (progress: StepProgress) => void {
  return (progress) => {
    world.note({ type: 'run.preparing', progress })
    onStep?.(progress)
  }
}

export async function setUp(tools: Tools, world: WorkWorld): Promise<void> {
  const { config, gates } = tools
  const { setupCommand, timeoutMs, readiness } = config.tests
  if (setupCommand === null) return
  tellStep(tools, world)({ step: 'installing', files: null })
  const request = { cwd: world.worktree, command: setupCommand, timeoutMs, signal: world.signal }
  const ready = await gates.runSetup(request)
  if (ready.is === 'ok') return
  if (world.signal.aborted || readiness === 'off')
    throw new Fault('setup', `tests.setupCommand failed: ${ready.why}`)
  throw new NotReady(setupTrouble(ready), false)
}

export interface ReadyNeed {
  readonly item: Pick<Item, 'testCommand'>
  readonly worktree: string
  readonly baseline: readonly GateResult[]
}

/**
 * Refuses a baseline in which no test could be run, as against one in which tests fail. Of an item's own tests only what
 * is missing counts: that they do not compile, or never end, may be what the item is about.
 */
export function needReady(
  { config, paths }: { config: Pick<Config, 'tests'>; paths: Pick<WorkspacePaths, 'root'> },
  { item, worktree, baseline }: ReadyNeed,
): void {
  const { setupCommand, timeoutMs, readiness } = config.tests
  if (readiness === 'off') return
  const facts = projectFacts({ cwd: worktree, owner: paths.root, setupCommand, timeoutMs })
  const { own, suite } = testResults(item, baseline)
  const everybodys = suite === null ? null : troubleIn(suite, facts, item.testCommand)
  if (everybodys !== null) throw new NotReady(everybodys, false)
  const its = own === null ? null : missingFor(own, facts)
  if (its !== null) throw new NotReady(its, true)
}
