// What a build loads before it begins, and what each task is told of it.
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { useInProcess } from '../kit/in-process.ts'
import { begun, play, start, stateOf, taskOf } from './hand-build.ts'

const CLAUDE = `# Sample

## Database Conventions

Names of tables are plural.

## Something Else

Not for builds.

## Build Agent Workflow

One file, then its test.
`
const open = useInProcess('any', {
  settings: { limits: { sweepMs: 300 } },
  files: { 'CLAUDE.md': CLAUDE, 'items.sql': 'select 1;\n' },
})

verifies(
  [
    'AGENT-BUILD-3',
    'AGENT-BUILD-4',
    'AGENT-BUILD-5',
    'AGENT-BUILD-6',
    'AGENT-BUILD-7',
    'AGENT-BUILD-8',
    'AGENT-BUILD-11',
    'AGENT-BUILD-31',
    'AGENT-BUILD-40',
    'AGENT-BUILD-41',
    'AGENT-BUILD-42',
    'AGENT-BUILD-43',
    'AGENT-BUILD-44',
    'AGENT-BUILD-45',
    'AGENT-BUILD-46',
    'AGENT-CONTEXT-4',
  ],
  'a build reads specification, documents, conventions and lessons first, and tells each task what is about it',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const lesson = { type: 'gotcha', glob: '*.sql', content: 'SQLite has no boolean: use integer' } as const
    await client.recordLesson({ body: { ...lesson, confidence: 0.65 } as never })
    await client.recordLesson({
      body: { type: 'gotcha', glob: '*.sql', content: 'too unsure to be told', confidence: 0.55 } as never,
    })
    const folder = 'users/test/ideas/primed'
    const documents = () => {
      workspace.write(`${folder}/README.md`, `# Lists\n\n${'x'.repeat(600)}TAIL\n`)
      workspace.write(`${folder}/problem-solution.md`, '# Problem\n\nNo signal.\n')
      workspace.write(`${folder}/target-users.md`, '# Users\n\nFamilies.\n')
    }
    const build = await start(
      daemon,
      'primed',
      [
        {
          id: 'T1',
          phase: 'database',
          file: 'items.sql',
          action: 'UPDATE',
          acceptance: ['Entries have a quantity'],
          template: 'create table items (id integer);',
          validation: 'test -s items.sql',
          expected: 'nothing at all',
        },
        { id: 'T2', phase: 'queries', file: 'items.ts', dependsOn: ['T1'] },
      ],
      documents,
    )
    expect(build).toMatchObject({
      status: 'running',
      tasksTotal: 2,
      branch: 'build/primed',
      userSlug: 'test',
    })
    expect(build.prime).toBe(
      '2 tasks of revision 2; read: build/spec.md, build/tasks.md, README.md, problem-solution.md, target-users.md; conventions: Database Conventions, Build Agent Workflow; 1 lessons',
    )
    expect(build.tasks.map(({ id }) => id)).toEqual(['T1', 'T2'])
    const { body, testCommand, files, phase, estimateHours, parent } = await stateOf(
      client,
      taskOf(build, 'T1').number,
    )
    expect({ testCommand, files, phase, parent }).toEqual({
      testCommand: 'test -s items.sql',
      files: ['items.sql'],
      phase: 'database',
      parent: build.delivery,
    })
    expect(estimateHours).toBeGreaterThan(0)
    for (const part of [
      '# BUILD TASK: T1',
      'UPDATE file: items.sql',
      '- Entries have a quantity',
      '## Gotchas (AVOID THESE MISTAKES)\n\n- SQLite has no boolean: use integer\n',
      '### Database Conventions\n\nNames of tables are plural.',
      '### Build Agent Workflow\n\nOne file, then its test.',
      '```\ncreate table items (id integer);\n```',
      '    test -s items.sql\n',
      'Expected result: it ends with exit code 0, and prints: nothing at all',
      'Change ONLY items.sql, and the test of it',
      'Follow all gotchas strictly',
      'Use the code template as guidance',
      'Make sure that the validation command passes',
    ])
      expect(body).toContain(part)
    expect(body).not.toContain('Not for builds')
    expect(body).not.toContain('too unsure')
    // Five hundred characters of it, the heading included.
    expect(body).toContain(`# Lists\n\n${'x'.repeat(491)}\n\n## Validation`)
    const other = await stateOf(client, taskOf(build, 'T2').number)
    expect(other.body).not.toContain('SQLite')
  },
)

verifies(
  ['AGENT-BUILD-51', 'AGENT-BUILD-52', 'AGENT-BUILD-53', 'AGENT-BUILD-13', 'AGENT-ROUTING-42'],
  'tasks are read from their items: number, file, what they wait for, attempts, who has them, and where they stand',
  async (context) => {
    const daemon = await open(context)
    const { client } = daemon
    const build = await start(daemon, 'read', [
      { id: 'T1', file: 'a.txt', phase: 'types', requirements: ['FR-1'], template: 'a', expected: 'fine' },
      { id: 'T2', file: 'b.txt', dependsOn: ['T1'] },
    ])
    const spec = await client.showSpecification({ params: { id: 'read' } })
    expect(spec).toMatchObject({
      slug: 'read',
      userSlug: 'test',
      specPath: 'users/test/ideas/read/build/spec.md',
      tasksPath: 'users/test/ideas/read/build/tasks.md',
    })
    expect(taskOf(build, 'T1')).toMatchObject({
      file: 'a.txt',
      action: 'CREATE',
      phase: 'types',
      dependsOn: [],
      attempts: 0,
      status: 'pending',
      ready: 'Ready',
      gotchas: [],
      requirements: ['FR-1'],
      template: 'a',
      validation: 'test -s a.txt',
      expected: 'it ends with exit code 0, and prints: fine',
      agent: null,
    })
    const number = taskOf(build, 'T1').number
    await client.claimItem({
      params: { projectNumber: 1, issueNumber: number },
      body: { agentId: 'agent-1' },
    })
    const held = await begun(client, 'read', (now) => taskOf(now, 'T1').status === 'in_progress')
    expect(taskOf(held, 'T1')).toMatchObject({ agent: 'agent-1', attempts: 1, state: 'claimed' })
    expect(taskOf(held, 'T2')).toMatchObject({ ready: 'Blocked by T1', waitsFor: ['T1'], status: 'pending' })
    await client.releaseItem({
      params: { projectNumber: 1, issueNumber: number },
      body: { by: 'ada' },
    })
    // What it prints is not what was expected, so it does not land.
    await play(daemon, number, { 'a.txt': 'a\n' })
    const refused = await begun(client, 'read', (now) => taskOf(now, 'T1').state === 'rework')
    expect((await stateOf(client, taskOf(refused, 'T1').number)).reason).toContain(
      'did not print what was expected: fine',
    )
  },
)
