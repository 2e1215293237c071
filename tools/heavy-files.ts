// The test files that are begun first.

/**
 * These take longest, on a quiet machine a minute and a half or more. Begun last, one of them would run alone at the
 * end while a core is idle; and a fresh clone has no earlier run to go by.
 */
export const heavy: readonly string[] = [
  'scenarios/crew/emergency.long',
  'scenarios/crew/all-agents.long',
  'scenarios/crew/provider-trouble.long',
  'scenarios/crash/crash.long',
  'scenarios/dashboard/webview.long',
  'scenarios/api/claims.long',
  'scenarios/goal/run.long',
  'scenarios/chaos/chaos.long',
  'scenarios/merge/liars.long',
  'scenarios/cli/facts.long',
  'scenarios/crew/conflicts.long',
  'scenarios/crew/ending.long',
  'scenarios/crew/reviewer.long',
  'scenarios/crew/shared-database.long',
  'apps/dashboard/src/dashboard.test',
  'scenarios/crew/demo.long',
]
