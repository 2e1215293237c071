// When the health checks say that something is not well. How old a sign of life may be is in `limits`.
import { z } from 'zod'
import { AgentId } from '../ids.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

const ms = (value: number) => z.int().min(1).max(DAY).default(value)
const count = (value: number) => z.int().min(0).max(1_000_000).default(value)

export const MonitoringConfig = z.strictObject({
  checkMs: z
    .int()
    .min(200)
    .max(DAY)
    .default(60 * SECOND)
    .describe('How often the health of the crew, the queue and the budgets is checked'),
  errorsDegraded: count(3).describe('An agent with this many errors within an hour is degraded'),
  errorsCritical: count(10).describe('With more than this many, it is critical'),
  queueLow: count(3).describe('Fewer items than this that can be claimed: the queue is low'),
  queueHigh: count(10).describe('More than this: the queue is high'),
  stuckMs: ms(30 * MINUTE).describe('An agent at work that makes no progress for longer than this is stuck'),
  stallMs: ms(60 * MINUTE).describe('Work waits and nothing has moved for longer than this: the loop stalls'),
  overrunPercent: z
    .number()
    .min(100)
    .max(10_000)
    .default(200)
    .describe('More of a budget spent than this: a critical alert that advises a rollback'),
  crashPercent: z
    .number()
    .min(1)
    .max(100)
    .default(50)
    .describe('More of the running agents crashed within an hour than this: the same'),
  rollback: z
    .enum(['auto', 'never'])
    .default('auto')
    .describe(
      'auto: a phase is rolled back by itself when a budget overrun, crashing agents or damaged data last; never: only you do it',
    ),
  rollbackMs: z
    .int()
    .min(1)
    .max(60 * MINUTE)
    .default(30 * MINUTE)
    .describe('How long one of these must last before that'),
  tasksMs: z
    .int()
    .min(200)
    .max(DAY)
    .default(2 * MINUTE)
    .describe('How often the monitor looks at tasks, at components and at who waits for whom'),
  taskDatabaseMs: ms(5 * MINUTE).describe(
    'A task of the phase database at work for longer than this is stuck',
  ),
  taskTestsMs: ms(15 * MINUTE).describe('The same for a task of the phase tests'),
  taskMs: ms(10 * MINUTE).describe('The same for a task of any other phase'),
  watchMs: ms(5 * MINUTE).describe('A stuck task that is let be is looked at again after this'),
  escalateMs: ms(20 * MINUTE).describe('A task at work for longer than this: you are asked what to do'),
  interruptMs: ms(30 * MINUTE).describe('And for longer than this: it is taken from its agent'),
  componentMs: ms(5 * MINUTE).describe('A component whose last sign of life is older than this is down'),
  components: z
    .array(AgentId)
    .max(20)
    .nullable()
    .default(null)
    .describe('The components that are expected; null: every agent of the crew that is to run'),
  componentRestarts: z
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe('Restarts of one component within an hour because it was down, before you are asked'),
})
export type MonitoringConfig = z.infer<typeof MonitoringConfig>
