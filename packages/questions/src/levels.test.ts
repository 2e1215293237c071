import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { type Change, type LevelName, recommendLevel, VALIDATION_LEVELS } from './levels.ts'
import { questionsFor } from './questions-for.ts'

verifies('AGENT-QUESTION-27', 'there are five levels, each with its time and what it adds', () => {
  expect(VALIDATION_LEVELS).toEqual([
    { name: 'Quick', takes: '30s', adds: ['syntax', 'types', 'lint'] },
    { name: 'Standard', takes: '2m', adds: ['unit tests'] },
    { name: 'Thorough', takes: '10m', adds: ['integration', 'edge cases'] },
    { name: 'Comprehensive', takes: '30m', adds: ['performance', 'security'] },
    { name: 'Release', takes: '2h', adds: ['full regression'] },
  ])
  const recommendation = recommendLevel([])
  const [asked] = questionsFor({
    agent: 'validation',
    event: 'validation_level_needed',
    facts: { recommendation },
  })
  expect(asked?.options.map(({ label }) => label)).toEqual(VALIDATION_LEVELS.map(({ name }) => name))
  for (const { name, takes, adds } of VALIDATION_LEVELS)
    expect(asked?.text).toMatch(new RegExp(`- ${name} \\(${takes}\\): (\\+ )?${adds.join(', ')}\n`))
})

const file = (path: string, lines = 10): Change => ({ path, lines })
const many = (count: number, lines = 1) =>
  Array.from({ length: count }, (_, n) => file(`src/part/file-${n}.ts`, lines))

const table: [what: string, changes: Change[], level: LevelName][] = [
  ['nothing', [], 'Quick'],
  ['prose only', [file('README.md', 500), file('docs/guide/start.html'), file('LICENSE')], 'Quick'],
  ['one file of code', [file('src/find.ts')], 'Standard'],
  ['code and prose', [file('src/find.ts'), file('README.md', 900)], 'Standard'],
  ['a test only, however long', [file('src/find.test.ts', 900)], 'Standard'],
  ['five files', many(5), 'Standard'],
  ['six files', many(6), 'Thorough'],
  ['200 lines', [file('src/find.ts', 200)], 'Standard'],
  ['201 lines', [file('src/find.ts', 201)], 'Thorough'],
  [
    'four places at once',
    ['packages/a/x.ts', 'packages/b/x.ts', 'apps/c/x.ts', 'apps/d/x.ts'].map((path) => file(path)),
    'Thorough',
  ],
  ['where people sign in', [file('src/auth/login.ts', 1)], 'Comprehensive'],
  ['a migration', [file('db/migrations/004_users.sql', 1)], 'Comprehensive'],
  ['a new dependency', [file('package.json', 1)], 'Comprehensive'],
  ['a new dependency in a text file', [file('requirements.txt', 1)], 'Comprehensive'],
  ['words about security', [file('docs/security.md', 1)], 'Quick'],
  ['a name that only sounds like it', [file('src/author.ts', 1), file('src/secretary.ts', 1)], 'Standard'],
  ['the version', [file('VERSION', 1), file('src/find.ts', 1)], 'Release'],
]

for (const [what, changes, level] of table) {
  verifies('AGENT-QUESTION-28', `${what}: ${level} is recommended and the default`, () => {
    const facts = { recommendation: recommendLevel(changes) }
    const [asked] = questionsFor({ agent: 'validation', event: 'validation_level_needed', facts })
    expect(asked?.defaultOption).toBe(level)
    expect(asked?.text).toContain(`Going by what was changed: ${level}`)
  })
}

test('the order of changes does not matter', () => {
  const changes = [...many(3), file('package.json'), file('README.md')]
  expect(recommendLevel(changes)).toBe(recommendLevel(changes.toReversed()))
})
