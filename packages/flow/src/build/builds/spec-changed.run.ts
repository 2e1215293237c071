// A specification that is changed while it is built: the build goes on with what was approved, and its owner is asked.
import { differenceOf } from '../../spec/difference.ts'
import type { BuildWorld } from './build-world.ts'
import { tell } from './tell.run.ts'

const LINES_MAX = 20

export async function runSpecChanged(world: Pick<BuildWorld, 'store' | 'now'>, slug: string): Promise<void> {
  const { store } = world
  const [build] = await store.builds.ofSpec(slug)
  const latest = await store.specifications.find(slug)
  if (build === undefined || latest === null || latest.spec.revision <= build.revision) return
  if (build.status !== 'running' && build.status !== 'priming') return
  const built = await store.specifications.revision(slug, build.revision)
  const { revision } = latest.spec
  const difference = built === null ? [] : differenceOf(built.tasksText, latest.tasksText)
  const why = [
    `Revision ${build.revision} is built on, revision ${revision} differs. To build that instead: treadle spec approve ${slug} --revision ${revision}. Otherwise there is nothing to do.`,
    ...difference.slice(0, LINES_MAX),
  ].join('\n')
  await tell(world, build, `spec-changed:${revision}`, {
    type: 'build.spec_changed',
    revision,
    why: why.slice(0, 4_000),
  })
}
