import { z } from 'zod'
import { count } from './bounds.ts'

/** Thresholds of the vision-driven sprint loop. */
export const SprintConfig = z.strictObject({
  maxLoopIterations: z.int().min(1).default(100).describe('Rounds of one sprint'),
  maxIterations: z.int().min(0).default(0).describe('0: bounded by maxLoopIterations alone'),
  maxGateRetries: count(3).describe('Tries of one gate of a sprint'),
  maxTestFixAttempts: count(3).describe('Tries to mend one failing test'),
  maxNoProgress: count(3).describe('Rounds without progress before the plan is reconsidered'),
  maxImplNoProgress: count(3).describe('The same while tasks are being built'),
  maxConsecutiveBlocked: count(5).describe('Blocked tasks in a row before the sprint stops'),
  maxServiceCheckAttempts: count(3).describe('Tries to start one service'),
  maxTotalServiceFailures: count(10).describe('Failures of all services before the sprint stops'),
  regressionCheckInterval: count(5).describe('Tasks after which passed tests are run again'),
  spotCheckProbability: z
    .int()
    .min(0)
    .max(100)
    .default(30)
    .describe('Percent of tasks after which some passed tests are run again'),
  spotCheckCount: count(2).describe('How many are run then'),
  significantTaskThreshold: count(5).describe('Tasks that make a plan a significant one'),
})
