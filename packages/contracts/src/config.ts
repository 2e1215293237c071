// Every setting and every limit, with its default. Zero never means unlimited.
import { z } from 'zod'
import { CATEGORIES } from './categories.ts'
import { EnginesConfig } from './config-engines.ts'
import { MonitoringConfig } from './config-monitoring.ts'
import { NotificationsConfig } from './config-notifications.ts'
import { Duration } from './question.ts'

export const MergeApproval = z.enum(['human', 'reviewer', 'checks', 'never'])
export type MergeApproval = z.infer<typeof MergeApproval>

/** Files in which a wrong line does harm that no test of one item would see. */
const CRITICAL_FILES = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock{,b}',
  'Cargo.lock',
  'Gemfile.lock',
  'composer.lock',
  'poetry.lock',
  'uv.lock',
  'go.{mod,sum}',
  '**/migrations/**',
  '*.sql',
  'schema.*',
  '*.schema.*',
  '*.prisma',
] as const

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ms = (value: number) =>
  z
    .int()
    .min(1)
    .max(400 * DAY)
    .default(value)
const percent = (value: number) => z.number().min(0).max(100).default(value)
const count = (value: number) => z.int().min(1).max(2_147_483_647).default(value)

export const AgentsConfig = z.strictObject({
  maxConcurrent: z.int().min(1).max(10).default(1).describe('How many agents work at once'),
  dailyBudgetUSD: z.number().positive().default(50),
  monthlyBudgetUSD: z.number().positive().default(500),
  enabledCategories: z.array(z.enum(CATEGORIES)).default([...CATEGORIES]),
})

export const MergeConfig = z.strictObject({
  approval: MergeApproval.default('human').describe(
    'human: treadle review approve; reviewer: review-agent with a model; checks: standing order, all gates green; never: push and done',
  ),
  target: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .describe('Branch to merge into; null: the branch checked out at init'),
  autoResolve: z
    .boolean()
    .default(true)
    .describe('Try small conflicts without a person: the target side wins, and all gates run again'),
  criticalFiles: z
    .array(z.string().min(1).max(300))
    .max(200)
    .default([...CRITICAL_FILES])
    .describe('Globs; a conflict in one of these always waits for a person. Without a slash: in any folder'),
  batch: z
    .int()
    .min(1)
    .max(32)
    .default(1)
    .describe(
      'How many approved items are tested as one stack; 1: each is tested by itself, as its own merge',
    ),
  push: z
    .boolean()
    .default(false)
    .describe(
      'true: a merge is pushed to origin, with its receipt; false: pushing the target is left to you',
    ),
  sign: z
    .enum(['auto', 'required', 'never'])
    .default('auto')
    .describe(
      'auto: signed with your git signing key, if you have one that works; required: nothing lands unsigned',
    ),
})

export const TestsConfig = z.strictObject({
  command: z.string().min(1).max(2_000).nullable().default(null).describe('null: detected from the project'),
  timeoutMs: ms(10 * MINUTE),
  setupCommand: z
    .string()
    .min(1)
    .max(2_000)
    .nullable()
    .default(null)
    .describe('Run once in a new worktree, for example npm ci'),
  trace: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: tests may be run once more to see what each of them runs; off: the sources alone say it',
    ),
})

export const GatesConfig = z.strictObject({
  linterCommand: z
    .union([z.string().min(1).max(2_000), z.literal(false)])
    .nullable()
    .default(null)
    .describe('null: detected from the project; false: no linter is run'),
  coverage: z
    .strictObject({
      threshold: z
        .number()
        .min(0)
        .max(100)
        .nullable()
        .default(null)
        .describe('Percent of lines; null: coverage is not looked at'),
      command: z
        .string()
        .min(1)
        .max(2_000)
        .nullable()
        .default(null)
        .describe('Writes the report; null: the tests do'),
      report: z
        .string()
        .min(1)
        .max(1_000)
        .nullable()
        .default(null)
        .describe('Istanbul, LCOV or Cobertura, relative to the project; null: the usual places'),
    })
    .prefault({}),
  security: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: npm, pnpm or yarn asks its registry about the packages in the lock file; off: nobody is asked',
    ),
  documentation: z
    .strictObject({
      share: percent(50).describe('Percent of new public functions, classes and types; less is a warning'),
    })
    .prefault({}),
  witness: z
    .enum(['auto', 'required', 'off'])
    .default('auto')
    .describe(
      'A test that fails without the change and passes with it. auto: new tests must be such; required: there must be one',
    ),
  mutation: z
    .strictObject({
      share: percent(60).describe('Percent of planted faults that an assertion notices; less is a warning'),
      mutants: z.int().min(0).max(1_000).default(60).describe('How many faults are planted; 0: none'),
      seconds: z.int().min(1).max(3_600).default(120).describe('How long it may take'),
    })
    .prefault({}),
})
export type GatesConfig = z.infer<typeof GatesConfig>

export const ReviewConfig = z.strictObject({
  template: z
    .string()
    .min(1)
    .max(1_000)
    .nullable()
    .default(null)
    .describe(
      'File with the prompt of the reviewer; null: .claude/commands/review-agent-prompt.md of the workspace, then of your home',
    ),
  reviewers: z
    .int()
    .min(1)
    .max(9)
    .default(3)
    .describe('How many may read deliveries at once; one does until there is more to read than that'),
  waitingPerReviewer: z
    .int()
    .min(1)
    .max(1_000)
    .default(4)
    .describe('Deliveries that one reviewer has before another one helps'),
  rejectionPercent: percent(30).describe(
    'More of the latest deliveries rejected than this, and the owner is told what for',
  ),
})

/** The bounds of every loop, queue, retry, prompt and output. */
export const LimitsConfig = z.strictObject({
  improvements: count(3).describe('Improvements of one item before a person is asked (stops when reached)'),
  reviewCycles: count(3),
  infrastructureRetries: count(3).describe(
    'Engine crashes and network faults per phase that do not use up an attempt',
  ),
  claimMs: ms(8 * HOUR),
  executionMs: ms(8 * HOUR),
  engineStallMs: ms(15 * MINUTE),
  queueWaitMs: ms(30 * DAY),
  reviewWaitMs: ms(2 * HOUR),
  humanReminderMs: ms(DAY),
  mergeMs: ms(8 * HOUR).describe(
    'How long an approved item may wait for its merge, those before it included',
  ),
  heartbeatMs: ms(30 * SECOND),
  degradedMs: ms(60 * SECOND),
  unresponsiveMs: ms(120 * SECOND),
  pollMs: ms(2 * SECOND).describe('How often an idle agent asks for work'),
  sweepMs: ms(5 * SECOND).describe('How often the supervisor looks at deadlines and processes'),
  stopGraceMs: ms(5 * SECOND),
  restartsPerHour: count(20).describe('Restarts of one agent before a person is asked'),
  pushRetries: count(3),
  fetchMs: ms(8 * SECOND).describe('How long origin is waited for before work starts from what is here'),
  conflictFiles: count(5).describe('A conflict in this many files is left to a person'),
  pendingConflicts: count(5).describe('More conflicts than this, and nothing new is claimed'),
  foresightMs: ms(10 * SECOND).describe('How often live branches are held against each other'),
  outputTailBytes: count(16_384),
  bodyBytes: count(1_048_576),
  observationsPerPhase: count(500),
  goalIterations: count(15).describe('Rounds of plan, act, observe and reflect for one goal'),
  stuckAfter: count(3).describe('The same plan or the same failure this often, and a person is asked'),
  engineBreakMs: ms(10 * MINUTE).describe('How long an engine rests whose key or account was refused'),
  groupsPerAttempt: count(8).describe('Causes of failures that one improvement takes on, one turn each'),
  assumedCallUSD: z
    .number()
    .positive()
    .max(1_000)
    .default(0.5)
    .describe('What a call of a model is taken to cost until the real figure is known'),
  itemCostUSD: z
    .number()
    .positive()
    .max(1_000_000)
    .default(5)
    .describe('An item that has cost more is told to the owner, once'),
  callsPerMinute: count(120).describe('Calls of models that the whole crew may begin within a minute'),
  promptTokens: count(60_000).describe('What an engine is told at most'),
  agents: z.int().min(1).max(10).default(10),
})

/** Thresholds of the vision-driven sprint loop. */
export const SprintConfig = z.strictObject({
  maxLoopIterations: z.int().min(1).default(100),
  maxIterations: z.int().min(0).default(0).describe('0: bounded by maxLoopIterations alone'),
  maxGateRetries: count(3),
  maxTestFixAttempts: count(3),
  maxNoProgress: count(3),
  maxImplNoProgress: count(3),
  maxConsecutiveBlocked: count(5),
  maxServiceCheckAttempts: count(3),
  maxTotalServiceFailures: count(10),
  regressionCheckInterval: count(5),
  spotCheckProbability: z.int().min(0).max(100).default(30),
  spotCheckCount: count(2),
  significantTaskThreshold: count(5),
})

/** Where measurements go; nothing leaves the machine unless it is set here. */
export const TelemetryConfig = z.strictObject({
  otlpEndpoint: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .nullable()
    .default(null)
    .describe('OTLP over HTTP, for example http://127.0.0.1:4318; null: nothing is sent'),
  prometheusPort: z
    .int()
    .min(1)
    .max(65_535)
    .nullable()
    .default(null)
    .describe('Port of /metrics on 127.0.0.1; null: none is served'),
})
export type TelemetryConfig = z.infer<typeof TelemetryConfig>

/** When people are asked, and what happens if they do not answer. */
export const QuestionsConfig = z.strictObject({
  autonomy: z
    .enum(['ask', 'judgement'])
    .default('ask')
    .describe('judgement: nobody is asked where a default exists'),
  expireAfter: Duration.default('24h').describe(
    'How long a question that holds nobody up waits before its default holds',
  ),
  remindAfter: Duration.nullable()
    .default(null)
    .describe('When somebody is reminded of a question, once; null: after half of expireAfter'),
  celebrate: z.boolean().default(false).describe('Also questions that only mark progress'),
})
export type QuestionsConfig = z.infer<typeof QuestionsConfig>

/** Whether lessons have to earn their place, and how. */
export const LessonsConfig = z.strictObject({
  trial: z
    .boolean()
    .default(true)
    .describe('false: no lesson is kept back from a run, and none is judged by what came of it'),
  withheldShare: z
    .number()
    .min(0)
    .max(0.9)
    .default(0.3)
    .describe('Share of the runs that are not shown a lesson on trial that fits them'),
  promoteAt: z.number().min(0.5).max(1).default(0.98).describe('Proven: it helps at least so probably'),
  retireAt: z.number().min(0).max(0.5).default(0.1).describe('Retired: it helps at most so probably'),
})
export type LessonsConfig = z.infer<typeof LessonsConfig>

/** Switches of earlier configurations; merge.approval is the one setting that decides. */
export const FlagsConfig = z.strictObject({
  enable_review_agent: z.boolean().optional().describe('false: merge.approval never; true: reviewer'),
  enable_multi_agent: z.boolean().optional().describe('false: one agent works and no more'),
  enable_ideation: z.boolean().optional(),
  enable_advanced_monitoring: z
    .boolean()
    .optional()
    .describe('false: no health checks are made, and none of their alerts'),
})

export const Config = z.strictObject({
  $schema: z.string().optional(),
  rolloutStage: z
    .int()
    .min(1)
    .max(5)
    .nullable()
    .default(null)
    .describe('1 to 5: how far the crew is trusted; gives the defaults of its size and its budgets'),
  flags: FlagsConfig.prefault({}),
  agents: AgentsConfig.prefault({}),
  merge: MergeConfig.prefault({}),
  tests: TestsConfig.prefault({}),
  gates: GatesConfig.prefault({}),
  engines: EnginesConfig.prefault({}),
  review: ReviewConfig.prefault({}),
  limits: LimitsConfig.prefault({}),
  sprint: SprintConfig.prefault({}),
  telemetry: TelemetryConfig.prefault({}),
  questions: QuestionsConfig.prefault({}),
  lessons: LessonsConfig.prefault({}),
  notifications: NotificationsConfig.prefault({}),
  monitoring: MonitoringConfig.prefault({}),
})
export type Config = z.infer<typeof Config>
