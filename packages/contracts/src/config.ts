// Every setting and every limit, with its default. Zero never means unlimited.
import { z } from 'zod'
import { CATEGORIES } from './categories.ts'

export const MergeApproval = z.enum(['human', 'reviewer', 'checks', 'never'])
export type MergeApproval = z.infer<typeof MergeApproval>

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
})
export type GatesConfig = z.infer<typeof GatesConfig>

export const EnginesConfig = z.strictObject({
  default: z.string().min(1).max(60).default('repair').describe('Who writes the code'),
  first: z
    .string()
    .min(1)
    .max(60)
    .nullable()
    .default(null)
    .describe('An engine that may try before the default one, for example repair before a paid one'),
  repair: z
    .strictObject({
      budgetSeconds: z.int().min(1).max(3_600).default(20).describe('How long the search may take'),
      maxCandidates: z.int().min(1).max(1_000_000).default(50_000),
    })
    .prefault({}),
  scripted: z
    .strictObject({
      scenario: z
        .string()
        .min(1)
        .max(1_000)
        .nullable()
        .default(null)
        .describe('Scenario file, relative to the workspace'),
    })
    .prefault({}),
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
  mergeMs: ms(HOUR),
  heartbeatMs: ms(30 * SECOND),
  degradedMs: ms(60 * SECOND),
  unresponsiveMs: ms(120 * SECOND),
  pollMs: ms(2 * SECOND).describe('How often an idle agent asks for work'),
  sweepMs: ms(5 * SECOND).describe('How often the supervisor looks at deadlines and processes'),
  stopGraceMs: ms(5 * SECOND),
  restartsPerHour: count(20).describe('Restarts of one agent before a person is asked'),
  pushRetries: count(3),
  claimRetries: count(3),
  writeRetries: count(3),
  outputTailBytes: count(16_384),
  bodyBytes: count(1_048_576),
  eventsPerPage: count(500),
  observationsPerPhase: count(500),
  groupsPerAttempt: count(8).describe('Causes of failures that one improvement takes on, one turn each'),
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

/** Switches of earlier configurations; merge.approval is the one setting that decides. */
export const FlagsConfig = z.strictObject({
  enable_review_agent: z.boolean().optional().describe('false: merge.approval never; true: reviewer'),
})

export const Config = z.strictObject({
  $schema: z.string().optional(),
  flags: FlagsConfig.prefault({}),
  agents: AgentsConfig.prefault({}),
  merge: MergeConfig.prefault({}),
  tests: TestsConfig.prefault({}),
  gates: GatesConfig.prefault({}),
  engines: EnginesConfig.prefault({}),
  limits: LimitsConfig.prefault({}),
  sprint: SprintConfig.prefault({}),
  telemetry: TelemetryConfig.prefault({}),
})
export type Config = z.infer<typeof Config>
