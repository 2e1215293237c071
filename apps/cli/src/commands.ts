// The commands of the command line. A new noun is a file in commands/ and a line here.
import { agentCommands } from './commands/agents.ts'
import { conflictCommands } from './commands/conflicts.ts'
import { costCommands } from './commands/costs.ts'
import { crewCommands } from './commands/crew.ts'
import { demoCommands } from './commands/demo.ts'
import { doctorCommands } from './commands/doctor.ts'
import { explainCommands } from './commands/explain.ts'
import { fixCommands } from './commands/fix.ts'
import { goalCommands } from './commands/goals.ts'
import { initCommands } from './commands/init.ts'
import { itemCommands } from './commands/items.ts'
import { lessonCommands } from './commands/lessons.ts'
import { metricsCommands } from './commands/metrics.ts'
import { notificationCommands } from './commands/notifications.ts'
import { openCommands } from './commands/open.ts'
import { orderCommands } from './commands/orders.ts'
import { orphanCommands } from './commands/orphans.ts'
import { parseReportCommands } from './commands/parse-report.ts'
import { questionCommands } from './commands/questions.ts'
import { readyCommands } from './commands/ready.ts'
import { repairCommands } from './commands/repair.ts'
import { retrospectiveCommands } from './commands/retrospectives.ts'
import { revertCommands } from './commands/revert.ts'
import { reviewCommands } from './commands/reviews.ts'
import { takeCommands } from './commands/take.ts'
import { verifyCommands } from './commands/verify.ts'
import type { CommandGroup } from './program.ts'

/** In the order in which help shows them. */
export const COMMANDS: readonly CommandGroup[] = [
  demoCommands,
  initCommands,
  crewCommands,
  readyCommands,
  openCommands,
  itemCommands,
  takeCommands,
  revertCommands,
  goalCommands,
  explainCommands,
  reviewCommands,
  questionCommands,
  lessonCommands,
  retrospectiveCommands,
  conflictCommands,
  agentCommands,
  orderCommands,
  orphanCommands,
  fixCommands,
  repairCommands,
  doctorCommands,
  costCommands,
  metricsCommands,
  notificationCommands,
  parseReportCommands,
  verifyCommands,
]
