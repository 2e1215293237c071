// The test tiers: which files each test command runs. One vitest config per tier is made from this.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { env } from './env.ts'
import { TraceReporter } from './trace-reporter.ts'
import type { Tier } from './trace-results.ts'

const slow = ['**/*.long.test.ts', '**/*.engines.test.ts', '**/*.bench.test.ts']
const files: Record<Tier, { include: string[]; exclude: string[] }> = {
  quick: { include: ['**/*.test.ts', '**/*.test.tsx'], exclude: slow },
  long: { include: ['**/*.long.test.ts'], exclude: [] },
  bench: { include: ['**/*.bench.test.ts'], exclude: [] },
  engines: { include: ['**/*.engines.test.ts'], exclude: [] },
}
const minute = 60_000

/** These take minutes each. Begun last, one of them would run alone at the end while a core is idle. */
const heavy = [
  'packages/git/src/crash.long',
  'packages/store/src/kill.long',
  'scenarios/crew/emergency.long',
  'scenarios/crash/crash.long',
  'scenarios/merge/never-red.long',
  'scenarios/chaos/chaos.long',
]

class HeavyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isHeavy = ({ moduleId }: TestSpecification) => heavy.some((name) => moduleId.includes(name))
    const sorted = await super.sort(files)
    return [...sorted.filter(isHeavy), ...sorted.filter((file) => !isHeavy(file))]
  }
}

export function tierConfig(tier: Tier): ViteUserConfig {
  return defineConfig({
    test: {
      root: fileURLToPath(new URL('..', import.meta.url)),
      include: files[tier].include,
      exclude: [...configDefaults.exclude, '**/dist/**', '.cache/**', ...files[tier].exclude],
      pool: 'forks',
      isolate: true,
      // Tests start real daemons and databases; more workers than this only make them wait for each other.
      maxWorkers: Math.min(2, availableParallelism()),
      sequence: { sequencer: HeavyFirst },
      testTimeout: tier === 'quick' ? minute : 20 * minute,
      hookTimeout: 2 * minute,
      fsModuleCache: !env.inCi,
      globalSetup: ['tools/test-setup.ts'],
      reporters: ['default', new TraceReporter(tier)],
      passWithNoTests: tier !== 'quick',
    },
  })
}
