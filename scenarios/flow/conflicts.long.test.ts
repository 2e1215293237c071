// The merge stage on real repositories and a real store: what is tried, how, what is left to a person, and what a
// step that broke in the middle means for the next try.

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '@treadle/contracts/config'
import type { Item } from '@treadle/contracts/item'
import { runClaim } from '@treadle/flow/claim/claim.run'
import { Fault } from '@treadle/flow/fault'
import { runMerge } from '@treadle/flow/merge/merge.run'
import type { MergeGit } from '@treadle/flow/ports/git'
import type { AdvanceRequest } from '@treadle/flow/ports/moving'
import { green, sampleConfig } from '@treadle/flow/work/testing/sample'
import { openGates } from '@treadle/gates/gates'
import { unconfined } from '@treadle/gates/run-command'
import { openMergeGit } from '@treadle/git/merge'
import { commitOn, makeScratch } from '@treadle/git/scratch-repository'
import { verifies } from '@treadle/requirements/verifies'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, onTestFinished, type TestContext, test, vi } from 'vitest'
import { FlowWorld } from './world.ts'

vi.setConfig({ testTimeout: 120_000 })
/** Green as long as the change is there. */
const TESTS = 'grep -q done work.txt'
const change = { 'work.txt': 'done\n' }

describe.each(DRIVERS)('merging on the %s database', (driver) => {
  const open = useStore(driver)

  async function setUp(context: TestContext, settings: object = {}) {
    const scratch = makeScratch()
    onTestFinished(scratch.remove)
    const evidenceDir = mkdtempSync(join(tmpdir(), 'treadle-evidence-'))
    onTestFinished(() => rmSync(evidenceDir, { recursive: true, force: true }))
    const flow = new FlowWorld(await open(context))
    const config: Config = sampleConfig({ merge: { approval: 'never', target: 'main' }, ...settings })
    flow.settings = config
    const git: MergeGit = openMergeGit(scratch)
    const waits: number[] = []
    const world = {
      store: flow.store,
      now: flow.now,
      config: flow.config,
      advance: flow.advance,
      advanceClaim: flow.advanceClaim,
      uuid: flow.uuid,
      git,
      gates: openGates({ evidenceDir, env: scratch.env, tailBytes: 4_096, surroundings: unconfined('test') }),
      target: 'main',
      testCommand: TESTS,
      scratch: (name: string) => join(scratch.dir, name),
      platform: { os: process.platform, arch: process.arch, node: process.version },
      sleep: async (ms: number) => {
        waits.push(ms)
      },
      signal: new AbortController().signal,
    }
    /** An item in `merging` whose branch holds these files, made on top of `base`. */
    const deliver = async (files: Record<string, string | null>, base = 'main'): Promise<Item> => {
      const item = await flow.add()
      const claim = await runClaim(world, { item, agentId: 'agent-1', requestId: null })
      if (claim.is !== 'claimed') throw new Error(claim.is)
      // Each item is in a project of its own here, and all of them are number 1.
      const branch = `agent-1/project-${item.projectNumber}`
      const head = commitOn(scratch, base, files)
      scratch.sh(`git branch ${branch} ${head}`)
      const order = { item, fence: claim.fence, agentId: 'agent-1' } as const
      const tell = async (move: AdvanceRequest['move']) => {
        const moved = await world.advance({ ...order, eventId: flow.uuid(), move })
        if (moved.is !== 'advanced') throw new Error(JSON.stringify(moved))
        return moved.item
      }
      await tell({ type: 'build.started', branch, base: head })
      await tell({ type: 'build.finished', summary: '', checkpoint: head })
      return tell({ type: 'verify.passed', branch, head, gates: [green()], pushed: false, pushNote: null })
    }
    const addOrigin = (): string => {
      const origin = join(scratch.dir, 'origin')
      scratch.sh(`git clone -q --bare . '${origin}'; git remote add origin '${origin}'; git fetch -q origin`)
      scratch.sh(`git -C '${origin}' config receive.denyNonFastForwards true`)
      return origin
    }
    const onMain = (files: Record<string, string | null>): string => {
      const commit = commitOn(scratch, 'main', files)
      scratch.sh(`git reset -q --hard ${commit}`)
      return commit
    }
    const now = async (item: Item): Promise<Item> => {
      const found = await flow.store.items.find({ projectNumber: item.projectNumber, number: item.number })
      if (found === null) throw new Error('the item is gone')
      return found
    }
    const events = (item: Item) =>
      flow.store.events.ofItem({ projectNumber: item.projectNumber, number: item.number }, 100)
    return { ...scratch, scratch, flow, world, waits, deliver, addOrigin, onMain, now, events }
  }

  test('a branch that was pushed gets main merged in; the push adds and nothing is rewritten', async (context) => {
    const { sh, world, deliver, addOrigin, onMain, now } = await setUp(context)
    const origin = addOrigin()
    const item = await deliver({ ...change, 'a.txt': 'mine\ntwo\nTHREE\n' })
    sh(`git push -q origin ${item.branch}`)
    const main = onMain({ 'a.txt': 'theirs\ntwo\nthree\n' })
    await runMerge(world, item)
    const done = await now(item)
    expect(done).toMatchObject({ state: 'done', reason: null })
    expect(sh(`git log -1 --format=%P ${done.branch}`).trim()).toBe(`${item.headCommit} ${main}`)
    expect(sh(`git show ${done.branch}:a.txt`)).toBe('theirs\ntwo\nTHREE\n')
    expect(sh(`git -C '${origin}' rev-parse ${done.branch}`).trim()).toBe(done.headCommit)
  })

  test('five files, a critical file or two ways at once are not tried at all', async (context) => {
    const { scratch, sh, world, deliver, addOrigin, onMain, now } = await setUp(context)
    const many = (text: string) => Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`f${n}.txt`, `${text}\n`]))
    const critical = (text: string) => ({ 'web/package.json': `{ "name": "${text}" }\n` })
    const [wide, deep] = [
      await deliver({ ...change, ...many('mine') }),
      await deliver({ ...change, ...critical('mine') }),
    ]
    onMain({ ...many('theirs'), ...critical('theirs') })
    for (const [item, why] of [
      [wide, /5 files, and from 5 on/],
      [deep, /critical: web\/package.json/],
    ] as const) {
      await runMerge(world, item)
      const stopped = await now(item)
      expect(stopped).toMatchObject({ state: 'conflicted', headCommit: item.headCommit, needsHuman: true })
      expect(stopped.reason).toMatch(why)
      expect(sh(`git rev-parse ${item.branch}`).trim()).toBe(item.headCommit)
    }
    addOrigin()
    const there = commitOn(scratch, 'main', { 'a.txt': 'there\n' })
    sh(`git push -q origin ${there}:refs/heads/main; git fetch -q origin`)
    onMain({ 'b.txt': 'here\n' })
    const torn = await deliver({ ...change, 'a.txt': 'mine\n' })
    await runMerge(world, torn)
    expect((await now(torn)).reason).toContain('have gone different ways')
  })

  const pushTitle = 'a push is tried again three times; then the owner is told, and the item is not done'
  verifies(['ORCH-2.2-10', 'ORCH-2.2-11'], pushTitle, async (context) => {
    const { sh, world, waits, deliver, addOrigin, dir, events, now } = await setUp(context)
    const origin = addOrigin()
    const count = join(dir, 'count')
    const hook = join(origin, 'hooks', 'pre-receive')
    writeFileSync(hook, `#!/bin/sh\necho x >> '${count}'\ntest $(wc -l < '${count}') -gt 2\n`)
    chmodSync(hook, 0o755)
    const lucky = await deliver(change)
    await runMerge(world, lucky)
    expect(await now(lucky)).toMatchObject({ state: 'done', reason: null })
    expect([readFileSync(count, 'utf8').length / 2, waits]).toEqual([3, [1_000, 2_000]])
    writeFileSync(hook, `#!/bin/sh\necho x >> '${count}'\nexit 1\n`)
    writeFileSync(count, '')
    const unlucky = await deliver(change)
    await runMerge(world, unlucky)
    expect(readFileSync(count, 'utf8').length / 2).toBe(4)
    expect(await now(unlucky)).toMatchObject({
      state: 'rework',
      needsRework: true,
      claimedByAgentId: null,
      headCommit: unlucky.headCommit,
      reason: expect.stringMatching(/^push failed: .*pre-receive hook declined/s),
    })
    expect(sh(`git rev-parse ${unlucky.branch}`).trim()).toBe(unlucky.headCommit)
    const told = (await events(unlucky)).filter(({ event }) => event.type === 'owner.notified')
    expect(told).toMatchObject([
      { event: { about: 'push', text: expect.stringContaining('pre-receive hook declined') } },
    ])
    expect(() => sh(`git -C '${origin}' rev-parse --verify -q ${unlucky.branch}`)).toThrow()
  })

  for (const step of ['keep', 'moveBranch', 'push'] as const)
    test(`a merge that breaks at ${step} is taken up where it was and done once`, async (context) => {
      const { sh, world, deliver, addOrigin, onMain, now, events } = await setUp(context)
      const origin = addOrigin()
      const item = await deliver({ ...change, 'a.txt': 'mine\ntwo\nthree\n' })
      const main = onMain({ 'a.txt': 'theirs\ntwo\nthree\n' })
      const broken = { ...world.git, [step]: () => Promise.reject(new Fault('git', 'the disk is full')) }
      await expect(runMerge({ ...world, git: broken }, item)).rejects.toThrow('the disk is full')
      expect((await now(item)).state).toBe('merging')
      await runMerge(world, item)
      await runMerge(world, item)
      const done = await now(item)
      expect(done).toMatchObject({ state: 'done', reason: null })
      for (const place of ['.', origin])
        expect(sh(`git -C '${place}' rev-parse ${item.branch}`).trim()).toBe(done.headCommit)
      expect(sh(`git log -1 --format=%P ${done.branch}`).trim()).toBe(main)
      const types = (await events(item)).map(({ event }) => event.type)
      expect(types.filter((type) => type.startsWith('merge.'))).toEqual([
        'merge.auto_resolved',
        'merge.delivered',
      ])
    })
})
