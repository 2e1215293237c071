// Faults that are planted in the policies of looking, each by what one of them gets to see or to do. Every one must be found.
import { CATEGORIES } from '@treadle/contracts/categories'
import type { Config } from '@treadle/contracts/config'
import type { World } from '@treadle/daemon/world'
import type { CategoryTally, Ideations, IdeationTotals } from '@treadle/flow/ports/ideations'
import { played } from './edges.ts'
import type { Rule } from './rules.ts'
import { type Scale, settingsOf } from './settings.ts'
import type { Plant } from './world.ts'

export interface PlantedFault {
  readonly name: string
  readonly what: string
  readonly plant: Plant
  /** What brings it out sooner than the usual short month. */
  readonly scale?: Partial<Scale>
  /** Any of these tells of it. */
  readonly foundBy: readonly Rule[]
}

const YEAR_MS = 365 * 24 * 3_600_000
/** Later than anything that happens in a month. */
const LATE_MS = Date.parse('2030-01-01T00:00:00Z')

export const FAULTS: readonly PlantedFault[] = [
  {
    name: 'newest-first',
    what: 'the category that was looked at last comes first',
    plant: withTallies((tally) => ({ lastUsedAt: mirrored(tally.lastUsedAt) })),
    foundBy: ['least_recently_used'],
  },
  {
    name: 'exhaustion-ignored',
    what: 'a category that is left alone is looked at',
    plant: withTallies(() => ({ exhaustedUntil: null })),
    scale: { moods: ['empty', 'good'] },
    foundBy: ['left_alone'],
  },
  {
    name: 'exhaustion-never-set',
    what: 'nothing worth doing is no reason to leave a category alone',
    plant: withIdeations(() => ({ exhaust: async () => undefined })),
    foundBy: ['left_alone'],
  },
  {
    name: 'exhaustion-never-ends',
    what: 'a category that was left alone once stays so',
    plant: withIdeations((real) => ({
      exhaust: (name, until, why) =>
        real.exhaust(name, until === null ? null : new Date(until.getTime() + YEAR_MS), why),
    })),
    foundBy: ['least_recently_used', 'asleep'],
  },
  {
    name: 'cap-of-category-ignored',
    what: 'a category brings as many in a day as it likes',
    plant: withTallies(() => ({ createdToday: 0 })),
    scale: { settings: settingsOf({ categories: 4, perCategoryPerDay: 1, ideationBudgetUSD: 4 }) },
    foundBy: ['left_alone'],
  },
  {
    name: 'cap-of-day-ignored',
    what: 'a day brings as many as it likes',
    plant: withTotals(() => ({ createdToday: 0 })),
    scale: {
      settings: settingsOf({ categories: 4, perCategoryPerDay: 5, ideationBudgetUSD: 4, perDay: 6 }),
    },
    foundBy: ['caps'],
  },
  {
    name: 'open-ignored',
    what: 'as many are open as like to be',
    plant: withTotals(() => ({ open: 0 })),
    foundBy: ['caps'],
  },
  {
    name: 'budget-ignored',
    what: 'looking may cost what it likes',
    plant: withTotals(() => ({ spentTodayUSD: 0, dearestUSD: 0 })),
    scale: { settings: settingsOf({ categories: 4, perCategoryPerDay: 5, ideationBudgetUSD: 2 }) },
    foundBy: ['ideation_budget'],
  },
  {
    name: 'closed-items-forgotten',
    what: 'an idea is compared with open items only',
    plant: withIdeations((real) => ({
      titles: async (project) => (await real.titles(project)).filter(({ isOpen }) => isOpen),
    })),
    foundBy: ['duplicate', 'answers'],
  },
  {
    name: 'quiet-hours-ignored',
    what: 'it looks at night as well',
    plant: withConfig((config) => ({ ideas: { ...config.ideas, quietHours: null } })),
    foundBy: ['quiet_hours'],
  },
  {
    name: 'look-never-ends',
    what: 'a look that nobody answers is never over',
    plant: withIdeations((real) => ({
      end: async (thought, ending, at) =>
        ending.outcome === 'failed' ? undefined : real.end(thought, ending, at),
    })),
    scale: { moods: ['silent', 'silent', 'silent', 'good'] },
    foundBy: ['looks_end', 'least_recently_used', 'asleep'],
  },
  {
    name: 'queue-low-too-high',
    what: 'it looks although there is enough to do',
    plant: withConfig((config) => ({ monitoring: { ...config.monitoring, queueLow: 6 } })),
    foundBy: ['enough_to_do'],
  },
  {
    name: 'queue-low-too-low',
    what: 'it looks only when nothing is left to do',
    plant: withConfig((config) => ({ monitoring: { ...config.monitoring, queueLow: 1 } })),
    foundBy: ['queue'],
  },
  {
    name: 'value-ignored',
    what: 'a category whose changes nobody values is looked at',
    plant: withTallies(() => ({ recentValue: null })),
    // The owner thinks little of two, and here these are all.
    scale: {
      moods: ['good'],
      settings: settingsOf({ categories: 2, perCategoryPerDay: 18, ideationBudgetUSD: 20 }),
    },
    foundBy: ['left_alone'],
  },
]

function withIdeations(parts: (real: Ideations) => Partial<Ideations>): Plant {
  return (world) => {
    const { ideations } = world.store
    return { ...world, store: { ...world.store, ideations: played(ideations, parts(ideations)) } }
  }
}

/** What is counted of each category, also of those of which nothing is known yet. */
function withTallies(change: (tally: CategoryTally) => Partial<CategoryTally>): Plant {
  return withIdeations((real) => ({
    tally: async (now) => {
      const known = new Map((await real.tally(now)).map((tally) => [tally.category, tally]))
      return CATEGORIES.map((category) => {
        const tally = known.get(category) ?? { ...UNKNOWN, category }
        return { ...tally, ...change(tally) }
      })
    },
  }))
}

function withTotals(change: (totals: IdeationTotals) => Partial<IdeationTotals>): Plant {
  return withIdeations((real) => ({
    totals: async (now) => {
      const totals = await real.totals(now)
      return { ...totals, ...change(totals) }
    },
  }))
}

/** The month itself goes by the settings as they are. */
function withConfig(change: (config: Config) => Partial<Config>): Plant {
  return (world: World) => ({
    ...world,
    config: () => ({ ...world.config(), ...change(world.config()) }),
  })
}

/** Later becomes earlier, and never comes last. */
function mirrored(at: string | null): string {
  return new Date(LATE_MS - (at === null ? 0 : Date.parse(at))).toISOString()
}

const UNKNOWN: Omit<CategoryTally, 'category'> = {
  lastUsedAt: null,
  exhaustedUntil: null,
  exhaustedWhy: null,
  projectsGenerated: 0,
  open: 0,
  merged: 0,
  withdrawn: 0,
  refused: 0,
  value: null,
  valued: 0,
  costUSD: 0,
  weekly: [],
  underWay: 0,
  createdToday: 0,
  recentValue: null,
  recentlyValued: 0,
}
