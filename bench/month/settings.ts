// The settings of a month, and those of a short one that shows as much within a day. What is not here has its usual value.
import { CATEGORIES } from '@treadle/contracts/categories'
import type { Mood } from './model.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The supervisor looks that often: thirty days at its usual pace would be half a million looks. */
export const SWEEP_MS = 20 * MINUTE
/** Agents give a sign of life that often, and at each change of what they do. */
export const BEAT_MS = 2 * HOUR

export interface Scale {
  readonly agents: number
  /** How long the model is in one mood. */
  readonly moodMs: number
  /** The moods of the beginning, in their order; later ones are drawn from them. */
  readonly moods: readonly Mood[]
  readonly buildHours: readonly [least: number, most: number]
  /** The owner looks in that often, and values such a share of what was merged. */
  readonly ownerMs: number
  readonly valued: number
  readonly settings: object
}

const COMMON = {
  flags: { enable_ideation: true },
  engines: { default: 'scripted' },
  merge: { approval: 'checks', target: 'main', push: false, sign: 'never' },
  tests: { command: 'true' },
  lessons: { trial: false },
  limits: { sweepMs: SWEEP_MS, heartbeatMs: BEAT_MS, degradedMs: 3 * HOUR, unresponsiveMs: 4 * HOUR },
  monitoring: { checkMs: 6 * HOUR, tasksMs: 6 * HOUR, componentMs: 4 * HOUR },
} as const

/** Money is short enough that a rise of prices is felt, and five agents have room for as much as they build in a day. */
export const MONTH: Scale = {
  agents: 5,
  moodMs: DAY,
  moods: ['good', 'silent', 'good', 'nonsense', 'repeats', 'good', 'empty', 'dear', 'good', 'silent'],
  buildHours: [2, 7.5],
  ownerMs: 6 * HOUR,
  valued: 0.6,
  settings: {
    ...COMMON,
    agents: { maxConcurrent: 5, dailyBudgetUSD: 40, monthlyBudgetUSD: 600, ideationBudgetUSD: 5 },
    ideas: { openMax: 16, perDay: 24, perCategoryPerDay: 2, quietHours: '01:00-05:00', engine: 'scripted' },
  },
}

/** Four categories and three agents, with every mood within a day, so that what is wrong shows within hours. */
export const SHORT: Scale = {
  agents: 3,
  moodMs: 3 * HOUR,
  moods: ['good', 'repeats', 'empty', 'silent', 'dear', 'nonsense', 'good', 'repeats'],
  buildHours: [0.5, 2],
  ownerMs: HOUR,
  valued: 1,
  settings: settingsOf({ categories: 4, perCategoryPerDay: 5, ideationBudgetUSD: 4 }),
}

interface Short {
  readonly categories: number
  readonly perCategoryPerDay: number
  readonly ideationBudgetUSD: number
  readonly perDay?: number
}

/** Little of everything: a day is short. */
export function settingsOf({ categories, perCategoryPerDay, ideationBudgetUSD, perDay = 18 }: Short): object {
  return {
    ...COMMON,
    agents: {
      maxConcurrent: 3,
      dailyBudgetUSD: 40,
      monthlyBudgetUSD: 600,
      ideationBudgetUSD,
      enabledCategories: CATEGORIES.slice(0, categories),
    },
    ideas: {
      openMax: 7,
      perDay,
      perCategoryPerDay,
      quietHours: '02:00-03:00',
      engine: 'scripted',
      exhaustedMs: 3 * HOUR,
      roundMs: HOUR,
    },
  }
}
