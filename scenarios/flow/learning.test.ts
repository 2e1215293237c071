// Looks back at runs, on real databases with real git: made once, and nothing is ever doubled.
import { randomUUID } from 'node:crypto'
import { RunRecall } from '@treadle/contracts/recall'
import { runLearn } from '@treadle/flow/learn/learn.run'
import { runShow } from '@treadle/flow/learn/trial.run'
import { report } from '@treadle/flow/report.run'
import { green, red } from '@treadle/flow/work/testing/sample'
import { openMergeGit } from '@treadle/git/merge'
import { makeScratch, type Scratch } from '@treadle/git/scratch-repository'
import { openWorktreeGit } from '@treadle/git/worktree'
import { verifies } from '@treadle/requirements/verifies'
import { DRIVERS, eventually, useStore } from '@treadle/store/testing/both-drivers'
import { afterAll, describe, expect, test } from 'vitest'
import { group, newLesson, record, runIn } from './learning.ts'
import { FlowWorld } from './world.ts'

const FIX = {
  novel: true,
  lessonId: null,
  confidence: null,
  engine: 'scripted',
  outcome: 'done',
  prompt: null,
  context: null,
  said: '',
} as const

describe.each(DRIVERS)('learning on the %s database', (driver) => {
  const open = useStore(driver)
  let scratch: Scratch | null = null
  afterAll(() => scratch?.remove())

  function repository() {
    scratch ??= makeScratch()
    const git = { repository: scratch.repository, env: scratch.env }
    return { scratch, git: openMergeGit(git), source: openWorktreeGit(git), target: 'main' }
  }

  /** A run whose second attempt passed, with its commits in the repository. */
  async function delivered(world: FlowWorld, signature: string) {
    const { scratch: here } = repository()
    const name = randomUUID().slice(0, 8)
    const base = here.sh('git rev-parse HEAD').trim()
    const commit = (file: string, text: string) => {
      here.write(`${here.repository}/${file}`, text)
      return here.sh(`git add -A && git commit -qm ${name} && git rev-parse HEAD`).trim()
    }
    const first = commit(`src/${name}.ts`, 'one\n')
    const second = commit(`src/${name}.test.ts`, 'two\n')
    here.sh(`git checkout -q --detach ${second} && git checkout -q -B main ${base}`)
    const history = [
      record('build', 0, { checkpoint: first, changes: [`src/${name}.ts`], summary: 'an idea' }),
      record('test', 0, { outcome: 'failed', groups: [group(signature)] }),
      record('improve', 1, { checkpoint: second, changes: [`src/${name}.ts`], summary: 'guarded it' }),
      record('test', 1, { outcome: 'passed' }),
      record('commit', 1, { checkpoint: second }),
    ]
    const run = await runIn(world)
    await world.store.runs.patch(run.id, { base })
    return { ...run, base, first, second, name, history }
  }
  verifies(
    [
      'AGENT-SIA-4',
      'AGENT-SIA-6',
      'AGENT-SIA-7',
      'AGENT-SIA-8',
      'AGENT-SIA-17',
      'AGENT-SIA-26',
      'AGENT-SIA-30',
      'AGENT-SIA-33',
      'AGENT-KNOWLEDGE-12',
      'AGENT-CONTEXT-5',
    ],
    'a look back loads the run, its diff, its tests and the last ten like it, and records what it found, once',
    async (context) => {
      const world = new FlowWorld(await open(context))
      const learning = { store: world.store, now: world.now, config: world.config, ...repository() }
      const signature = `TypeError: ${randomUUID()}`
      const made = await delivered(world, signature)
      await made.end('success', { iteration: 1, history: made.history, gates: [green()] })
      const looks = await Promise.all([runLearn(learning, made.id), runLearn(learning, made.id)])
      const [one] = looks
      if (one?.is !== 'reviewed') throw new Error(one?.is)
      expect(looks[1]).toEqual(one)
      expect(one.retrospective).toMatchObject({
        runId: made.id,
        agentType: 'build',
        outcome: 'success',
        trigger: 'build.completed',
        diff: { from: made.base, to: made.second, source: 'git' },
        tests: { total: 1, passed: 1, failed: 0 },
        metrics: { first_pass_success: 0 },
      })
      expect(one.retrospective.diff.files.sort()).toEqual([`src/${made.name}.test.ts`, `src/${made.name}.ts`])
      expect(one.retrospective.divergences).toMatchObject([{ class: 'GOOD:enhancement', why: 'a new test' }])
      const known = await world.store.lessons.recall({ signature, limit: 10 })
      expect(known).toMatchObject([
        {
          type: 'gotcha',
          confidence: 0.7,
          occurrences: 1,
          glob: '*.ts',
          provenance: { runId: made.id, attempt: 1, commit: made.second },
        },
      ])
      expect(one.retrospective.learned).toContainEqual(
        expect.objectContaining({ lessonId: known[0]?.id, how: 'recorded' }),
      )
      expect(await runLearn(learning, made.id)).toEqual(one)
      expect(await world.store.retrospectives.find(made.id)).toEqual(one.retrospective)
      expect(await world.store.events.ofItem(made.item, 50, ['run.reviewed'])).toHaveLength(1)
      const figures = await world.store.improvementMetrics.list({
        agentId: made.claim.run.agentId,
        limit: 100,
      })
      expect(figures.filter(({ runId }) => runId === made.id)).toEqual(
        Object.entries(one.retrospective.metrics)
          .map(([metric, value]) => ({ metric, value }))
          .toSorted((a, b) => a.metric.localeCompare(b.metric))
          .map((figure) => expect.objectContaining(figure)),
      )

      // Ten later ones of the same outcome, and one of another.
      for (let n = 0; n < 11; n += 1) {
        world.wait(1_000)
        const next = await runIn(world)
        await next.end(n === 5 ? 'escalation' : 'success')
        await runLearn(learning, next.id)
      }
      const last = await runIn(world)
      await last.end('success')
      world.wait(1_000)
      const found = await runLearn(learning, last.id)
      if (found.is !== 'reviewed') throw new Error(found.is)
      expect(found.retrospective.similar).toHaveLength(10)
      expect(found.retrospective.similar).not.toContain(made.id)
      const like = await Promise.all(
        found.retrospective.similar.map((id) => world.store.retrospectives.find(id)),
      )
      const times = like.map((each) => each?.reviewedAt ?? '')
      expect(times).toEqual([...times].sort().reverse())
      expect(new Set(like.map((each) => each?.outcome))).toEqual(new Set(['success']))
    },
  )

  verifies(
    'AGENT-KNOWLEDGE-13',
    'a discovery of the run is confirmed, or trusted less where one turn mended several causes',
    async (context) => {
      const world = new FlowWorld(await open(context))
      const learning = { store: world.store, now: world.now, config: world.config, ...repository() }
      const discovered = async (others: readonly string[]) => {
        const signature = `EvalError: ${randomUUID()}`
        const groups = [signature, ...others].map((each) => ({ ...group(each), tests: [each] }))
        const fixes = groups.map((each) => ({ ...FIX, group: each }))
        const history = [
          record('build', 0),
          record('test', 0, { outcome: 'failed', groups }),
          record('improve', 1, { fixes }),
          record('test', 1, { outcome: 'passed' }),
        ]
        const { id, end } = await runIn(world)
        const provenance = { runId: id, attempt: 2, commit: null }
        const lesson = await newLesson(world.store, { type: 'resolution', signature, provenance })
        await end('success', { iteration: 1, history })
        const seen = await runLearn(learning, id)
        if (seen.is !== 'reviewed') throw new Error(seen.is)
        const note = seen.retrospective.learned.find(({ lessonId }) => lessonId === lesson.id)
        return { how: note?.how, now: await world.store.lessons.find(lesson.id) }
      }
      expect(await discovered([])).toMatchObject({ how: 'confirmed', now: { confidence: 0.7 } })
      const mixed = await discovered([`Error: ${randomUUID()}`])
      expect(mixed).toMatchObject({ how: 'adjusted', now: { confidence: 0.6, why: expect.any(String) } })
    },
  )

  test('the base that an agent tells is believed only where the histories agree', async (context) => {
    const world = new FlowWorld(await open(context))
    const learning = { store: world.store, now: world.now, config: world.config, ...repository() }
    const diffOf = async (lie: (made: { first: string; second: string }) => string) => {
      const made = await delivered(world, `TypeError: ${randomUUID()}`)
      await made.end('success', { history: made.history, gates: [green()], base: lie(made) })
      const seen = await runLearn(learning, made.id)
      if (seen.is !== 'reviewed') throw new Error(seen.is)
      expect(seen.retrospective.diff).toMatchObject({ from: made.base, to: made.second, source: 'git' })
      return seen.retrospective.diff.files.map((file) => file.replace(made.name, 'x')).sort()
    }
    // A base after the change began would hide its first commit, and the head itself all of it.
    expect(await diffOf(({ first }) => first)).toEqual(['src/x.test.ts', 'src/x.ts'])
    expect(await diffOf(({ second }) => second)).toEqual(['src/x.test.ts', 'src/x.ts'])
    expect(await diffOf(() => 'f'.repeat(40))).toEqual(['src/x.test.ts', 'src/x.ts'])
  })

  test('a look back that fails in the middle is made again, and nothing is counted twice', async (context) => {
    const world = new FlowWorld(await open(context))
    const here = repository()
    const learning = { store: world.store, now: world.now, config: world.config, ...here }
    const signature = `URIError: ${randomUUID()}`
    const lesson = await newLesson(world.store, { type: 'resolution', signature })
    const made = await delivered(world, signature)
    const trial = { ...learning, uuid: randomUUID, repository: 'here', recall: world.store.lessons.recall }
    const asked = RunRecall.parse({ signatures: [signature] })
    const shown = (await runShow(trial, { runId: made.id, asked }))?.shown.length === 1
    await made.end('success', { iteration: 1, history: made.history, gates: [green()] })
    const gone = { repository: `${here.scratch.dir}/gone`, env: here.scratch.env }
    const broken = { ...learning, git: openMergeGit(gone), source: openWorktreeGit(gone) }
    await expect(runLearn(broken, made.id)).rejects.toThrow()
    await expect(runLearn(broken, made.id)).rejects.toThrow()
    expect(await world.store.retrospectives.find(made.id)).toBeNull()
    await runLearn(learning, made.id)
    await runLearn(learning, made.id)
    const known = await world.store.lessons.recall({ type: 'gotcha', signature, limit: 10 })
    expect(known).toMatchObject([{ occurrences: 1 }])
    expect(await world.store.events.ofItem(made.item, 50, ['run.reviewed'])).toHaveLength(1)
    expect(await world.store.events.ofItem(made.item, 50, ['run.learned'])).toHaveLength(1)
    expect(await world.store.lessons.find(lesson.id)).toMatchObject({ confidence: shown ? 0.55 : 0.7 })
  })

  verifies(
    ['AGENT-SIA-1', 'AGENT-SIA-3', 'AGENT-SIA-18', 'AGENT-SIA-19'],
    'a failed attempt and the end of a run each ask for a look, and what came again is one to avoid at once',
    async (context) => {
      const world = new FlowWorld(await open(context))
      const learning = { store: world.store, now: world.now, config: world.config, ...repository() }
      const asked: unknown[] = []
      const other = async () => undefined
      await world.store.startJobs(
        {
          review: other,
          merge: other,
          learn: async (job) => void asked.push('runId' in job ? job.runId : job),
          spec: other,
          build: other,
          coordinate: other,
        },
        other,
      )
      const signature = `SyntaxError: ${randomUUID()}`
      await newLesson(world.store, { type: 'unresolved_error', signature })
      const { claim, id } = await runIn(world)
      const tell = (event: Parameters<typeof report>[1]['event']) =>
        report(world, { runId: id, eventId: randomUUID(), fence: claim.fence, event })
      const base = 'a'.repeat(40)
      await tell({ type: 'build.started', branch: 'b', base })
      await tell({ type: 'build.finished', summary: '', checkpoint: base, records: [record('build', 0)] })
      expect(asked).toEqual([])
      const tested = record('test', 0, { outcome: 'failed', groups: [group(signature)] })
      await tell({ type: 'verify.failed', gates: [red()], why: 'red', records: [tested] })
      await eventually(() => (asked.length === 1 ? true : undefined), 30_000)
      const early = await runLearn(learning, id)
      expect(early).toMatchObject({ is: 'under_way', learned: [{ type: 'gotcha', how: 'recorded' }] })
      expect(await world.store.retrospectives.find(id)).toBeNull()
      await tell({
        type: 'build.finished',
        summary: 'guarded',
        checkpoint: base,
        records: [record('improve', 1, { summary: 'guarded the parser', changes: ['src/parser.ts'] })],
      })
      const passed = record('test', 1, { outcome: 'passed' })
      await tell({
        type: 'verify.passed',
        branch: 'b',
        head: base,
        gates: [green()],
        pushed: false,
        pushNote: null,
        records: [passed],
      })
      await eventually(() => (asked.length === 2 ? true : undefined), 30_000)
      expect(asked).toEqual([id, id])
      await world.store.stopJobs()
      await runLearn(learning, id)
      const known = await world.store.lessons.recall({ type: 'gotcha', signature, limit: 10 })
      // The way out, once it is found, takes the place of the bare warning, and the run stays one witness.
      expect(known).toMatchObject([{ occurrences: 1, confidence: 0.7 }])
      expect(known[0]?.content).toContain('What helped: a change to src/parser.ts')
      await runLearn(learning, id)
      expect(await world.store.lessons.find(known[0]?.id ?? '')).toMatchObject({ occurrences: 1 })
    },
  )
})
