// The commands of the command line. A new noun is a file in commands/ and a line here.
import { agentCommands } from './commands/agents.ts'
import { buildCommands } from './commands/builds.ts'
import { completionCommands } from './commands/completion.ts'
import { conflictCommands } from './commands/conflicts.ts'
import { costCommands } from './commands/costs.ts'
import { crewCommands } from './commands/crew.ts'
import { decideCommands } from './commands/decide.ts'
import { demoCommands } from './commands/demo.ts'
import { diffCommands } from './commands/diff.ts'
import { doctorCommands } from './commands/doctor.ts'
import { explainCommands } from './commands/explain.ts'
import { fixCommands } from './commands/fix.ts'
import { goalCommands } from './commands/goals.ts'
import { ideaCommands } from './commands/ideas.ts'
import { initCommands } from './commands/init.ts'
import { itemCommands } from './commands/items.ts'
import { lessonCommands } from './commands/lessons.ts'
import { listCommands } from './commands/list.ts'
import { logCommands } from './commands/logs.ts'
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
import { roleCommands } from './commands/roles.ts'
import { specificationCommands } from './commands/specifications.ts'
import { statusCommands } from './commands/status.ts'
import { takeCommands } from './commands/take.ts'
import { verifyCommands } from './commands/verify.ts'
import { watchCommands } from './commands/watch.ts'
import type { CommandGroup } from './program.ts'

/** What each group of help shows stands in help.ts. */
export const COMMANDS: readonly CommandGroup[] = [
  demoCommands,
  initCommands,
  crewCommands,
  statusCommands,
  watchCommands,
  readyCommands,
  openCommands,
  ideaCommands,
  itemCommands,
  listCommands,
  takeCommands,
  revertCommands,
  goalCommands,
  specificationCommands,
  buildCommands,
  explainCommands,
  reviewCommands,
  diffCommands,
  decideCommands,
  logCommands,
  questionCommands,
  lessonCommands,
  retrospectiveCommands,
  conflictCommands,
  agentCommands,
  roleCommands,
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
  completionCommands,
]
