// The rules of a specification as tables of facts: briefs as people write them, layouts, owners, requests, edits.
import type { SpecTask } from '@treadle/contracts/specification'
import { describe, expect, test } from 'vitest'
import { conventionsIn } from './conventions.ts'
import { differenceOf } from './difference.ts'
import { existingLine } from './existing-code.ts'
import { kindOf } from './feature-kind.ts'
import { dataModelsOf } from './identify-files.ts'
import { keepEdits } from './keep-edits.ts'
import { layoutOf } from './layouts.ts'
import { ownTemplate } from './load-templates.run.ts'
import { orderTasks } from './order-tasks.ts'
import { ownerOf, readOwners } from './owners.ts'
import { parseTasks } from './parse-tasks.ts'
import { profileOf } from './profile.ts'
import { kindSaid } from './project-kind.ts'
import { readBrief } from './read-brief.ts'
import { renderTasks } from './render-spec.ts'
import { carryOut } from './requests.ts'
import { validateSpec } from './validate-spec.ts'
import { testCommandFor } from './validation-command.ts'

const features = (text: string) => readBrief(text).features.map(({ name }) => name)

test.each([
  ['bold names', '# Brief: X\n\n## Features\n\n- **One**: does\n- **Two** - does\n'],
  ['other words, numbers, CRLF', '# X\r\n\r\n### MVP features\r\n\r\n1. One: does\r\n2) Two: does\r\n'],
  ['stars and plain text', '# Brief: X\n\n## Scope\n\n* One\n* Two, which does\n'],
  [
    'headings for features',
    '# Brief: X\n\n## Key Features\n\n### One\n\nDoes.\n\n### 2. Two\n\n- does\n\n## Risks\n\n- None\n',
  ],
  ['a table', '# X\n\n## Features\n\n| Feature | What |\n|---|---|\n| One | does |\n| Two | does |\n'],
  ['one line', '# X\n\nFeatures\n--------\n\nOne, Two\n'],
  ['bold headings', '# X\n\n**Features**\n\n- [ ] One\n- [x] Two\n\n**Acceptance criteria**\n\n- It does\n'],
  ['nested bullets', '# Brief: X\n\n## Features\n\n- **One**: does\n  - more\n- **Two**:\n    does\n'],
])('features are read from %s', (_, text) => {
  expect(features(text)).toEqual(['One', 'Two'])
})

const fieldsOf = (description: string) => {
  const kind = { requiresData: true, hasEntities: true, hasAPI: false, hasUI: false }
  return dataModelsOf([{ name: 'Lists', slug: 'lists', description, details: [], kind }])[0]?.fields
}
const NOTHING = { manifest: null, configured: {}, said: [], title: 'X' }
const MANY = Array.from({ length: 30_000 }, (_, nth) => `src/file-${nth}.ts`)
const SPACES = ' '.repeat(20_000)
test.each([
  ['a heading of spaces', () => readBrief(`# a${SPACES}b`)],
  ['comments that never end', () => readBrief('<!--'.repeat(200_000))],
  ['brackets that never end', () => readBrief('['.repeat(200_000))],
  ['conventions of spaces', () => conventionsIn(`# a${SPACES}b`)],
  ['a fence of spaces', () => parseTasks(`\`\`\`${' '.repeat(200_000)}!`)],
  ['code of empty lines', () => existingLine({ layer: 'api', files: ['a.ts'] }, ['\n'.repeat(200_000)])],
  ['a long list of fields', () => fieldsOf(`lists with ${'name, '.repeat(22)}and more!`)],
  ['a row of lists', () => fieldsOf(`${'with and '.repeat(1_000)}!`)],
  ['a folder of very many files', () => profileOf({ ...NOTHING, files: MANY })],
  ['a request of spaces', () => carryOut([`rename${SPACES}x`], { features: [], criteria: [] })],
])('%s is read in no time', (_, read) => {
  const began = performance.now()
  read()
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('what is out of scope, in code or in a comment is no feature; criteria and risks are their own', () => {
  const text =
    '# Brief: X\n\n## Features\n- One\n\n```\n- Code\n```\n<!-- - Hidden -->\n\n## Out of scope\n- Two\n\n## Success criteria\n1. It does\n\n## Risks\n- Rain\n'
  expect(features(text)).toEqual(['One'])
  expect(readBrief(text)).toMatchObject({ title: 'X', criteria: ['It does'], risks: ['Rain'] })
})

test.each([
  ['A small TypeScript library for dates', 'library'],
  ['A command-line tool for logs', 'cli'],
  ['A web app that uses a library for dates', 'web'],
  ['A web app for the public library to lend books', 'web'],
  ['A site where readers find books of their library', 'web'],
  ['A photo library on the web', 'web'],
  ['A booking page for our library', null],
  ['A component library for React', 'library'],
  ['A header-only C++ library for matrices', 'library'],
  ['A TypeScript module with helpers for dates', 'library'],
  ['A small package with utility functions for strings', 'library'],
  ['A parser for INI files, as a function that other programs import', 'library'],
  ['A pip package for cleaning data frames', 'library'],
  ['A Ruby gem for slugs', 'library'],
  ['A React hook for forms', 'library'],
  ['A plugin for ESLint', 'library'],
  ['A Node.js middleware for rate limits', 'library'],
  ['A shell script that backs up a folder', 'cli'],
  ['A bot for Telegram that reminds people', 'service'],
  ['A Flask API for recipes', 'service'],
  ['A recipe planner for families', null],
  ['A VS Code extension for notes', 'extension'],
  ['A REST API for rooms', 'service'],
])('%s is a %s', (text, kind) => {
  expect(kindSaid([text])).toBe(kind)
})

test('words that are said in passing make a library of nothing', () => {
  const title = 'A recipe planner for families'
  expect(kindSaid([title], { beside: ['Import: a parser for recipes of other sites'] })).toBe(null)
  expect(kindSaid([title], { beside: ['It is a TypeScript library'] })).toBe('library')
})

describe('the profile of a repository', () => {
  const profile = (files: string[], said: string[] = ['An app']) =>
    profileOf({ files, manifest: null, configured: {}, said, title: 'X' })

  test('is that of the web where nothing is', () => {
    expect(profile(['README.md']).layout).toEqual(layoutOf('web', 'ts', 'x'))
  })

  test('is that of the web where only tests are, which stay where they are', () => {
    const { kind, layout, greenfield } = profile(['test/basic.test.mjs'])
    expect({ kind, greenfield }).toEqual({ kind: 'web', greenfield: true })
    expect(layout).toMatchObject({ api: 'server/routes/{slug}.js', tests: 'test/{slug}.test.mjs' })
  })

  test('is that of a library, with its folders and spelling', () => {
    const { kind, layout } = profile(['src/read_file.js', 'src/write_file.js', 'spec/read_file.spec.js'])
    expect(kind).toBe('library')
    expect(layout).toMatchObject({
      database: null,
      api: null,
      ui: null,
      queries: 'src/{snake}.js',
      tests: 'spec/{snake}.spec.js',
    })
  })

  test('is what treadle.json says', () => {
    const configured = { database: null, api: 'app/{slug}.ts' }
    const { layout } = profileOf({ files: [], manifest: null, configured, said: [], title: 'X' })
    expect(layout).toMatchObject({ database: null, api: 'app/{slug}.ts', types: 'types/{slug}.ts' })
  })

  test('has no tables for a front end without a server, nor for a library in a repository that has one', () => {
    expect(profile(['src/App.tsx', 'src/components/Card.tsx']).layout).toMatchObject({
      database: null,
      api: null,
    })
    const { layout } = profile(['server/routes/users.ts', 'migrations/001_users.sql'], ['A small library'])
    expect(layout).toMatchObject({ database: null, api: null, types: null })
  })
})

test.each([
  ['server/api.ts', '@a'],
  ['server/deep/x.ts', '@a'],
  ['docs/x.md', '@b @c'],
  ['docs/free/x.md', 'build-agent'],
  ['src/x.ts', 'build-agent'],
])('%s belongs to %s', (path, owner) => {
  const text = '# Owners\n/server/ @a\n*.md @b @c # words\ndocs/free/\n'
  expect(ownerOf(readOwners('CODEOWNERS', text), path)).toBe(owner)
})

test('owners.json is read as globs, and one that is not is said to be none', () => {
  expect(ownerOf(readOwners('owners.json', '{"server/**": "ada"}'), 'server/api.ts')).toBe('ada')
  expect(readOwners('owners.json', '[').why).toContain('owners.json')
})

test('requests are carried out in their order, and the rest stays open', () => {
  const brief = { features: [{ name: 'Dark theme', description: '', details: [] }], criteria: [] }
  const done = carryOut(
    [
      'rename dark theme to Night',
      'add feature Export: as CSV; add criterion: it is quick',
      'without a server. Make it nice',
    ],
    brief,
  )
  expect(done.features.map(({ name, description }) => [name, description])).toEqual([
    ['Night', ''],
    ['Export', 'as CSV'],
  ])
  expect([done.criteria, [...done.without], done.open]).toEqual([
    ['it is quick'],
    ['api', 'database'],
    ['Make it nice'],
  ])
})

test.each([
  ['買い物', 'リスト'],
  ['Поиск', 'Карта'],
  ['C++', 'C#'],
  ['🎲', '🎯'],
  ['か', 'が'],
])('of %s and %s each is a feature of its own for a request', (one, other) => {
  const brief = { features: [{ name: one, description: '', details: [] }], criteria: [] }
  const after = (...requests: string[]) => carryOut(requests, brief).features.map(({ name }) => name)
  expect(after(`add feature ${other}`)).toEqual([one, other])
  expect(after(`add feature ${other}`, `remove ${one}`)).toEqual([other])
  expect(carryOut([`remove ${other}`], brief)).toMatchObject({
    features: brief.features,
    open: [`remove ${other}`],
  })
})

test('a feature that speaks of requests over HTTP has routes, and no view of its own', () => {
  const web = layoutOf('web', 'ts', 'x')
  const of = (description: string) => kindOf({ name: 'Ping', description, details: [] }, web)
  expect(of('GET /ping answers pong')).toMatchObject({ requiresData: false, hasAPI: true, hasUI: false })
  expect(of('answers over HTTP with 200')).toMatchObject({ hasAPI: true, hasUI: false })
  expect(of('PATCH / changes the answer')).toMatchObject({ hasAPI: true, hasUI: false })
  expect(of('people get a welcome')).toMatchObject({ hasAPI: false, hasUI: true })
})

test('what is more than can be planned at once is named', () => {
  const many = (word: string, count: number) =>
    Array.from({ length: count }, (_, nth) => `- ${word}${nth + 1}: does`).join('\n')
  const { features, criteria, beyond } = readBrief(
    `# Brief: X\n\n## Features\n\n${many('F', 62)}\n\n## Done when\n\n${many('C', 101)}\n`,
  )
  expect([features.length, criteria.length]).toEqual([60, 100])
  expect(beyond).toEqual({ features: ['F61', 'F62'], criteria: ['C101: does'] })
})

const task = (id: string, more: Partial<SpecTask> = {}): SpecTask => ({
  id,
  phase: 'types',
  title: `Task ${id}`,
  file: `types/${id}.ts`,
  action: 'CREATE',
  dependsOn: [],
  requirements: [],
  acceptance: [],
  validation: 'true',
  owner: 'build-agent',
  estimateHours: 1,
  gotchas: [],
  template: null,
  ...more,
})

test('tasks are written and read back as they were, whatever words they have', () => {
  const tasks = [
    task('T1', {
      acceptance: ['a: b', '# no', '```', '- x', 'é\n```yaml\nid: T9'],
      template: 'a\n\n```\nb\n',
    }),
  ]
  const kept = { notes: ['A note'], template: ownTemplate('tasks') }
  expect(parseTasks(renderTasks({ title: 'X', revision: 1 }, tasks, kept))).toEqual({
    is: 'read',
    tasks,
    notes: ['A note'],
  })
})

const block = (id: string) => `id: ${id}\nphase: types\ntitle: One\nfile: types/${id}.ts\naction: CREATE\n`

test.each([
  ['tildes', `~~~yaml\n${block('T1')}~~~\n`],
  ['four backticks', `\`\`\`\`yaml\n${block('T1')}\`\`\`\`\n`],
  ['words after its language', `\`\`\`yaml title="One"\n${block('T1')}\`\`\`\n`],
  ['an indent', `- One\n\n  \`\`\`yaml\n${block('T1').replace(/^/gm, '  ')}\n  \`\`\`\n`],
  ['an indented beginning', `  \`\`\`yaml\n${block('T1')}\`\`\`\n`],
  ['an indent of tabs', `\t\`\`\`yaml\n${block('T1').replace(/^(?=.)/gm, '\t')}\t\`\`\`\n`],
  ['old line endings', `\`\`\`yaml\n${block('T1')}\`\`\`\n`.replaceAll('\n', '\r')],
])('a block with %s is a task, and the one behind it, too', (_, text) => {
  const read = parseTasks(`${text}\n\`\`\`yaml\n${block('T2')}\`\`\`\n`)
  expect(read).toMatchObject({ is: 'read', tasks: [{ id: 'T1' }, { id: 'T2' }] })
})

test('code in a note stays as it was written', () => {
  const notes = ['Look:', '', '~~~sh', 'ls', '```', '~~~', '````md', '```yaml', 'id: T1', '```', '````']
  expect(parseTasks(notes.join('\n'))).toMatchObject({
    tasks: [],
    notes: notes.filter((line) => line !== ''),
  })
})

test('a specification without a task has a problem, also where its features are known', () => {
  const features = [{ name: 'One', slug: 'one' }]
  const { ok, problems } = validateSpec({ requirements: [], criteria: [], tasks: [], features, missing: [] })
  expect({ ok, problems }).toEqual({ ok: false, problems: [expect.stringContaining('There is no task')] })
})

describe('an edited task that is generated anew', () => {
  const before = [task('T1'), task('T2'), task('T3', { dependsOn: ['T1', 'T2'], acceptance: ['a', 'b'] })]
  const edited = (more: Partial<SpecTask>) => [task('T1'), task('T2'), { ...task('T3', before[2]), ...more }]
  const last = (theirs: SpecTask[], ours: SpecTask[]) => keepEdits({ before, theirs, ours }).tasks.at(-1)

  test('waits for what is new as well, and no longer for what has gone', () => {
    const theirs = edited({ dependsOn: ['T2'] })
    const ours = [task('T4'), task('T5'), task('T3', { dependsOn: ['T4', 'T5'] })]
    expect(last(theirs, ours)?.dependsOn).toEqual(['T4', 'T5'])
  })

  test('keeps what a person added and took out of its lists, and gets what is new', () => {
    const theirs = edited({ dependsOn: ['T2'], acceptance: ['b', 'mine'] })
    const ours = [
      task('T1'),
      task('T2'),
      task('T3', { dependsOn: ['T1', 'T2'], acceptance: ['a', 'b', 'c'] }),
    ]
    expect(last(theirs, ours)).toMatchObject({ dependsOn: ['T2'], acceptance: ['b', 'mine', 'c'] })
  })

  test('has the order that a person gave its lists, and a wrong id of theirs stays to be named', () => {
    const theirs = edited({ dependsOn: ['T2', 'T1', 'T99'] })
    expect(last(theirs, before)?.dependsOn).toEqual(['T2', 'T1', 'T99'])
  })

  test('of their own does not wait for what has gone', () => {
    const theirs = [...before, task('MINE', { dependsOn: ['T1', 'T2'] })]
    expect(last(theirs, [task('T2')])).toMatchObject({ id: 'MINE', dependsOn: ['T2'] })
  })
})

test('a circle is named, and so is what comes too late or is not there', () => {
  const { problems } = orderTasks([
    task('A', { dependsOn: ['B'] }),
    task('B', { dependsOn: ['A', 'Z'] }),
    task('C', { phase: 'database', dependsOn: ['A'] }),
  ])
  expect(problems).toEqual([
    'Tasks wait for each other in a circle: A → B → A',
    'B waits for Z, which is no task of this specification',
    'C (database) waits for A, which comes in a later phase (types)',
  ])
})

test.each([
  ['npx vitest run', 'tests/a.test.ts', 'npx vitest run tests/a.test.ts'],
  [null, 'tests/a.test.ts', 'node --test tests/a.test.ts'],
  ['pytest -q', 'tests/test_a.py', 'python3 -m pytest tests/test_a.py'],
  ['.venv/bin/python -m pytest -q', 'tests/test_a.py', '.venv/bin/python -m pytest tests/test_a.py'],
  ['go test ./...', 'internal/a/a_test.go', 'go test ./internal/a/...'],
  ['make check', 'tests/a.test.ts', 'test -s tests/a.test.ts && make check'],
])('with %s, %s is tested by %s', (testCommand, file, command) => {
  expect(testCommandFor(file, { testCommand, manifest: null, hasTsConfig: false, wanted: null })).toBe(
    command,
  )
})

test('a difference names the lines that went and came', () => {
  expect(differenceOf('a\nb\nc\nd', 'a\nc\nx\nd')).toEqual(['-b', '+x'])
})
