// From documents that a person wrote by hand to a specification, over the API, with no model.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '@treadle/contracts/client'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { finishIdea } from '../idea/answers.ts'
import { expectTold } from '../kit/feed.ts'
import { useInProcess } from '../kit/in-process.ts'
import { BRIEF, brief, README, writeIdea } from './idea-files.ts'

const open = useInProcess('any')
const PHASES = ['database', 'types', 'queries', 'api', 'ui', 'tests']

verifies(
  [
    'AGENT-SPEC-1',
    'AGENT-SPEC-3',
    'AGENT-SPEC-4',
    'AGENT-SPEC-7',
    'AGENT-SPEC-13',
    'AGENT-SPEC-14',
    'AGENT-SPEC-16',
    'AGENT-SPEC-17',
    'AGENT-SPEC-18',
    'AGENT-SPEC-19',
    'AGENT-SPEC-30',
    'AGENT-SPEC-33',
  ],
  'the two required documents become a specification with files, tasks and documents',
  async (context) => {
    const { client, workspace } = await open(context)
    writeIdea(workspace, 'shopping-list')
    const spec = await client.generateSpecification({
      body: { ideaSlug: 'shopping-list', userSlug: 'test', options: { targetComplexity: 'mvp' } },
    })
    const paths = spec.newFiles.map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining([
        'database/migrations/001_shared-lists.sql',
        'types/shared-lists.ts',
        'server/routes/shared-lists.ts',
        'tests/shared-lists.test.ts',
        'tests/dark-theme.test.ts',
      ]),
    )
    expect(paths.filter((path) => path.includes('dark-theme') && /migrations|routes/.test(path))).toEqual([])
    expect(spec.newFiles.every(({ owner, purpose }) => owner === 'build-agent' && purpose !== '')).toBe(true)
    expect(spec.tasks.length).toBeGreaterThanOrEqual(12)
    expect(spec.validation).toMatchObject({
      ok: true,
      problems: [],
      shares: { features: 1, criteria: 1, requirements: 1, tasks: 1 },
    })
    const tasks = readFileSync(join(workspace.root, spec.tasksPath), 'utf8')
    expect(tasks.match(/^```yaml$/gm)).toHaveLength(spec.tasks.length)
    const document = readFileSync(join(workspace.root, spec.specPath), 'utf8')
    for (const { name } of [{ name: 'Shared lists' }, { name: 'Dark theme' }])
      expect(document).toContain(name)
  },
)

verifies(
  ['AGENT-SPEC-25', 'AGENT-SPEC-26'],
  'tasks come by phase, and after what they depend on',
  async (context) => {
    const { client, workspace } = await open(context)
    writeIdea(workspace, 'ordered-list')
    const { tasks } = await client.generateSpecification({ body: { ideaSlug: 'ordered-list' } })
    const ranks = tasks.map(({ phase }) => PHASES.indexOf(phase))
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b))
    expect(tasks.some(({ dependsOn }) => dependsOn.length > 0)).toBe(true)
    const place = new Map(tasks.map(({ id }, nth) => [id, nth]))
    for (const [nth, { dependsOn }] of tasks.entries())
      for (const id of dependsOn) expect(place.get(id)).toBeLessThan(nth)
  },
)

verifies(
  ['AGENT-SPEC-5'],
  'without a required document it says so in the very words, and names the file',
  async (context) => {
    const { client, workspace } = await open(context)
    workspace.write('users/test/ideas/half/README.md', README)
    const refused = await client
      .generateSpecification({ body: { ideaSlug: 'half' } })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({ status: 409, message: 'Missing required documents for spec generation' })
    expect((refused as ApiError).hint).toContain('users/test/ideas/half/planning/brief.md')
    await expect(
      client.generateSpecification({ body: { ideaSlug: 'nobody-knows-it' } }),
    ).rejects.toMatchObject({ status: 404 })
  },
)

verifies(
  [
    'AGENT-SPEC-6',
    'AGENT-SPEC-8',
    'AGENT-SPEC-11',
    'AGENT-SPEC-12',
    'AGENT-SPEC-27',
    'AGENT-SPEC-28',
    'AGENT-CONTEXT-2',
  ],
  'optional documents, conventions and the code that is there go into the specification',
  async (context) => {
    const { client, workspace } = await open(context)
    writeIdea(workspace, 'conventional')
    workspace.write(
      'users/test/ideas/conventional/development.md',
      '# Development\n\n- Lists must be kept for a year.\n',
    )
    workspace.write(
      'users/test/ideas/conventional/target-users.md',
      '# Users\n\nFamilies whose phones need screen readers.\n',
    )
    workspace.write(
      'CLAUDE.md',
      '# Us\n\n## Database Conventions\n\nEvery table has tenant_id.\n\n## Other\n\nNot this.\n\n## API Conventions\n\nErrors are problem+json.\n\n## File Locations\n\nRoutes in server/routes.\n\n## Atomic Task Conventions\n\nOne file each.\n',
    )
    workspace.write(
      'server/routes/users.ts',
      "import { Router } from 'express'\nexport const users = Router()\n",
    )
    workspace.write('server/api.ts', 'export const api = []\n')
    workspace.write('database/migrations/0041_users.sql', 'create table users ();\n')
    workspace.write('types/user.ts', 'export interface User {}\n')
    workspace.write('types/index.ts', "export * from './user.ts'\n")
    workspace.write('src/components/user-card.tsx', 'export const UserCard = () => null\n')
    const spec = await client.generateSpecification({ body: { ideaSlug: 'conventional' } })
    const { spec: document } = await client.specificationDocument({ params: { id: 'conventional' } })
    for (const words of [
      'Every table has tenant_id',
      'Errors are problem+json',
      'One file each',
      'server/routes/users.ts',
      'they import express',
      'development.md',
      'target-users.md',
    ])
      expect(document).toContain(words)
    expect(document).not.toContain('Not this')
    const texts = spec.requirements.map(({ kind, text }) => `${kind} ${text}`)
    expect(texts).toContain('functional Lists must be kept for a year.')
    expect(texts.some((text) => text.startsWith('non_functional Accessible'))).toBe(true)
    expect(texts.some((text) => text.startsWith('non_functional Works offline'))).toBe(true)
    // The numbers of migrations go on after those that the tree has, in its own digits.
    expect(spec.newFiles.map(({ path }) => path)).toContain('database/migrations/0042_shared_lists.sql')
    for (const path of [
      'server/routes/users.ts',
      'server/api.ts',
      'database/migrations/0041_users.sql',
      'types/user.ts',
      'types/index.ts',
      'src/components/user-card.tsx',
      'CLAUDE.md',
    ])
      workspace.git('clean', '-fdq', '--', path)
  },
)

verifies(
  ['AGENT-SPEC-20', 'AGENT-SPEC-21', 'AGENT-SPEC-22', 'AGENT-SPEC-29'],
  'files that routes and types are added to are changed by their owners',
  async (context) => {
    const { client, workspace } = await open(context)
    writeIdea(workspace, 'owned')
    workspace.write('.github/CODEOWNERS', '*.md @writers\n/server/ @platform\ntypes/index.ts @types-team\n')
    const spec = await client.generateSpecification({ body: { ideaSlug: 'owned' } })
    expect(spec.modifications).toEqual(
      expect.arrayContaining([
        {
          path: 'server/api.ts',
          changes: expect.stringMatching(/^Import and mount: server\/routes\//),
          owner: '@platform',
        },
        { path: 'types/index.ts', changes: expect.stringMatching(/^Export: types\//), owner: '@types-team' },
      ]),
    )
    expect(spec.dataModels.find(({ name }) => name === 'SharedList')?.fields.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['id', 'name', 'quantity']),
    )
    expect(await client.ownerOf({ query: { path: 'server/api.ts' } })).toEqual({
      path: 'server/api.ts',
      owner: '@platform',
      from: '.github/CODEOWNERS',
    })
    expect(await client.ownerOf({ query: { path: 'src/main.ts' } })).toMatchObject({ owner: 'build-agent' })
    workspace.git('clean', '-fdq', '--', '.github')
  },
)

verifies(
  ['AGENT-SPEC-15'],
  'two specifications made at once get different migration numbers',
  async (context) => {
    const { client, workspace } = await open(context)
    for (const slug of ['at-once', 'also-at-once']) writeIdea(workspace, slug)
    const both = await Promise.all(
      ['at-once', 'also-at-once'].map((ideaSlug) => client.generateSpecification({ body: { ideaSlug } })),
    )
    const numbers = both.flatMap(({ newFiles }) =>
      newFiles.flatMap(({ path }) => /migrations\/(\d+)_/.exec(path)?.[1] ?? []),
    )
    expect(numbers.length).toBeGreaterThanOrEqual(4)
    expect(new Set(numbers).size).toBe(numbers.length)
    const again = await client.generateSpecification({ body: { ideaSlug: 'at-once' } })
    expect(again.newFiles).toEqual(both[0]?.newFiles)
  },
)

verifies(
  [
    'AGENT-SPEC-9',
    'AGENT-SPEC-10',
    'AGENT-SPEC-23',
    'AGENT-SPEC-24',
    'AGENT-SPEC-31',
    'AGENT-KNOWLEDGE-11',
    'AGENT-KNOWLEDGE-15',
  ],
  'what the crew has learned is put to the tasks that it is about',
  async (context) => {
    const { client, workspace } = await open(context)
    writeIdea(workspace, 'learned')
    const gotcha = (content: string, more: object) =>
      client.recordLesson({ body: { type: 'gotcha', content, confidence: 0.8, ...more } })
    await gotcha('Tables need a primary key', { glob: '*.sql', confidence: 0.9 })
    await gotcha('Routes need a limit', { glob: 'server/routes/*' })
    await gotcha('New files need a licence head', { action: 'CREATE', confidence: 0.75 })
    await gotcha('Nobody is sure of this', { glob: '*.sql', confidence: 0.65 })
    for (const nth of [1, 2, 3, 4, 5])
      await gotcha(`Types have rule ${nth} of ${'xyzuv'[nth - 1]}`, {
        glob: 'types/*',
        confidence: 0.7 + nth / 100,
      })
    await client.recordLesson({
      body: {
        type: 'pattern',
        content: 'Lists are sorted on the server',
        topic: 'shopping',
        confidence: 0.8,
      },
    })
    await client.recordLesson({
      body: { type: 'pattern', content: 'Rockets are round', topic: 'rockets', confidence: 0.9 },
    })
    const { tasks } = await client.generateSpecification({ body: { ideaSlug: 'learned' } })
    const told = (phase: string) =>
      tasks.find((task) => task.phase === phase)?.gotchas.map(({ text }) => text)
    expect(told('database')).toEqual(['Tables need a primary key', 'New files need a licence head'])
    expect(told('api')).toEqual(['Routes need a limit', 'New files need a licence head'])
    const types = tasks.find(({ phase }) => phase === 'types')?.gotchas ?? []
    expect(types).toHaveLength(5)
    const sure = types.map(({ confidence }) => confidence)
    expect(sure).toEqual([...sure].sort((a, b) => b - a))
    const { spec: document } = await client.specificationDocument({ params: { id: 'learned' } })
    expect(document).toContain('Lists are sorted on the server')
    expect(document).not.toContain('Rockets are round')
    expect(tasks.some(({ acceptance }) => acceptance.some((each) => each.includes('Lists are sorted')))).toBe(
      true,
    )
  },
)

verifies(
  ['AGENT-SPEC-32'],
  'the report names what is missing, and what a person has to judge',
  async (context) => {
    const { client, workspace } = await open(context)
    writeIdea(workspace, 'vague', brief({ features: '- Sharing', done: '- Users love the look of it' }))
    const { validation, criteria } = await client.generateSpecification({ body: { ideaSlug: 'vague' } })
    expect(validation.ok).toBe(true)
    expect(validation.missing.join('\n')).toMatch(
      /Sharing says only its name[\s\S]*Optional documents that are not there.*development\.md[\s\S]*AC-1 has no check that a program can run/,
    )
    expect(criteria).toMatchObject([{ check: null, task: expect.any(String) }])
    workspace.write('users/test/ideas/vague/planning/brief.md', '# Brief: Nothing\n\nNothing is said.\n')
    const empty = await client.generateSpecification({ body: { ideaSlug: 'vague' } })
    expect(empty.validation).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('The brief names no feature')],
    })
  },
)

verifies(['AGENT-SPEC-34'], 'a finished specification is told as spec.generated', async (context) => {
  const { client, workspace } = await open(context)
  writeIdea(workspace, 'told')
  const { tasks } = await client.generateSpecification({ body: { ideaSlug: 'told' } })
  await expectTold(client, { type: 'spec.generated' }).toContainEqual({
    type: 'spec.generated',
    spec: 'told',
    revision: 1,
    tasks: tasks.length,
    problems: 0,
    writtenBy: 'rules',
  })
})

verifies(
  ['AGENT-SPEC-5'],
  'a document that is not UTF-8 is named, and nothing is written',
  async (context) => {
    const { client, workspace } = await open(context)
    writeIdea(workspace, 'latin')
    writeFileSync(
      join(workspace.root, 'users/test/ideas/latin/planning/brief.md'),
      Buffer.from([0x23, 0xff, 0xfe]),
    )
    await expect(client.generateSpecification({ body: { ideaSlug: 'latin' } })).rejects.toMatchObject({
      status: 409,
      message: 'users/test/ideas/latin/planning/brief.md cannot be read: it is not UTF-8.',
    })
    writeIdea(workspace, 'latin', BRIEF)
    await expect(client.generateSpecification({ body: { ideaSlug: '../latin' } })).rejects.toMatchObject({
      status: 400,
    })
  },
)

test('a specification is made of the documents of its talk, whatever git calls the person by then and ignores', async (context) => {
  const { client, workspace } = await open(context)
  workspace.git('config', 'user.name', 'Maria Anna Luise von der Heide Schmidt')
  workspace.write('.gitignore', 'users/\n')
  const { slug, folder } = await finishIdea(client, 'A rack for wet umbrellas')
  workspace.git('config', 'user.name', 'Bob')
  const { specPath } = await client.generateSpecification({ body: { ideaSlug: slug } })
  expect(specPath).toBe(`${folder}/build/spec.md`)
})

test('a feature whose name is not in Latin letters has files of its name', async (context) => {
  const { client, workspace } = await open(context)
  const features =
    '- **Список дел**: a family keeps lists together; each entry with name, quantity and shop\n- **買い物**: people see what is missing\n- **🎲**: chance'
  writeIdea(workspace, 'many-scripts', brief({ features, done: '- A list is kept' }))
  const body = { ideaSlug: 'many-scripts', userSlug: 'test' }
  const { tasks, validation } = await client.generateSpecification({ body })
  expect(validation).toMatchObject({ ok: true, shares: { features: 1 } })
  for (const name of ['список-дел', '買い物', 'feature-3'])
    expect(tasks.map(({ file }) => file)).toContain(`tests/${name}.test.ts`)
  expect(tasks.find(({ phase }) => phase === 'database')?.file).toMatch(/список-дел\.sql$/)
})
