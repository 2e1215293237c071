// What builds need of the daemon: an approval begins one, the moves of its items and the clock have it go on.
import { forEach } from '@treadle/flow/ask/for-each.run'
import type { BuildWorld } from '@treadle/flow/build/builds/build-world'
import { type FollowWorld, runFollow } from '@treadle/flow/build/builds/follow.run'
import { judgePackage } from '@treadle/flow/build/builds/package-rule'
import { runPrime } from '@treadle/flow/build/builds/prime.run'
import { runSpecChanged } from '@treadle/flow/build/builds/spec-changed.run'
import { Fault } from '@treadle/flow/fault'
import type { JobData } from '@treadle/flow/ports/jobs'
import { askRegistry } from '../npm-registry.ts'
import type { World } from '../world.ts'
import { isKnownHere } from './specifications.ts'

const BUILDS_MAX = 100

export function buildWorld(world: World): BuildWorld & FollowWorld {
  const { store, advance, now, config, documents, tree, lessons, git, workspace } = world
  return {
    store,
    advance,
    now,
    config,
    documents,
    tree,
    lessons,
    git,
    workspace,
    // Asked for each time: the owner may name another branch.
    get target() {
      return world.target
    },
    judgePackage: async (name) => {
      const told = await askRegistry(await tree.read('package-lock.json'), name)
      return told.is === 'known' ? judgePackage(told.facts, now(), config().builds.packageAgeMs) : told
    },
  }
}

export async function workOnBuild(world: World, job: JobData['build']): Promise<void> {
  const building = buildWorld(world)
  if ('build' in job) return followBuild(world, job.build)
  if (!(await isKnownHere(world, job.subject))) return
  if (job.type === 'spec.approved') return runPrime(building, job.subject)
  for (const { id } of await world.store.builds.ofSpec(job.subject)) await runFollow(building, id)
}

/** On a shared database each daemon knows the builds of its own workspace only; another one tries next. */
async function followBuild(world: World, id: string): Promise<void> {
  const { store, workspace } = world
  if (workspace.shared && (await store.builds.find(id)) === null)
    throw new Fault('build', `there is no build ${id} in this workspace`)
  await runFollow(buildWorld(world), id)
}

/** Part of every sweep: builds that a killed daemon has left, those whose time is up, and what was edited meanwhile. */
export async function sweepBuilds(world: World): Promise<void> {
  const building = buildWorld(world)
  const live = await world.store.builds.inStatus(['priming', 'running'], BUILDS_MAX)
  await forEach(live, async ({ id, spec, status }) => {
    await (status === 'priming' ? runPrime(building, spec) : runFollow(building, id))
    await runSpecChanged(building, spec)
    return true
  })
}
