// Every setting and every limit, with its default: one section to a file in config/. Zero never means unlimited.
import { z } from 'zod'
import { AgentsConfig } from './config/agents.ts'
import { ApprovalConfig } from './config/approval.ts'
import { BuildsConfig } from './config/builds.ts'
import { EnginesConfig } from './config/engines.ts'
import { FlagsConfig } from './config/flags.ts'
import { GatesConfig } from './config/gates.ts'
import { IdeasConfig } from './config/ideas.ts'
import { LessonsConfig } from './config/lessons.ts'
import { LimitsConfig } from './config/limits.ts'
import { MergeConfig } from './config/merge.ts'
import { MonitoringConfig } from './config/monitoring.ts'
import { NotificationsConfig } from './config/notifications.ts'
import { QuestionsConfig } from './config/questions.ts'
import { ReviewConfig } from './config/review.ts'
import { SandboxConfig } from './config/sandbox.ts'
import { SpecificationConfig } from './config/specification.ts'
import { SprintConfig } from './config/sprint.ts'
import { TelemetryConfig } from './config/telemetry.ts'
import { TestsConfig } from './config/tests.ts'
import { ValidationConfig } from './config/validation.ts'

export const Config = z.strictObject({
  $schema: z.string().optional(),
  rolloutStage: z
    .int()
    .min(1)
    .max(5)
    .nullable()
    .default(null)
    .describe(
      '1 to 5: how far the crew is trusted; gives the defaults of its size, its budgets, its reviewer and its own improvements',
    ),
  flags: FlagsConfig.prefault({}),
  agents: AgentsConfig.prefault({}),
  merge: MergeConfig.prefault({}),
  approval: ApprovalConfig.prefault({}),
  tests: TestsConfig.prefault({}),
  gates: GatesConfig.prefault({}),
  validation: ValidationConfig.prefault({}),
  engines: EnginesConfig.prefault({}),
  sandbox: SandboxConfig.prefault({}),
  review: ReviewConfig.prefault({}),
  limits: LimitsConfig.prefault({}),
  ideas: IdeasConfig.prefault({}),
  specification: SpecificationConfig.prefault({}),
  builds: BuildsConfig.prefault({}),
  sprint: SprintConfig.prefault({}),
  telemetry: TelemetryConfig.prefault({}),
  questions: QuestionsConfig.prefault({}),
  lessons: LessonsConfig.prefault({}),
  notifications: NotificationsConfig.prefault({}),
  monitoring: MonitoringConfig.prefault({}),
})
export type Config = z.infer<typeof Config>
