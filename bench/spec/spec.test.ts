// What the rules must bring through of a brief, and what they must not make of it.
import { expect, test } from 'vitest'
import { BRIEFS } from './briefs.ts'
import { measure } from './measure.ts'

const HELD = [
  'web app',
  'library',
  'CLI tool',
  'Python package',
  'Go service',
  'API service',
  'offline mobile app',
  'data pipeline',
  'docs site',
  'editor extension',
]

test.each(BRIEFS.filter(({ kind }) => HELD.includes(kind)))('the $kind comes through whole', (brief) => {
  const { validation, tasks } = measure(brief)
  expect(validation.problems).toEqual([])
  expect(validation.shares).toMatchObject({ features: 1, criteria: 1, requirements: 1, tasks: 1 })
  expect(validation.shares.checks).toBeGreaterThanOrEqual(0.6)
  for (const task of tasks) expect(task.validation).toContain(task.file.replace(/\/[^/]+$/, '').split('/')[0])
})

test.each(['library', 'CLI tool', 'Python package', 'data pipeline', 'editor extension'])(
  'a brief for a %s grows no migration, no route and no type file',
  (kind) => {
    const brief = BRIEFS.find((each) => each.kind === kind)
    if (brief === undefined) throw new Error(`no brief for ${kind}`)
    const phases = measure(brief).tasks.map(({ phase }) => phase)
    const foreign = kind === 'editor extension' ? ['database', 'api'] : ['database', 'api', 'ui']
    expect(phases.filter((phase) => foreign.includes(phase))).toEqual([])
    expect(phases).toContain('queries')
  },
)

test('a library in an empty repository has no database, api or ui task, either', () => {
  const brief = BRIEFS.find(({ kind }) => kind === 'library')
  if (brief === undefined) throw new Error('no brief for a library')
  const phases = new Set(measure({ ...brief, files: [] }).tasks.map(({ phase }) => phase))
  expect([...phases].sort()).toEqual(['queries', 'tests'])
})

test('what cannot be run without the file of its tools begins with it, in an empty repository', () => {
  const tasksOf = (kind: string) => {
    const brief = BRIEFS.find((each) => each.kind === kind)
    if (brief === undefined) throw new Error(`no brief for a ${kind}`)
    return measure({ ...brief, files: [] }).tasks
  }
  const python = tasksOf('Python package')
  expect(python[0]).toMatchObject({
    phase: 'queries',
    file: 'pyproject.toml',
    action: 'CREATE',
    dependsOn: [],
  })
  expect(python[0]?.requirements).toEqual(['FR-1', 'FR-2', 'FR-3'])
  const others = python.slice(1).filter(({ phase }) => phase === 'queries')
  expect(others.every(({ dependsOn }) => dependsOn.includes(python[0]?.id ?? ''))).toBe(true)
  expect(python.map(({ file }) => file)).toContain('src/tidy_frames/__init__.py')
  const setUp = tasksOf('web app').find(({ file }) => file === 'package.json')
  expect(setUp).toMatchObject({ phase: 'ui', title: 'Set up Habit garden' })
  // Node runs a library and its tests as they are; a repository with code has what it needs.
  expect(tasksOf('library').map(({ file }) => file)).not.toContain('package.json')
  const there = BRIEFS.find(({ kind }) => kind === 'Python package')
  if (there === undefined) throw new Error('no brief for a Python package')
  expect(measure(there).tasks.map(({ file }) => file)).not.toContain('pyproject.toml')
})

test('different briefs give different tasks', () => {
  const all = BRIEFS.map((brief) => measure(brief).tasks.map(({ title }) => title))
  const titles = all.flat()
  expect(new Set(titles).size).toBe(titles.length)
})

test('a service in Go is laid out as Go is', () => {
  const brief = BRIEFS.find(({ kind }) => kind === 'Go service')
  if (brief === undefined) throw new Error('no brief for a Go service')
  const files = measure(brief).tasks.map(({ file }) => file)
  expect(files).toEqual(
    expect.arrayContaining([
      'internal/api/queue.go',
      'internal/api/api.go',
      expect.stringMatching(/^migrations\/\d+_queue\.sql$/),
    ]),
  )
  expect(files.filter((file) => file.endsWith('.ts'))).toEqual([])
})
