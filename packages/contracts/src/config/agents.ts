import { z } from 'zod'
import { CATEGORIES } from '../categories.ts'

export const AgentsConfig = z.strictObject({
  maxConcurrent: z.int().min(1).max(10).default(1).describe('How many agents work at once'),
  dailyBudgetUSD: z.number().positive().default(50),
  monthlyBudgetUSD: z.number().positive().default(500),
  enabledCategories: z.array(z.enum(CATEGORIES)).default([...CATEGORIES]),
})
