// The nouns of the store. A new one is a file of its own and a line here: connect.ts makes the store from this list.
import { agents } from './nouns/agents/agents.ts'
import { healthCounts } from './nouns/agents/health-counts.ts'
import { builds } from './nouns/builds.ts'
import { claims } from './nouns/claims.ts'
import { conflicts } from './nouns/conflicts.ts'
import { events } from './nouns/events/events.ts'
import { fileLocks } from './nouns/file-locks.ts'
import { ideas } from './nouns/ideas.ts'
import { ideations } from './nouns/ideations.ts'
import { items } from './nouns/items/items.ts'
import { ledger } from './nouns/ledger.ts'
import { lessons } from './nouns/lessons/lessons.ts'
import { lessonUses } from './nouns/lessons/uses.ts'
import { improvementMetrics } from './nouns/metrics/improvement.ts'
import { metrics } from './nouns/metrics/metrics.ts'
import type { StoreModule } from './nouns/module.ts'
import { notifications } from './nouns/notifications/notifications.ts'
import { planningRetrospectives } from './nouns/planning-retrospectives.ts'
import { preferences } from './nouns/preferences.ts'
import { promotions } from './nouns/promotions.ts'
import { questions } from './nouns/questions.ts'
import { retrospectives } from './nouns/retrospectives.ts'
import { reviews } from './nouns/reviews.ts'
import { runs } from './nouns/runs.ts'
import { specWritings } from './nouns/spec-writings.ts'
import { specifications } from './nouns/specifications.ts'
import { templateProposals } from './nouns/template-proposals.ts'
import { thoughts } from './nouns/thoughts.ts'

/** In the order in which their tables are copied. */
export const MODULES = [
  items,
  claims,
  runs,
  events,
  agents,
  lessons,
  lessonUses,
  retrospectives,
  improvementMetrics,
  promotions,
  ledger,
  conflicts,
  reviews,
  questions,
  preferences,
  notifications,
  healthCounts,
  metrics,
  ideas,
  thoughts,
  specifications,
  specWritings,
  planningRetrospectives,
  templateProposals,
  builds,
  fileLocks,
  ideations,
] as const satisfies readonly StoreModule[]
