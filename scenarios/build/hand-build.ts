// A build whose agents are played by hand, with real commits on real branches.
import type { BuildTask, BuildView } from '@treadle/contracts/build'
import type { Client } from '@treadle/contracts/client'
import type { RunReport } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import { type GroupNote, phaseRecord } from '@treadle/contracts/run'
import { commitOnBranch, delivery, red, build as reportBuild, say, take } from '../kit/hand-agent.ts'
import type { InProcessDaemon } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'
import { type GivenTask, specify } from './spec-tasks.ts'

export const begun = (
  client: Client,
  id: string,
  is: (build: BuildView) => boolean = ({ status }) => status === 'running',
) =>
  eventually(`the build of ${id}`, async () => {
    const build = await client.showBuild({ params: { id } }).catch(() => undefined)
    return build !== undefined && is(build) ? build : undefined
  })

/** Approved, and its build has begun. */
export async function start(
  daemon: InProcessDaemon,
  slug: string,
  tasks: readonly GivenTask[],
  prepare: () => void = () => undefined,
): Promise<BuildView> {
  const { client } = daemon
  const { revision } = await specify(daemon, slug, tasks)
  prepare()
  await client.approveSpecification({ params: { id: slug }, body: { by: 'ada', revision } })
  return begun(client, slug)
}

export const taskOf = ({ tasks }: BuildView, id: string): BuildTask => {
  const task = tasks.find((each) => each.id === id)
  if (task === undefined) throw new Error(`there is no task ${id}`)
  return task
}

/** Built and delivered by hand, then landed by the daemon alone; null takes a file away. */
export async function play(
  daemon: InProcessDaemon,
  number: number,
  files: Record<string, string | null>,
): Promise<Item> {
  const { workspace } = daemon
  const work = await take(daemon, { projectNumber: 1, number })
  const base = workspace.git('rev-parse', work.claim.item.target ?? 'main')
  const head = commitOnBranch(workspace, work, files)
  await reportBuild(work, base)
  await say(work, delivery(work, head))
  return work.claim.item
}

export const stateOf = async (client: Client, number: number) =>
  (await client.showItem({ params: { projectNumber: 1, issueNumber: number } })).item

export const landed = (client: Client, number: number) =>
  eventually(`#${number} landed`, async () => {
    const item = await stateOf(client, number)
    return item.state === 'done' ? item : undefined
  })

/** One attempt that ends with a person, because of what it says. */
export async function fail(daemon: InProcessDaemon, number: number, why: string): Promise<void> {
  const work = await take(daemon, { projectNumber: 1, number })
  await reportBuild(work, daemon.workspace.git('rev-parse', 'main'))
  await say(work, { type: 'item.escalated', why })
}

/** One attempt whose improvements are used up, with red checks to the end; `groups`: what failed, cause by cause. */
export async function failChecks(
  daemon: InProcessDaemon,
  number: number,
  groups: readonly GroupNote[] = [],
): Promise<void> {
  const work = await take(daemon, { projectNumber: 1, number })
  const base = daemon.workspace.git('rev-parse', 'main')
  await reportBuild(work, base)
  const refused = (iteration: number): RunReport => {
    const record = { phase: 'test', iteration, startedAt: new Date().toISOString(), durationMs: 1 } as const
    const tested = phaseRecord({ ...record, outcome: 'failed', groups: [...groups] })
    return { type: 'verify.failed', gates: [red], why: 'adds: wrong sum', records: [tested] }
  }
  await say(work, refused(0))
  await say(work, { type: 'build.finished', summary: 'again', checkpoint: base })
  await say(work, refused(1))
}

/** Begins a task now and delivers it later, from where its branch was at first. */
export async function begunOn(
  daemon: InProcessDaemon,
  number: number,
): Promise<{ deliver(files: Record<string, string>): Promise<void> }> {
  const { workspace } = daemon
  const work = await take(daemon, { projectNumber: 1, number })
  const target = work.claim.item.target ?? 'main'
  const base = workspace.git('rev-parse', target)
  await reportBuild(work, base)
  return {
    deliver: async (files) => {
      const own = { ...work, claim: { ...work.claim, item: { ...work.claim.item, target: base } } }
      await say(work, delivery(work, commitOnBranch(workspace, own, files)))
    },
  }
}
