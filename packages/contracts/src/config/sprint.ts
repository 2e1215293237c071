import { z } from 'zod'
import { count } from './bounds.ts'

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
