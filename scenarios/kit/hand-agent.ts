// An agent played by hand: says over the API what an agent's process would say, with real commits.
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, Client } from '@treadle/contracts/client'
import type { RunReport } from '@treadle/contracts/event'
import type { GateResult } from '@treadle/contracts/gate'
import { type AgentId, branchName, type ItemRef } from '@treadle/contracts/ids'
import type { Item, NewItem } from '@treadle/contracts/item'
import type { Claim } from '@treadle/contracts/routes/items'
import type { Daemon } from './daemon.ts'
import type { Workspace } from './workspace.ts'

export interface Work {
  readonly client: Client
  readonly agentId: AgentId
  readonly ref: ItemRef
  readonly claim: Claim
}

export const path = (ref: ItemRef) => ({ projectNumber: ref.projectNumber, issueNumber: ref.number })
export const refOf = ({ projectNumber, number }: Item): ItemRef => ({ projectNumber, number })

export async function addItem(client: Client, given: Partial<NewItem> = {}): Promise<ItemRef> {
  return refOf(await client.addItem({ body: { title: 'An item', ...given } }))
}

export async function take(
  daemon: Pick<Daemon, 'client'>,
  ref: ItemRef,
  agentId: AgentId = 'agent-1',
): Promise<Work> {
  const { client } = daemon
  const claim = await client.claimItem({ params: path(ref), body: { agentId } })
  return { client, agentId, ref, claim }
}

/** Adds an item and claims it. */
export async function begin(daemon: Pick<Daemon, 'client'>, given: Partial<NewItem> = {}): Promise<Work> {
  return take(daemon, await addItem(daemon.client, given))
}

export interface SayOptions {
  readonly fence?: number
  readonly eventId?: string
}

export function say(work: Work, event: RunReport, options: SayOptions = {}): Promise<Answer<'reportRun'>> {
  const { run, fence } = work.claim
  return work.client.reportRun({
    params: { id: run.id },
    body: { eventId: options.eventId ?? randomUUID(), fence: options.fence ?? fence, event },
  })
}

export async function itemOf({ client, ref }: Pick<Work, 'client' | 'ref'>): Promise<Item> {
  return (await client.showItem({ params: path(ref) })).item
}

const evidence = {
  command: 'true',
  exitCode: 0,
  signal: null,
  timedOut: false,
  durationMs: 1,
  output: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  outputBytes: 0,
  tail: '',
  report: null,
}
const green: GateResult = { is: 'passed', gate: 'tests_pass', evidence }
export const red: GateResult = {
  is: 'failed',
  gate: 'tests_pass',
  evidence: { ...evidence, exitCode: 1 },
  failures: [{ id: 'adds', file: null, line: null, message: 'wrong sum', stack: null }],
}

/** Any commit id will do where nothing is merged. */
export const SOME_COMMIT = '0123456789abcdef0123456789abcdef01234567'

/** From claimed to verifying. */
export async function build(work: Work, base = SOME_COMMIT): Promise<void> {
  await say(work, { type: 'build.started', branch: branchName(work.agentId, work.ref), base })
  await say(work, { type: 'build.finished', summary: 'done', checkpoint: base })
}

/** Commits a change on the branch of the work, without touching the checkout of the user. */
export function commitOnBranch(
  workspace: Pick<Workspace, 'git' | 'home'>,
  work: Work,
  files: Readonly<Record<string, string | null>>,
): string {
  const { git } = workspace
  const branch = branchName(work.agentId, work.ref)
  const place = join(workspace.home, `work-${work.ref.projectNumber}-${work.ref.number}`)
  git('worktree', 'add', '--quiet', '-B', branch, place, work.claim.item.target ?? 'main')
  for (const [file, text] of Object.entries(files)) {
    if (text === null) rmSync(join(place, file))
    else writeFileSync(join(place, file), text)
  }
  git('-C', place, 'add', '--all')
  git('-C', place, 'commit', '--quiet', '--message', `change for ${work.ref.number}`)
  const head = git('-C', place, 'rev-parse', 'HEAD')
  git('worktree', 'remove', '--force', place)
  return head
}

export function delivery(work: Work, head: string, gates: GateResult[] = [green]): RunReport {
  const branch = branchName(work.agentId, work.ref)
  return { type: 'verify.passed', branch, head, gates, pushed: false, pushNote: null }
}

/** As a person does; what is played by hand is proven by nothing, so no standing order merges it. */
export async function approve({ client, ref }: Pick<Work, 'client' | 'ref'>): Promise<void> {
  await client.approveItem({ params: path(ref), body: { by: 'ada' } })
}

/** The whole of an agent's part: builds, commits for real, reports green gates. */
export async function deliver(
  workspace: Workspace,
  work: Work,
  files: Record<string, string>,
): Promise<string> {
  const base = workspace.git('rev-parse', 'main')
  const head = commitOnBranch(workspace, work, files)
  await build(work, base)
  await say(work, delivery(work, head))
  return head
}
