// A tiny project whose tests are shell functions that really call each other, and items that are about to be merged
// into it: real git, real gates, a real store.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '@treadle/contracts/config'
import type { ItemMove } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import { runClaim } from '@treadle/flow/claim/claim.run'
import type { MergeWorld } from '@treadle/flow/merge/merge-world'
import type { MergeGit } from '@treadle/flow/ports/git'
import { green, sampleConfig } from '@treadle/flow/work/testing/sample'
import { openGates } from '@treadle/gates/gates'
import { unconfined } from '@treadle/gates/run-command'
import { openMergeGit } from '@treadle/git/merge'
import { makeScratch, makeSshKey, type Scratch } from '@treadle/git/scratch-repository'
import type { OpenStore } from '@treadle/store/connect'
import { newItem, newProject } from '@treadle/store/testing/both-drivers'
import { FlowWorld } from '../flow/world.ts'

/** Every library is loaded, then each test runs in a shell of its own; TAP. */
const RUNNER = `echo 'TAP version 13'
for file in lib/*.sh; do [ -e "$file" ] && . "./$file"; done
n=0
for file in test/*.sh; do
  n=$((n + 1))
  if ( . "./$file" ) >/dev/null 2>&1; then echo "ok $n - $file"; else echo "not ok $n - $file"; failed=1; fi
done
echo "1..$n"
exit \${failed:-0}
`
export const SUITE = 'sh test.sh'

export type Files = Readonly<Record<string, string | null>>

export interface Yard {
  readonly scratch: Scratch
  readonly world: MergeWorld
  readonly flow: FlowWorld
  /** Every value that the target had after a landing. */
  readonly landings: string[]
  commit(files: Files): string
  deliver(files: Files, given?: { base?: string; testCommand?: string }): Promise<Item>
  now(item: Item): Promise<Item>
  tip(): string
  /** The suite on a commit, run by nobody of ours. */
  isGreen(commit: string): boolean
}

export async function openYard(
  store: OpenStore,
  {
    merge = {},
    bare = false,
    signs = false,
  }: { merge?: Partial<Config['merge']>; bare?: boolean; signs?: boolean },
): Promise<Yard & { remove(): void }> {
  const scratch = makeScratch(bare ? 'bare' : 'checkout')
  const evidenceDir = mkdtempSync(join(tmpdir(), 'treadle-evidence-'))
  const flow = new FlowWorld(store)
  flow.settings = sampleConfig({ merge: { approval: 'checks', target: 'main', ...merge } })
  const landings: string[] = []
  const world = worldOf(flow, scratch, { evidenceDir, landings, signs })
  const tip = () => scratch.sh('git rev-parse main').trim()
  const commit = (changed: Files): string => {
    const made = importCommit(scratch, { onto: 'refs/heads/main', ref: 'refs/heads/made', files: changed })
    scratch.sh(
      `git update-ref -d refs/heads/made; git ${bare ? 'update-ref refs/heads/main' : 'reset -q --hard'} ${made}`,
    )
    return made
  }
  commit({ 'test.sh': RUNNER, 'test/itself.sh': 'true\n' })
  return {
    scratch,
    world,
    flow,
    landings,
    commit,
    tip,
    deliver: async (changed, given = {}) => deliver({ flow, world, scratch }, changed, given),
    now: async ({ projectNumber, number }) => {
      const found = await store.items.find({ projectNumber, number })
      if (found === null) throw new Error('the item is gone')
      return found
    },
    isGreen: (of) => isGreen(scratch, of),
    remove: () => {
      scratch.remove()
      rmSync(evidenceDir, { recursive: true, force: true })
    },
  }
}

function worldOf(
  flow: FlowWorld,
  scratch: Scratch,
  { evidenceDir, landings, signs }: { evidenceDir: string; landings: string[]; signs: boolean },
): MergeWorld {
  const signingKey = join(scratch.dir, 'workspace.key')
  if (signs) makeSshKey(signingKey)
  const git = openMergeGit({ ...scratch, ...(signs ? { signingKey } : {}) })
  const land: MergeGit['land'] = async (target, base, commit) => {
    const landed = await git.land(target, base, commit)
    if (landed.is === 'landed') landings.push(commit)
    return landed
  }
  return {
    store: flow.store,
    now: flow.now,
    config: flow.config,
    advance: flow.advance,
    git: { ...git, land },
    gates: openGates({ evidenceDir, env: scratch.env, tailBytes: 4_096, surroundings: unconfined('test') }),
    target: 'main',
    testCommand: SUITE,
    scratch: (name) => join(scratch.dir, name),
    platform: { os: process.platform, arch: process.arch, node: process.version },
    sleep: async () => undefined,
    signal: new AbortController().signal,
  }
}

/** An approved item whose branch holds these files on top of `base`. */
async function deliver(
  { flow, world, scratch }: Pick<Yard, 'flow' | 'world' | 'scratch'>,
  files: Files,
  { base = 'refs/heads/main', testCommand }: { base?: string; testCommand?: string },
): Promise<Item> {
  const own = testCommand === undefined ? {} : { testCommand }
  const added = await flow.store.items.add(newItem({ projectNumber: newProject(), ...own }), flow.now())
  const item = { projectNumber: added.projectNumber, number: added.number }
  const claim = await runClaim(flow, { item, agentId: 'agent-1', requestId: null })
  if (claim.is !== 'claimed') throw new Error(claim.is)
  const branch = `agent-1/project-${item.projectNumber}-${item.number}`
  const head = importCommit(scratch, { onto: base, ref: `refs/heads/${branch}`, files })
  const tell = async (move: ItemMove, fence: number | null) => {
    const order = { item, fence, agentId: fence === null ? null : ('agent-1' as const), move }
    const moved = await world.advance({ ...order, eventId: flow.uuid() })
    if (moved.is !== 'advanced') throw new Error(JSON.stringify(moved))
    return moved.item
  }
  await tell({ type: 'build.started', branch, base: head }, claim.fence)
  await tell({ type: 'build.finished', summary: '', checkpoint: head }, claim.fence)
  const gates = [green()]
  await tell({ type: 'verify.passed', branch, head, gates, pushed: false, pushNote: null }, claim.fence)
  // The one that was approved first has waited longest.
  flow.wait(1_000)
  const at = flow.now().toISOString()
  return tell({ type: 'review.approved', approval: { kind: 'human', by: 'Ada', at } }, null)
}

function importCommit(
  scratch: Scratch,
  { onto, ref, files }: { onto: string; ref: string; files: Files },
): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const lines = [
    `commit ${ref}\nmark :1\n`,
    'committer U <u@x> 1767225600 +0000\n',
    data('change'),
    `from ${onto}\n`,
    ...Object.entries(files).map(([path, text]) =>
      text === null ? `D ${path}\n` : `M 100644 inline ${path}\n${data(text)}`,
    ),
    '\nget-mark :1\n',
  ]
  const told = execFileSync('git', ['fast-import', '--quiet', '--force'], {
    cwd: scratch.repository,
    env: scratch.env,
    input: lines.join(''),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  return told.trim()
}

function isGreen(scratch: Scratch, commit: string): boolean {
  const at = join(scratch.dir, 'independent')
  mkdirSync(at)
  try {
    scratch.sh(`git archive ${commit} | tar -x -C '${at}'`)
    execFileSync('sh', ['test.sh'], { cwd: at, env: scratch.env, stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}
