// Looks back on what was planned: a talk about an idea and a specification, over the API and on the command line.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@treadle/contracts/client'
import type { EventType } from '@treadle/contracts/event'
import { phaseRecord } from '@treadle/contracts/run'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { begin, build, commitOnBranch, delivery, say } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'
import { brief, writeIdea } from './idea-files.ts'

const open = useInProcess('any', { settings: { limits: { sweepMs: 300 } } })

/** The feed holds events back while others on the same server are still committing. */
const told = (client: Client, type: EventType) =>
  eventually(`an event ${type}`, async () => {
    const { items } = await client.events({ query: { type } })
    return items.length === 0 ? undefined : items.map(({ event }) => event)
  })

// It comes first: whatever else is generated here is looked back on as well.
verifies(
  'AGENT-SIA-32',
  'what several specifications lack becomes a change of the template: asked with its difference, made on yes, used from then on',
  async (context) => {
    const { client, workspace } = await open(context)
    const file = (name: string) => join(workspace.root, 'users/templates', name)
    const asked = async () => {
      const { items } = await client.listQuestions({ query: { status: 'open' } })
      return items.filter(({ event }) => event === 'template_improvement')
    }
    const generate = async (slug: string, text?: string) => {
      writeIdea(workspace, slug, text)
      const { revision } = await client.generateSpecification({ body: { ideaSlug: slug } })
      await eventually(`the look back on ${slug}`, () =>
        client
          .specificationRetrospective({ params: { id: slug }, query: { revision } })
          .catch(() => undefined),
      )
    }
    const judged = brief({ features: '- **Sharing**: lists are shared', done: '- Users love the look of it' })
    for (const slug of ['wants-one', 'wants-two', 'wants-three']) await generate(slug, judged)
    const [first] = await eventually('a question', async () => {
      const items = await asked()
      return items.length > 0 ? items : undefined
    })
    if (first === undefined) throw new Error('nobody was asked')
    expect(first).toMatchObject({ type: 'blocking', blocking: true, agent: 'sia' })
    expect(first.text).toContain('users/templates/spec.md')
    expect(first.text).toContain('+## For a person to judge')
    expect(existsSync(file('spec.md'))).toBe(false)

    // A person has a copy of his own by now: it is not written over before it was shown.
    const mine =
      '# Specification: {{title}}\n\nWritten for us.\n\n## What it must do\n\n{{functional_requirements}}\n'
    workspace.write('users/templates/spec.md', mine)
    const yes = (id: string) =>
      client.answerQuestion({ params: { id }, body: { text: 'Yes, change the template', by: 'ada' } })
    await yes(first.id)
    const second = await eventually('a question about the copy', async () =>
      (await asked()).find(({ id, text }) => id !== first.id && text.includes('For a person to judge')),
    )
    expect(readFileSync(file('spec.md'), 'utf8')).toBe(mine)
    expect(second.text).toContain('Yours, users/templates/spec.md, is changed by these lines only')
    await yes(second.id)
    const template = await eventually('the changed template', () => {
      const text = readFileSync(file('spec.md'), 'utf8')
      return text === mine ? undefined : text
    })
    expect(template.startsWith(mine.trimEnd())).toBe(true)
    expect(template).toContain('## For a person to judge')
    await generate('wants-four', judged)
    const { spec: document } = await client.specificationDocument({ params: { id: 'wants-four' } })
    expect(document).toContain('Written for us.\n\n## What it must do\n\n- FR-1')
    expect(document).toContain('- AC-1: Users love the look of it')
    // What the template does not name is not lost.
    expect(document).toContain('## Validation\n')
    expect(await told(client, 'spec.template_changed')).toEqual([
      { type: 'spec.template_changed', path: 'users/templates/spec.md', why: 'ada agreed' },
    ])

    // The next gap of the same template is asked about now; after a no never again.
    const third = await eventually('a question about the next gap', async () =>
      (await asked()).find(({ text }) => text.includes('+## Still to be written')),
    )
    await client.answerQuestion({ params: { id: third.id }, body: { text: 'No, leave it', by: 'ada' } })
    await generate('wants-five', judged)
    await generate('wants-six', judged)
    expect((await asked()).filter(({ text }) => text.includes('Still to be written'))).toEqual([])
    expect(readFileSync(file('spec.md'), 'utf8')).toBe(template)
  },
)

const ANSWERS = [
  'Families who shop together in towns where shops have no network at all, two adults and children, weekly',
  'No milk',
  'A list on each phone that works offline and is merged later with those of the others in the family at home',
  'Offline list: entries stay on the phone for 30 days\nMerge: brings two lists together when the phones meet again',
  'Others need a server for every change, a login for every phone, and a network in every shop that one visits',
  'Families share lists: nine of ten that were asked do',
  'Shops have bad networks: measured in five of them',
  'Entries stay on the phone for 90 days',
  'Phones stop background work',
  'A list is there after a restart without a network',
]

verifies(
  ['AGENT-SIA-2', 'AGENT-ROUTING-27'],
  'a finished talk is looked back on: what is unsure, what took long, what contradicts itself, and the lessons are on trial',
  async (context) => {
    const { client, workspace } = await open(context)
    const { slug } = await client.startIdea({
      body: { text: 'A shopping list for two', by: 'ada', engine: 'none' },
    })
    await expect(client.ideaRetrospective({ params: { id: slug } })).rejects.toMatchObject({ status: 404 })
    for (const text of ANSWERS) await client.sayToIdea({ params: { id: slug }, body: { text, by: 'ada' } })
    const seen = await eventually('the look back on the talk', () =>
      client.ideaRetrospective({ params: { id: slug } }).catch(() => undefined),
    )
    expect(seen).toMatchObject({ is: 'idea', slug, trigger: 'ideation.completed', messages: 22 })
    expect(seen.asked).toHaveLength(10)
    expect(seen.asked.every(({ answered }) => answered)).toBe(true)
    expect(seen.phases).toEqual([
      { phase: 'EXPLORING', messages: 4 },
      { phase: 'NARROWING', messages: 2 },
      { phase: 'VALIDATING', messages: 4 },
      { phase: 'REFINING', messages: 1 },
    ])
    expect(seen.gaps.map(({ kind, about }) => `${kind} ${about}`)).toEqual([
      'unsure problem',
      'contradiction mvp-features',
    ])
    const kept = await Promise.all(
      seen.learned.map(({ lessonId }) => client.showLesson({ params: { id: lessonId ?? '' } })),
    )
    expect(kept.map(({ lesson }) => lesson)).toMatchObject([
      { type: 'gotcha', action: 'ideate', verdict: 'on_trial', discoveredBy: 'sia' },
      { type: 'gotcha', topic: 'ideation', verdict: 'on_trial' },
    ])
    // No word of the talk gets into a lesson, and none of them is about the code of the repository.
    expect(JSON.stringify(kept)).not.toMatch(/milk|90 days/)
    const { items } = await client.recallLessons({ query: { path: 'src/main.ts', limit: 100 } })
    expect(items.filter(({ topic }) => topic === 'ideation')).toEqual([])
    expect(await told(client, 'idea.reviewed')).toEqual([
      { type: 'idea.reviewed', idea: slug, gaps: 2, learned: 2 },
    ])
    const shown = await run(workspace, ['retrospective', '--idea', slug, '--json'])
    expect(JSON.parse(shown.stdout)).toEqual(seen)
  },
)

verifies(
  ['AGENT-SIA-34', 'AGENT-ROUTING-28'],
  'each generated specification is looked back on: its shares, and what it leaves to be wished for',
  async (context) => {
    const { client, workspace } = await open(context)
    const text = brief({ features: '- **Sharing**: lists are shared', done: '- Users love the look of it' })
    writeIdea(workspace, 'looked-at', text)
    const lookAt = (revision: number) =>
      eventually(`the look back on revision ${revision}`, () =>
        client
          .specificationRetrospective({ params: { id: 'looked-at' }, query: { revision } })
          .catch(() => undefined),
      )
    const spec = await client.generateSpecification({ body: { ideaSlug: 'looked-at' } })
    const seen = await lookAt(1)
    expect(seen).toMatchObject({
      is: 'spec',
      slug: 'looked-at',
      revision: 1,
      trigger: 'spec.generated',
      tasks: spec.tasks.length,
      writtenBy: 'rules',
      shares: spec.validation.shares,
    })
    expect(seen.gaps).toContainEqual({
      kind: 'unchecked_criterion',
      about: 'AC-1',
      what: 'No program can check AC-1: Users love the look of it',
    })
    expect(seen.gaps.map(({ kind }) => kind)).toContain('missing_input')
    // A task whose command only sees the file, and one that serves nothing, are named by their ids.
    const idle = '```yaml\nid: X1\nphase: types\ntitle: Hand made\nfile: types/hand.ts\naction: CREATE\n```\n'
    const tasks = await client.specificationDocument({ params: { id: 'looked-at' } })
    workspace.write(spec.tasksPath, `${tasks.tasks}\n${idle}`)
    const next = await client.generateSpecification({ body: { ideaSlug: 'looked-at' } })
    const again = await lookAt(next.revision)
    expect(again.gaps.filter(({ about }) => about === 'X1').map(({ kind }) => kind)).toEqual([
      'idle_task',
      'weak_check',
    ])
    expect(
      (await client.specificationRetrospective({ params: { id: 'looked-at' }, query: {} })).revision,
    ).toBe(next.revision)
    const { items } = await client.listPlanningRetrospectives({ query: { of: 'spec' } })
    expect(items.filter(({ slug }) => slug === 'looked-at')).toEqual([again])
    const shown = await run(workspace, ['retrospective', '--spec', 'looked-at'])
    expect(shown.stdout).toContain('idle task: X1 (Hand made) serves no requirement')
  },
)

verifies(
  'AGENT-SIA-5',
  'a run of a task is held against the specification and the tasks that were planned: file, action, check, time',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    writeIdea(workspace, 'planned')
    const spec = await client.generateSpecification({ body: { ideaSlug: 'planned' } })
    const [task, other] = spec.tasks.filter(({ phase }) => phase === 'types')
    if (task === undefined || other === undefined) throw new Error('two tasks are needed')
    // What a person plans counts: the file is edited by hand, and read back as a revision of its own.
    const { tasks } = await client.specificationDocument({ params: { id: 'planned' } })
    const check = 'test -s planned.txt'
    workspace.write(spec.tasksPath, tasks.replace(task.file, 'planned.txt').replace(task.validation, check))
    const { revision } = await client.showSpecification({ params: { id: 'planned' } })
    expect(revision).toBe(2)
    const specTask = { spec: 'planned', revision, id: task.id }
    for (const wrong of [{ id: 'T999' }, { revision: 99 }, { spec: 'nobody' }])
      await expect(
        client.addItem({ body: { title: 'No', specTask: { ...specTask, ...wrong } } }),
      ).rejects.toMatchObject({ status: 400 })

    const added = await run(workspace, ['add', 'Do it', '--task', `planned/${task.id}`, '--json'])
    expect(JSON.parse(added.stdout)).toMatchObject({ specTask })
    const work = await begin(daemon, { title: 'Do it again', specTask })
    const item = await client.showItem({ params: { projectNumber: 1, issueNumber: work.ref.number } })
    expect(item.item).toMatchObject({ source: 'spec', specTask })
    const main = workspace.git('rev-parse', 'main')
    const head = commitOnBranch(workspace, work, { 'planned.txt': 'here\n', 'beyond.txt': 'more\n' })
    await build(work, main)
    const report = delivery(work, head)
    const passed = report.type === 'verify.passed' ? report.gates[0] : undefined
    if (passed === undefined || !('evidence' in passed)) throw new Error('a gate is needed')
    await say(work, {
      ...report,
      gates: [{ ...passed, evidence: { ...passed.evidence, command: check } }],
      records: [
        phaseRecord({
          phase: 'commit',
          iteration: 0,
          startedAt: new Date().toISOString(),
          durationMs: 1,
          outcome: 'done',
          checkpoint: head,
        }),
      ],
    } as typeof report)
    const seen = await eventually('the look back on the run', () =>
      client.showRetrospective({ params: { id: work.claim.run.id } }).catch(() => undefined),
    )
    expect(seen.plan).toMatchObject({
      spec: 'planned',
      revision,
      task: task.id,
      title: task.title,
      file: 'planned.txt',
      action: 'CREATE',
      validation: check,
      validated: 'passed',
      specPath: spec.specPath,
      tasksPath: spec.tasksPath,
      estimateHours: task.estimateHours,
    })
    expect(seen.plan?.actualHours).toBeGreaterThan(0)
    expect(seen.diff.files.toSorted()).toEqual(['beyond.txt', 'planned.txt'])
    // The planned file is none, and what nobody planned is.
    expect(seen.divergences.map(({ what }) => what)).toEqual(['beyond.txt changed'])
  },
)

test('what nobody has looked back on is told so, with what to do', async (context) => {
  const { client } = await open(context)
  await expect(client.ideaRetrospective({ params: { id: 'nobody-knows' } })).rejects.toMatchObject({
    status: 404,
    message: 'There is no idea nobody-knows.',
  })
  await expect(
    client.specificationRetrospective({ params: { id: 'nobody-knows' }, query: {} }),
  ).rejects.toMatchObject({ status: 404, message: 'There is no specification nobody-knows.' })
})
