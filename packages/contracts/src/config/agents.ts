import { z } from 'zod'
import { CATEGORIES } from '../categories.ts'

export const AgentsConfig = z.strictObject({
  maxConcurrent: z.int().min(1).max(10).default(1).describe('How many agents work at once'),
  ownCores: z
    .boolean()
    .default(true)
    .describe(
      'With at least as many cores as agents, each agent is kept to cores of its own (Linux, with taskset)',
    ),
  dailyBudgetUSD: z
    .number()
    .positive()
    .default(50)
    .describe(
      'What all agents together may spend in a day: at 90 % nothing new is begun, at 100 % everything stops',
    ),
  monthlyBudgetUSD: z.number().positive().default(500).describe('The same for a month'),
  enabledCategories: z
    .array(z.enum(CATEGORIES))
    .default([...CATEGORIES])
    .describe('Categories in which the crew looks for improvements itself; an empty list: in none'),
  ideationBudgetUSD: z
    .number()
    .min(0)
    .default(5)
    .describe('What looking for improvements may cost in a day, as a part of the daily budget'),
})
