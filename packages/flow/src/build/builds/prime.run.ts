// Begins the build of an approved specification: its record, its items and its branch. Killed at any line it is gone on
// with: the record has a name that follows from the specification, and nothing is offered before the branch is there.
import { createHash } from 'node:crypto'
import type { Build, BuildForecast } from '@treadle/contracts/build'
import type { Specification, SpecTask } from '@treadle/contracts/specification'
import { BUILD_HEADINGS, conventionsIn } from '../../spec/conventions.ts'
import { loadOwners } from '../../spec/load-context.run.ts'
import { otherOwner } from '../../spec/owners.ts'
import { buildAfter } from './build.machine.ts'
import type { BuildWorld } from './build-world.ts'
import { runForecast } from './forecast.run.ts'
import { deliveryItem, inBuildOrder, type TaskItemFacts, taskItem } from './task-items.ts'
import { tell } from './tell.run.ts'
import { withdrawOpen } from './withdraw.run.ts'
import { clockAt } from './work-clock.ts'

const PROJECT = 1
const BRANCHES_MAX = 100
const GOTCHA_CONFIDENCE = 0.6
const LESSONS_MAX = 20
const PRIME_MAX = 4_000

export async function runPrime(world: BuildWorld, slug: string): Promise<void> {
  const kept = await world.store.specifications.find(slug)
  if (kept === null || kept.spec.status !== 'approved') return
  const id = buildIdOf(world.workspace.id, kept.spec)
  const build = (await world.store.builds.find(id)) ?? (await record(world, id, kept.spec))
  if (build.status === 'priming') await begin(world, build)
}

/** One build for each revision, however often its approval is told. */
function buildIdOf(workspace: string, { slug, revision }: Specification): string {
  const hash = createHash('sha256').update(`build ${workspace} ${slug} ${revision}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

interface Primed {
  readonly forecast: BuildForecast
  readonly facts: Pick<TaskItemFacts, 'requirements' | 'conventions' | 'readme'>
  readonly learned: ReadonlyMap<string, readonly string[]>
  /** Files of tasks that are not the crew's, and whose they are. */
  readonly owners: ReadonlyMap<string, string>
  readonly words: string
}

/** Everything is read before the transaction, so that nobody waits for a disk. */
async function record(world: BuildWorld, id: string, spec: Specification): Promise<Build> {
  const { store } = world
  const primed = await prime(world, spec)
  const branch = await freeBranch(world, spec.slug)
  const base = await world.git.commitOf(world.target)
  return store.tx(async () => {
    await store.specifications.lock(spec.slug)
    const there = await store.builds.find(id)
    if (there !== null) return there
    await supersede(world, spec)
    const { words, forecast } = primed
    const build = newBuild({ id, spec, branch, base, prime: words, forecast }, world)
    await store.builds.add(build)
    const whole = { ...build, delivery: await addItems(world, { build, spec, primed }) }
    await store.builds.save(whole)
    const { revision, userSlug } = spec
    await tell(world, build, 'began', {
      type: 'build.began',
      revision,
      userSlug,
      branch,
      tasks: spec.tasks.length,
    })
    return whole
  })
}

/** PHASED: first the specification, its documents, the conventions and the idea; then what was learned of each file. */
async function prime(world: BuildWorld, spec: Specification): Promise<Primed> {
  const folder = spec.specPath.replace(/\/build\/[^/]*$/, '')
  const read = async (path: string) => (await world.documents.read(path)).text
  const documents = {
    'build/spec.md': await read(spec.specPath),
    'build/tasks.md': await read(spec.tasksPath),
    'README.md': await read(`${folder}/README.md`),
    'problem-solution.md': await read(`${folder}/problem-solution.md`),
    'target-users.md': await read(`${folder}/target-users.md`),
  }
  const conventions = conventionsIn((await world.tree.read('CLAUDE.md')) ?? '', BUILD_HEADINGS)
  const learned = await gotchasFor(world, spec.tasks)
  const gotchas = new Set([...learned.values()].flat()).size
  const owners = await ownersOf(world, spec.tasks)
  const found = Object.entries(documents).flatMap(([name, text]) => (text === null ? [] : [name]))
  return {
    facts: { requirements: spec.requirements, conventions, readme: documents['README.md'] },
    learned,
    forecast: await runForecast(world, spec.tasks.length),
    owners,
    words: [
      `${spec.tasks.length} tasks of revision ${spec.revision}`,
      `read: ${found.length === 0 ? 'no document' : found.join(', ')}`,
      `conventions: ${conventions.length === 0 ? 'none' : conventions.map(({ heading }) => heading).join(', ')}`,
      `${gotchas} lessons`,
      ...[...owners].map(([file, owner]) => `${file} is owned by ${owner}`),
    ]
      .join('; ')
      .slice(0, PRIME_MAX),
  }
}

/** Who owns the file of each task, if that is not the crew: asked of the registry as it is now. */
async function ownersOf(world: BuildWorld, tasks: readonly SpecTask[]): Promise<ReadonlyMap<string, string>> {
  const registry = await loadOwners(world)
  const owned = tasks.flatMap(({ file }) => {
    const owner = otherOwner(registry, file)
    return owner === null ? [] : [[file, owner] as const]
  })
  return new Map(owned)
}

/** What was learned of files of one kind, asked once for each kind: "*.sql" for migrations/001.sql. */
async function gotchasFor(
  { lessons }: BuildWorld,
  tasks: readonly SpecTask[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const learned = new Map<string, readonly string[]>()
  for (const file of new Set(tasks.map((task) => task.file))) {
    const asked = {
      type: 'gotcha',
      path: file,
      minConfidence: GOTCHA_CONFIDENCE,
      limit: LESSONS_MAX,
    } as const
    const found = await lessons.recall(asked)
    learned.set(
      file,
      found.map(({ content }) => content).filter((text) => text !== ''),
    )
  }
  return learned
}

/** build/{idea}; where that is taken, with the next number behind it. */
async function freeBranch({ git }: BuildWorld, slug: string): Promise<string> {
  for (let nth = 1; nth <= BRANCHES_MAX; nth += 1) {
    const branch = `build/${slug}${nth === 1 ? '' : `-${nth}`}`
    if ((await git.commitOf(`refs/heads/${branch}`)) === null) return branch
  }
  throw new Error(`there are ${BRANCHES_MAX} branches build/${slug}-… already`)
}

type Begun = Pick<Build, 'id' | 'branch' | 'base' | 'prime' | 'forecast'> & { readonly spec: Specification }

function newBuild({ spec, ...given }: Begun, world: BuildWorld): Build {
  return {
    ...given,
    spec: spec.slug,
    revision: spec.revision,
    userSlug: spec.userSlug,
    title: spec.title,
    status: 'priming',
    target: world.target,
    projectNumber: PROJECT,
    tasksTotal: spec.tasks.length,
    validation: spec.buildValidation ?? null,
    delivery: null,
    spentUSD: null,
    commits: [],
    finalValidation: null,
    failures: [],
    skipped: [],
    why: null,
    workedMs: 0,
    earlierMs: 0,
    workingSince: null,
    startedAt: world.now().toISOString(),
    completedAt: null,
  }
}

interface Adding {
  readonly build: Build
  readonly spec: Specification
  readonly primed: Primed
}

/** The number of the delivery, which waits for all of the others. */
async function addItems({ store, now }: BuildWorld, { build, spec, primed }: Adding): Promise<number> {
  const at = now()
  await store.items.lockPlans(build.projectNumber)
  const delivery = await store.items.add(deliveryItem(spec, build), at)
  const numbers = new Map<string, number>()
  for (const task of inBuildOrder(spec.tasks)) {
    const item = await store.items.add(
      taskItem({
        ...primed.facts,
        task,
        build,
        learned: primed.learned.get(task.file) ?? [],
        owner: primed.owners.get(task.file) ?? null,
        delivery: delivery.number,
        dependsOn: task.dependsOn.flatMap((id) => numbers.get(id) ?? []),
      }),
      at,
    )
    numbers.set(task.id, item.number)
  }
  await store.items.plan({ ...delivery, dependsOn: [...numbers.values()] }, at)
  for (const item of await store.items.ofBuild(build.id))
    await store.events.append({
      id: `build:${build.id}:item:${item.number}`,
      at,
      item: { projectNumber: item.projectNumber, number: item.number },
      agentId: null,
      runId: null,
      state: item.state,
      event: { type: 'item.added', title: item.title },
    })
  return delivery.number
}

/** An older revision is not gone on with: what was approved last counts. What has landed of it stays on its branch. */
async function supersede(world: BuildWorld, spec: Specification): Promise<void> {
  for (const older of await world.store.builds.ofSpec(spec.slug)) {
    const status = buildAfter(older.status, { type: 'stopped' })
    if (status === null) continue
    const why = `revision ${spec.revision} was approved`
    const now = world.now()
    await world.store.builds.save({ ...older, ...clockAt(older, now, false), status, why })
    await withdrawOpen(world, older.id, why)
    await tell(world, older, `stopped:${now.getTime()}`, { type: 'build.stopped', why })
  }
}

/** The branch first, then the items are offered. */
async function begin(world: BuildWorld, build: Build): Promise<void> {
  const why = await whyNoBranch(world, build)
  await world.store.tx(async () => {
    const now = await world.store.builds.lock(build.id)
    const status = now === null ? null : buildAfter(now.status, { type: why === null ? 'primed' : 'failed' })
    if (now === null || status === null) return
    const at = world.now()
    const completedAt = why === null ? null : at.toISOString()
    await world.store.builds.save({ ...now, ...clockAt(now, at, why === null), status, why, completedAt })
    if (why !== null) await tell(world, build, 'unprimed', failed(why))
  })
}

/** Makes the branch; null: it is there. */
async function whyNoBranch({ git }: BuildWorld, { branch, base, target }: Build): Promise<string | null> {
  if (base === null) return `there is no commit on ${target} to begin from`
  const made = await git.makeBranch(branch, base)
  if (made.is === 'refused') return made.why
  const isTheirs = made.is === 'exists' && made.commit !== base
  return isTheirs ? `somebody has made a branch ${branch} of their own meanwhile` : null
}

function failed(why: string) {
  return { type: 'build.completed', outcome: 'failed', complete: 0, skipped: 0, why } as const
}
