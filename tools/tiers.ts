// The test tiers: which files each test command runs, and how. One vitest config per tier is made from this.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { env } from './env.ts'
import { heavy } from './heavy-files.ts'
import { TraceReporter } from './trace-reporter.ts'
import type { Tier } from './trace-results.ts'

type Files = { include: string[]; exclude: string[] }

const slow = ['**/*.long.test.ts', '**/*.engines.test.ts', '**/*.bench.test.ts']
const files: Record<Tier, Files> = {
  quick: { include: ['**/*.test.ts', '**/*.test.tsx'], exclude: slow },
  long: { include: ['**/*.long.test.ts'], exclude: [] },
  bench: { include: ['**/*.bench.test.ts'], exclude: [] },
  engines: { include: ['**/*.engines.test.ts'], exclude: [] },
}
const minute = 60_000
const never = [...configDefaults.exclude, '**/dist/**', '.cache/**']

/**
 * Folders whose quick tests compute, and touch nothing but their own temporary folders. Their files share a process
 * and its modules: to load these for each file anew costs more than the tests do.
 */
const pure = [
  'packages/{contracts,context,flow,memory,questions,repair}/src/**',
  'packages/engines/src/{repair,goal}/**',
  'packages/gates/src/{capability,coverage,integrity,regression,reports,review}/**',
  'apps/dashboard/src/*/**',
  'bench/**',
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
      pool: 'forks',
      // Tests start real daemons and databases; more workers than this only make them wait for each other.
      maxWorkers: Math.min(2, availableParallelism()),
      sequence: { sequencer: HeavyFirst },
      // Only what hangs is to meet this: a quick test must not fail because the machine is busy.
      testTimeout: tier === 'quick' ? 5 * minute : 20 * minute,
      hookTimeout: 5 * minute,
      expect: { poll: { timeout: 2 * minute } },
      fsModuleCache: !env.inCi,
      reporters: ['default', new TraceReporter(tier)],
      passWithNoTests: tier !== 'quick',
      projects: tier === 'quick' ? quickProjects(files.quick) : [realProject(files[tier])],
    },
  })
}

/** The pure half needs no database; so a run of it alone starts none. */
function quickProjects({ include, exclude }: Files) {
  const ending = '*.test.{ts,tsx}'
  const together = pure.map((folder) => `${folder}/${ending}`)
  return [
    { test: { name: 'pure', include: together, exclude: [...never, ...exclude], isolate: false } },
    realProject({ include, exclude: [...exclude, ...together] }),
  ]
}

function realProject({ include, exclude }: Files) {
  return {
    test: {
      name: 'real',
      include,
      exclude: [...never, ...exclude],
      isolate: true,
      // The thread of the embedded database reads its files compiled, and loads no compiler of types.
      env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('../.cache/compile', import.meta.url)) },
      globalSetup: ['tools/test-setup.ts'],
    },
  }
}
