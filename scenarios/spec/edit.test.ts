// A specification in people's hands: edited, revised, approved; what they wrote stays, what they read is what is approved.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '@treadle/contracts/client'
import type { TreadleEvent } from '@treadle/contracts/event'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { finishIdea } from '../idea/answers.ts'
import { expectTold } from '../kit/feed.ts'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'
import { BRIEF, writeIdea } from './idea-files.ts'

const open = useInProcess('any')

async function generated({ client, workspace }: InProcessDaemon, slug: string) {
  writeIdea(workspace, slug)
  return client.generateSpecification({ body: { ideaSlug: slug } })
}

function textOf({ workspace }: InProcessDaemon, path: string): string {
  return readFileSync(join(workspace.root, path), 'utf8')
}

async function refusal(asked: Promise<unknown>): Promise<ApiError> {
  const error = await asked.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

verifies(
  ['AGENT-SPEC-36', 'AGENT-ROUTING-22'],
  'a request for changes is told, carried out as far as it is understood, and what is not stands in the document',
  async (context) => {
    const daemon = await open(context)
    const before = await generated(daemon, 'revised')
    const spec = await daemon.client.reviseSpecification({
      params: { id: 'revised' },
      body: {
        text: 'Remove dark theme. Add feature Price history: what each thing has cost. No database. Use vitest. Make it sparkle',
      },
    })
    expect(spec).toMatchObject({ revision: 2, status: 'generated', validation: { ok: true } })
    const titles = spec.tasks.map(({ title }) => title).join('\n')
    expect(titles).not.toContain('Dark theme')
    expect(titles).toContain('Price history')
    expect(spec.tasks.filter(({ phase }) => phase === 'database')).toEqual([])
    expect(
      spec.tasks
        .filter(({ phase }) => phase === 'tests')
        .every(({ validation }) => validation.startsWith('npx vitest run ')),
    ).toBe(true)
    expect(spec.validation.missing).toContain('Asked for, and no rule understood it: Make it sparkle')
    expect(textOf(daemon, spec.specPath)).toContain('Make it sparkle')
    // What is the same has the id that it had.
    const idOf = (tasks: typeof spec.tasks) => tasks.find(({ file }) => file === 'types/shared-lists.ts')?.id
    expect(idOf(spec.tasks)).toBe(idOf(before.tasks))
    for (const type of ['spec.revision_requested', 'spec.generated'] as const)
      await expectTold(daemon.client, { type }).toContainEqual(
        expect.objectContaining({ spec: 'revised', revision: 2 }),
      )
  },
)

test('what a person changed, added, took out and noted in tasks.md stays through a revision', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const before = await generated(daemon, 'edited')
  const types = before.tasks.find(({ phase }) => phase === 'types')
  const view = before.tasks.find(({ title }) => title === 'Build the view of Dark theme')
  const text = textOf(daemon, before.tasksPath)
    .replace('Define the types of Shared lists\nfile', 'Types by Ada for Shared lists\nfile')
    .replace(new RegExp(`### ${view?.id} [\\s\\S]*?\`\`\`yaml[\\s\\S]*?\`\`\`\\n`), '')
    .concat(
      '\nAda says: mind the shops.\n\n```yaml\nid: X1\nphase: ui\ntitle: A poster\nfile: docs/poster.md\naction: CREATE\n```\n',
    )
  workspace.write(before.tasksPath, text)
  const shown = await client.showSpecification({ params: { id: 'edited' } })
  expect(shown.revision).toBe(2)
  expect(shown.tasks.map(({ id }) => id)).toContain('X1')
  const spec = await client.reviseSpecification({
    params: { id: 'edited' },
    body: { text: 'Add feature Price history' },
  })
  const byId = new Map(spec.tasks.map((task) => [task.id, task]))
  expect(byId.get(types?.id ?? '')?.title).toBe('Types by Ada for Shared lists')
  expect(byId.get('X1')).toMatchObject({ title: 'A poster', owner: 'build-agent' })
  expect(byId.has(view?.id ?? '')).toBe(false)
  expect(spec.tasks.some(({ title }) => title.includes('Price history'))).toBe(true)
  const after = textOf(daemon, spec.tasksPath)
  for (const words of ['Ada says: mind the shops.', 'Types by Ada', 'A poster', 'Price history'])
    expect(after).toContain(words)
  expect(spec.beside).toEqual([])
  const again = await client.generateSpecification({ body: { ideaSlug: 'edited' } })
  expect(again.tasks).toEqual(spec.tasks)
})

test('a brief that was edited makes another specification, and the ids of what stays are the same', async (context) => {
  const daemon = await open(context)
  const before = await generated(daemon, 'rebriefed')
  writeIdea(
    daemon.workspace,
    'rebriefed',
    BRIEF.replace('**Dark theme**: colours for the evening', '**Export**: send the list by mail'),
  )
  const after = await daemon.client.generateSpecification({ body: { ideaSlug: 'rebriefed' } })
  expect(after.tasks.map(({ file }) => file)).toContain('tests/export.test.ts')
  expect(after.tasks.map(({ file }) => file)).not.toContain('tests/dark-theme.test.ts')
  for (const { id, file } of after.tasks)
    expect(before.tasks.find((task) => task.file === file)?.id ?? id).toBe(id)
})

test('tasks.md that cannot be read is refused with line and reason, and nothing of it is lost', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const { tasksPath } = await generated(daemon, 'broken')
  const text = textOf(daemon, tasksPath).replace('phase: types', 'phase: typos')
  const line = text.split('\n').indexOf('phase: typos') + 1
  workspace.write(tasksPath, text)
  for (const asked of [
    () => client.showSpecification({ params: { id: 'broken' } }),
    () => client.generateSpecification({ body: { ideaSlug: 'broken' } }),
    () => client.reviseSpecification({ params: { id: 'broken' }, body: { text: 'no database' } }),
    () => client.approveSpecification({ params: { id: 'broken' }, body: {} }),
  ]) {
    const { status, message, details } = await refusal(asked())
    expect([status, message]).toEqual([
      409,
      expect.stringContaining(`${tasksPath} cannot be read, line ${line}: phase:`),
    ])
    expect(details).toEqual({ line })
  }
  expect(textOf(daemon, tasksPath)).toBe(text)
  workspace.write(tasksPath, text.replace('id: T2', 'id: "T2'))
  expect((await refusal(client.showSpecification({ params: { id: 'broken' } }))).message).toMatch(
    /line \d+: .*quote/i,
  )
  workspace.write(tasksPath, text.replace('phase: typos', 'phase: types'))
  expect((await client.showSpecification({ params: { id: 'broken' } })).status).toBe('generated')
})

const NO_FILE_TO_BUILD = [
  ['../outside.ts', 'must be a path below the workspace'],
  ['/etc/passwd', 'must be a path below the workspace'],
  ['src\\list.ts', 'must be a path below the workspace'],
  ['.git/hooks/post-checkout', 'must not be inside .git'],
  ['vendor/.GIT/config', 'must not be inside .git'],
  ['.treadle/keys', 'must not be inside .git, .treadle'],
  ['node_modules/a/index.js', 'must not be inside .git, .treadle, .claude-sessions or node_modules'],
  ['src/', 'must name a file'],
  ['./src/list.ts', 'must name a file'],
  ['src/a\nb.ts', 'has characters that no file should have'],
  ['--version', 'must not begin with a dash'],
] as const

test('a task in tasks.md for what is no file to build is refused with the reason', async (context) => {
  const daemon = await open(context)
  const { tasksPath } = await generated(daemon, 'paths')
  const text = textOf(daemon, tasksPath)
  for (const [file, why] of NO_FILE_TO_BUILD) {
    daemon.workspace.write(
      tasksPath,
      text.replace(/^file: .*$/m, () => `file: ${JSON.stringify(file)}`),
    )
    const { message } = await refusal(daemon.client.showSpecification({ params: { id: 'paths' } }))
    expect([file, message]).toEqual([file, expect.stringContaining(`file: ${why}`)])
  }
})

test('the check of a task that names none looks for its file, whatever a shell makes of that name', async (context) => {
  const daemon = await open(context)
  const { tasksPath } = await generated(daemon, 'odd-name')
  const text = textOf(daemon, tasksPath)
  const odd = 'src/a; touch owned $(b) `c`.ts'
  daemon.workspace.write(
    tasksPath,
    text.replace(/^file: .*$/m, () => `file: ${JSON.stringify(odd)}`).replace(/^validation: .*\n/m, ''),
  )
  const { tasks } = await daemon.client.showSpecification({ params: { id: 'odd-name' } })
  expect(tasks.find(({ file }) => file === odd)?.validation).toBe(`test -s '${odd}'`)
})

verifies(
  ['AGENT-SPEC-35', 'AGENT-ROUTING-37'],
  'an approval holds for the revision that was read: what changed since is shown, and refused',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const { tasksPath, revision } = await generated(daemon, 'approved')
    workspace.write(
      tasksPath,
      textOf(daemon, tasksPath).replace('title: Test Reminders', 'title: Test Reminders twice'),
    )
    const refused = await refusal(
      client.approveSpecification({ params: { id: 'approved' }, body: { revision } }),
    )
    expect(refused.status).toBe(409)
    expect(refused.message).toContain('changed since revision 1')
    expect(refused.details).toEqual({
      revision: 2,
      difference: expect.arrayContaining(['-title: Test Reminders', '+title: Test Reminders twice']),
    })
    const spec = await client.approveSpecification({
      params: { id: 'approved' },
      body: { revision: 2, by: 'ada' },
    })
    expect(spec).toMatchObject({ status: 'approved', approvedBy: 'ada', revision: 2 })
    await client.approveSpecification({ params: { id: 'approved' }, body: { revision: 2, by: 'ada' } })
    await expectTold(client, {
      type: 'spec.approved',
      of: (event) => 'spec' in event && event.spec === 'approved',
    }).toMatchObject([{ type: 'spec.approved', spec: 'approved', revision: 2, by: 'ada' }])
    expect((await client.listSpecifications()).items.find(({ slug }) => slug === 'approved')).toEqual(spec)
  },
)

test('an approval without a revision is of what was kept, so an edit that nobody has read is shown first', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const { specPath } = await generated(daemon, 'unread')
  workspace.write(specPath, `${textOf(daemon, specPath)}\nMore.\n`)
  const refused = await refusal(client.approveSpecification({ params: { id: 'unread' }, body: {} }))
  expect(refused.details).toMatchObject({ difference: ['+More.', '+'] })
  expect(await client.approveSpecification({ params: { id: 'unread' }, body: {} })).toMatchObject({
    status: 'approved',
  })
})

test('tasks that wait for each other are a problem with their names, and are not approved', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const { tasksPath, tasks } = await generated(daemon, 'circle')
  const [first, second] = tasks.filter(({ phase }) => phase === 'tests')
  const text = textOf(daemon, tasksPath)
  const wait =
    (id = '', on = '') =>
    (given: string) =>
      given.replace(new RegExp(`(id: ${id}\\n[\\s\\S]*?dependsOn:\\n)`), `$1  - ${on}\n`)
  workspace.write(tasksPath, wait(first?.id, second?.id)(wait(second?.id, first?.id)(text)))
  const shown = await client.showSpecification({ params: { id: 'circle' } })
  expect(shown.validation.problems.join()).toMatch(/wait for each other in a circle: T\d+ → T\d+ → T\d+/)
  const refused = await refusal(client.approveSpecification({ params: { id: 'circle' }, body: {} }))
  expect(refused.message).toContain('circle')
})

test('what a person wrote into spec.md stays: the next one stands beside it', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const { specPath } = await generated(daemon, 'mine')
  workspace.write(specPath, '# Mine\n')
  const spec = await client.generateSpecification({ body: { ideaSlug: 'mine' } })
  expect(textOf(daemon, specPath)).toBe('# Mine\n')
  expect(spec.beside).toEqual([specPath.replace('.md', '.treadle.md')])
  expect(existsSync(join(workspace.root, spec.beside[0] ?? ''))).toBe(true)
  expect(workspace.git('status', '--porcelain', '--untracked-files=no')).toBe('')
})

test('nothing is written while git is in the middle of a merge', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  writeIdea(workspace, 'merging')
  workspace.write('.git/MERGE_HEAD', `${'0'.repeat(40)}\n`)
  try {
    const { status, message } = await refusal(client.generateSpecification({ body: { ideaSlug: 'merging' } }))
    expect([status, message]).toEqual([409, expect.stringContaining('git is in the middle of')])
  } finally {
    workspace.git('update-ref', '-d', 'MERGE_HEAD')
  }
  expect((await client.generateSpecification({ body: { ideaSlug: 'merging' } })).revision).toBe(1)
})

test('documents of an idea that git has held up are written before a specification is made of them', async (context) => {
  const { client, workspace } = await open(context)
  workspace.write('.git/MERGE_HEAD', `${'0'.repeat(40)}\n`)
  const { slug } = await finishIdea(client, 'A held up bell').finally(() =>
    workspace.git('update-ref', '-d', 'MERGE_HEAD'),
  )
  expect((await client.generateSpecification({ body: { ideaSlug: slug } })).revision).toBe(1)
})

test('of revisions asked for at once each is one revision, and none takes the files of another for edits', async (context) => {
  const daemon = await open(context)
  const { client } = daemon
  await generated(daemon, 'at-once')
  const params = { id: 'at-once' }
  const names = ['Price history', 'Voice input', 'Colour themes']
  const revise = (name: string) =>
    client.reviseSpecification({ params, body: { text: `Add feature ${name}: for everybody` } })
  const shown = () => client.showSpecification({ params })
  await Promise.all([...names.map(revise), shown(), shown(), shown()])
  const spec = await shown()
  expect(spec).toMatchObject({ revision: 4, beside: [] })
  expect(spec.requests).toHaveLength(3)
  const titles = spec.tasks.map(({ title }) => title).join('\n')
  for (const name of names) expect(titles).toContain(name)
  const ofIt = (event: TreadleEvent) => 'spec' in event && event.spec === 'at-once'
  const revisions = [1, 2, 3, 4].map((revision) => expect.objectContaining({ revision }))
  await expectTold(client, { type: 'spec.generated', of: ofIt }).toHaveLength(revisions.length)
  await expectTold(client, { type: 'spec.generated', of: ofIt }).toEqual(expect.arrayContaining(revisions))
})

test('an approval and a revision in the same moment: one comes first, and only what was read is approved', async (context) => {
  const daemon = await open(context)
  const { client } = daemon
  await generated(daemon, 'both')
  const params = { id: 'both' }
  for (let revision = 1; revision <= 4; revision += 1) {
    const [approved] = await Promise.allSettled([
      client.approveSpecification({ params, body: { revision, by: 'ada' } }),
      client.reviseSpecification({ params, body: { text: `Add feature Number ${revision}: counts` } }),
    ])
    if (approved.status === 'fulfilled')
      expect(approved.value).toMatchObject({ revision, status: 'approved' })
    else expect(approved.reason).toMatchObject({ status: 409, details: { revision: revision + 1 } })
    // The revision is the next, was made by nobody's hand, and nobody has approved it.
    expect(await client.showSpecification({ params })).toMatchObject({
      revision: revision + 1,
      status: 'generated',
      approvedBy: null,
      beside: [],
    })
  }
})
