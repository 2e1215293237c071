// The store: one transaction over every noun. A stage takes only the nouns that it uses.
import type { Agents } from './agents.ts'
import type { Builds } from './builds.ts'
import type { Claims } from './claims.ts'
import type { Conflicts } from './conflicts.ts'
import type { Events } from './events.ts'
import type { FileLocks } from './file-locks.ts'
import type { HealthCounts } from './health.ts'
import type { Ideas } from './ideas.ts'
import type { Ideations } from './ideations.ts'
import type { Items } from './items.ts'
import type { Jobs } from './jobs.ts'
import type { Ledger } from './ledger.ts'
import type { Memory } from './memory.ts'
import type { ImprovementMetrics, Metrics } from './metrics.ts'
import type { Notifications } from './notifications.ts'
import type { PlanningRetrospectives, TemplateProposals } from './planning-retrospectives.ts'
import type { Preferences, Questions } from './questions.ts'
import type { Reviews } from './reviews.ts'
import type { Runs } from './runs.ts'
import type { SpecWritings } from './spec-writings.ts'
import type { Specifications } from './specifications.ts'
import type { Thoughts } from './thoughts.ts'

interface Transactions {
  /** Joins the transaction that is already open, if there is one. */
  tx<T>(use: () => Promise<T>): Promise<T>
}

export interface Store extends Transactions, Memory {
  readonly items: Items
  readonly claims: Claims
  readonly runs: Runs
  readonly events: Events
  readonly agents: Agents
  readonly ledger: Ledger
  readonly conflicts: Conflicts
  readonly reviews: Reviews
  readonly questions: Questions
  readonly preferences: Preferences
  readonly notifications: Notifications
  readonly healthCounts: HealthCounts
  readonly metrics: Metrics
  readonly improvementMetrics: ImprovementMetrics
  readonly ideas: Ideas
  readonly thoughts: Thoughts
  readonly specifications: Specifications
  readonly specWritings: SpecWritings
  readonly planningRetrospectives: PlanningRetrospectives
  readonly templateProposals: TemplateProposals
  readonly builds: Builds
  readonly fileLocks: FileLocks
  readonly ideations: Ideations
  readonly jobs: Jobs
}
