// The commands of the command line. A new noun is a file in commands/ and a line here.
import type { CommandGroup } from './program.ts'

/** A file of commands/, with the first words of its commands: it is loaded when one of them is given. */
export interface CommandFile {
  readonly words: readonly string[]
  readonly load: () => Promise<CommandGroup>
}

/** What each group of help shows stands in help.ts. */
export const COMMANDS: readonly CommandFile[] = [
  { words: ['demo'], load: async () => (await import('./commands/demo.ts')).demoCommands },
  { words: ['init'], load: async () => (await import('./commands/init.ts')).initCommands },
  { words: ['up', 'down'], load: async () => (await import('./commands/crew.ts')).crewCommands },
  { words: ['status'], load: async () => (await import('./commands/status.ts')).statusCommands },
  { words: ['watch'], load: async () => (await import('./commands/watch.ts')).watchCommands },
  { words: ['ready'], load: async () => (await import('./commands/ready.ts')).readyCommands },
  { words: ['open'], load: async () => (await import('./commands/open.ts')).openCommands },
  { words: ['idea'], load: async () => (await import('./commands/ideas.ts')).ideaCommands },
  {
    words: ['add', 'edit', 'show', 'withdraw', 'reopen', 'release'],
    load: async () => (await import('./commands/items.ts')).itemCommands,
  },
  { words: ['list'], load: async () => (await import('./commands/list.ts')).listCommands },
  { words: ['take'], load: async () => (await import('./commands/take.ts')).takeCommands },
  { words: ['revert'], load: async () => (await import('./commands/revert.ts')).revertCommands },
  {
    words: ['run', 'guide', 'history'],
    load: async () => (await import('./commands/goals.ts')).goalCommands,
  },
  { words: ['spec'], load: async () => (await import('./commands/specifications.ts')).specificationCommands },
  { words: ['build'], load: async () => (await import('./commands/builds.ts')).buildCommands },
  { words: ['explain'], load: async () => (await import('./commands/explain.ts')).explainCommands },
  { words: ['review'], load: async () => (await import('./commands/reviews.ts')).reviewCommands },
  { words: ['diff'], load: async () => (await import('./commands/diff.ts')).diffCommands },
  {
    words: ['approve', 'request-changes', 'reject'],
    load: async () => (await import('./commands/decide.ts')).decideCommands,
  },
  { words: ['logs'], load: async () => (await import('./commands/logs.ts')).logCommands },
  {
    words: ['questions', 'answer', 'preferences'],
    load: async () => (await import('./commands/questions.ts')).questionCommands,
  },
  { words: ['lessons'], load: async () => (await import('./commands/lessons.ts')).lessonCommands },
  {
    words: ['retrospective'],
    load: async () => (await import('./commands/retrospectives.ts')).retrospectiveCommands,
  },
  { words: ['conflicts'], load: async () => (await import('./commands/conflicts.ts')).conflictCommands },
  { words: ['agent'], load: async () => (await import('./commands/agents.ts')).agentCommands },
  { words: ['roles'], load: async () => (await import('./commands/roles.ts')).roleCommands },
  {
    words: [
      'stop-all',
      'pause-all',
      'resume-all',
      'reset',
      'rollback',
      'reassign',
      'recover',
      'purge',
      'audit',
      'undelete',
    ],
    load: async () => (await import('./commands/orders.ts')).orderCommands,
  },
  { words: ['orphans'], load: async () => (await import('./commands/orphans.ts')).orphanCommands },
  {
    words: ['categories', 'value'],
    load: async () => (await import('./commands/categories.ts')).categoryCommands,
  },
  { words: ['survey'], load: async () => (await import('./commands/survey.ts')).surveyCommands },
  { words: ['fix'], load: async () => (await import('./commands/fix.ts')).fixCommands },
  { words: ['repair'], load: async () => (await import('./commands/repair.ts')).repairCommands },
  { words: ['doctor'], load: async () => (await import('./commands/doctor.ts')).doctorCommands },
  { words: ['costs'], load: async () => (await import('./commands/costs.ts')).costCommands },
  { words: ['metrics'], load: async () => (await import('./commands/metrics.ts')).metricsCommands },
  {
    words: ['notifications'],
    load: async () => (await import('./commands/notifications.ts')).notificationCommands,
  },
  {
    words: ['parse-report'],
    load: async () => (await import('./commands/parse-report.ts')).parseReportCommands,
  },
  { words: ['verify'], load: async () => (await import('./commands/verify.ts')).verifyCommands },
  { words: ['completion'], load: async () => (await import('./commands/completion.ts')).completionCommands },
]

/** Needs them all: it completes the words of each. */
const COMPLETION = 'completion'

/** The commands that these words may mean: those of one file, or all where no command begins with the first of them. */
export function loadCommands(argv: readonly string[] = []): Promise<CommandGroup[]> {
  const word = argv.find((each, at) => !each.startsWith('-') && argv[at - 1] !== '--code')
  const file = COMMANDS.find(({ words }) => word !== undefined && word !== COMPLETION && words.includes(word))
  return Promise.all((file === undefined ? COMMANDS : [file]).map(({ load }) => load()))
}
