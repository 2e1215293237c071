// What is told of a build: each fact once, by the id that names what it is about.
import type { Build } from '@treadle/contracts/build'
import type { Fact } from '@treadle/contracts/event'
import type { BuildWorld } from './build-world.ts'

type BuildFact = Extract<Fact, { build: string }>
type Without<F> = F extends BuildFact ? Omit<F, 'build' | 'spec'> : never

/** False: it was told before. */
export function tell(
  world: Pick<BuildWorld, 'store' | 'now'>,
  build: Pick<Build, 'id' | 'spec'>,
  name: string,
  fact: Without<BuildFact>,
): Promise<boolean> {
  return world.store.events.append({
    id: `build:${build.id}:${name}`.slice(0, 128),
    at: world.now(),
    item: null,
    agentId: null,
    runId: null,
    state: null,
    event: { ...fact, build: build.id, spec: build.spec } as BuildFact,
  })
}
