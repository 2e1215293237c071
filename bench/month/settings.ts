// The settings of the month. What is not here has its usual value.
const MINUTE = 60_000
const HOUR = 60 * MINUTE

export const AGENTS = 5
/** The supervisor looks that often: thirty days at its usual pace would be half a million looks. */
export const SWEEP_MS = 20 * MINUTE
/** Agents give a sign of life that often, and at each change of what they do. */
export const BEAT_MS = 2 * HOUR

/** Money is short enough that a rise of prices is felt, and five agents have room for as much as they build in a day. */
export const SETTINGS = {
  flags: { enable_ideation: true },
  agents: { maxConcurrent: AGENTS, dailyBudgetUSD: 40, monthlyBudgetUSD: 600, ideationBudgetUSD: 5 },
  ideas: { openMax: 16, perDay: 24, perCategoryPerDay: 2, quietHours: '01:00-05:00', engine: 'scripted' },
  engines: { default: 'scripted' },
  merge: { approval: 'checks', target: 'main', push: false, sign: 'never' },
  tests: { command: 'true' },
  lessons: { trial: false },
  limits: {
    sweepMs: SWEEP_MS,
    heartbeatMs: BEAT_MS,
    degradedMs: 3 * HOUR,
    unresponsiveMs: 4 * HOUR,
  },
  monitoring: { checkMs: 6 * HOUR, tasksMs: 6 * HOUR, componentMs: 4 * HOUR },
} as const

