// What an agent works with to think about something.
import type { AgentId } from '@treadle/contracts/ids'
import type { ReviewMaterial } from '@treadle/contracts/routes/reviews'
import type { Thought } from '@treadle/contracts/thought'
import type { BudgetClient } from '@treadle/flow/ports/budget'
import type { Clock } from '@treadle/flow/ports/clock'
import type { Engine } from '@treadle/flow/ports/engine'
import type { Hold } from '../budget-client.ts'
import type { JudgeTools } from '../review/judge-brief.ts'

export interface ThinkTools extends JudgeTools {
  readonly id: AgentId
  readonly clock: Clock
  readonly budget: (hold: Hold) => BudgetClient
  /** Throws a Fault if there is none of that name. */
  readonly engine: (thought: Pick<Thought, 'engine' | 'use'>) => Engine
  /** The engine that reads deliveries, with another model than their authors; throws a Fault if there is none. */
  readonly judge: (authorModels: readonly string[]) => Engine
  /** The delivery that is to be judged; asked for until the daemon is there. */
  readonly material: (thought: Thought, signal: AbortSignal) => Promise<ReviewMaterial>
  /** The commit whose files a thought about the whole repository may read; null: there is none. */
  readonly targetCommit: () => Promise<string | null>
}
