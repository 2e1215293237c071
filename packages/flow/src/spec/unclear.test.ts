// What is asked about requirements, and what is not: as tables of sentences and of briefs.
import { describe, expect, test } from 'vitest'
import { architecturesOf, choicesLeft, requestOf } from './architectures.ts'
import { opposedIn, unclearIn } from './unclear.ts'

const criteria = (...texts: string[]) => ({
  requirements: [],
  criteria: texts.map((text, nth) => ({ id: `AC-${nth + 1}`, text, check: null, task: null })),
})
const feature = (name: string, description: string, phases: readonly string[] = []) => ({
  name,
  description,
  phases,
})
const functional = (name: string, description: string) => ({
  id: 'FR-1',
  kind: 'functional' as const,
  text: `${name}: ${description}`,
  feature: name,
})

describe('words that can be read in more than one way', () => {
  const unclear: readonly (readonly [text: string, kind: string, term: string])[] = [
    ['The list opens fast', 'speed', 'fast'],
    ['Search is responsive', 'speed', 'responsive'],
    ['It holds a large number of bicycles', 'quantity', 'a large number of'],
    ['Many people edit one page', 'quantity', 'Many'],
    ['Members are mailed regularly', 'quantity', 'regularly'],
    ['It reads large files', 'quantity', 'large files'],
    ['The form is user-friendly', 'quality', 'user-friendly'],
    ['It is easy to install', 'quality', 'easy to install'],
    ['Errors are shown in an appropriate way', 'quality', 'appropriate'],
    ['The import is robust', 'quality', 'robust'],
    ['Entries are removed when necessary', 'quality', 'when necessary'],
    ['Somebody approves each order', 'person', 'Somebody'],
    ['An order is approved by the responsible person', 'person', 'the responsible person'],
    ['It exports CSV, JSON etc.', 'open_list', 'etc.'],
    ['It reads mail, calendars and more', 'open_list', 'and more'],
    ['The price is tbd', 'open_list', 'tbd'],
  ]
  test.each(unclear)('%s', (text, kind, term) => {
    expect(unclearIn(criteria(text))).toEqual([{ kind, text, term }])
  })

  test.each([
    'The list opens within 200 ms, which is fast',
    'Many people, up to 50, edit one page',
    'It shows how many hours are left',
    'A many-to-many relation is shown as a table',
    'An editor approves each order',
    'Two phones show the same list after they meet',
    'Secure notes are listed first',
    'Overlap of ranges that only touch is false',
    'Split never loses a day',
    'It reads the etching plates',
    'More than one list is open at a time',
  ])('clear: %s', (text) => {
    expect(unclearIn(criteria(text))).toEqual([])
  })

  test('what stands in a criterion and again as a quality is one thing, and an answer settles it', () => {
    const said = criteria('The search is fast')
    const again = {
      id: 'NFR-1',
      kind: 'non_functional' as const,
      text: 'Fast: The search is fast',
      feature: null,
    }
    expect(unclearIn({ ...said, requirements: [again] })).toHaveLength(1)
    const answered = criteria('The search is fast.', 'The search is fast: Faster than current solution')
    expect(unclearIn(answered)).toEqual([])
  })

  test('the name of a feature says nothing of how well it does', () => {
    const requirements = [functional('Quick add', 'an entry with one key')]
    expect(unclearIn({ criteria: [], requirements })).toEqual([])
  })
})

describe('what cannot both hold', () => {
  test.each([
    ['The list works offline', 'The list works only online'],
    ['There are no accounts', 'A reader signs up with a mail address'],
    ['Nothing leaves the phone', 'Photos are uploaded to the cloud'],
    ['A guest can delete a list', 'A guest cannot delete a list'],
  ])('%s / %s', (one, other) => {
    expect(opposedIn(criteria(one, other))).toEqual([{ one, other }])
    expect(opposedIn(criteria(other, one))).toEqual([{ one: other, other: one }])
  })

  test.each([
    ['A member can delete a list', 'A guest cannot delete a list'],
    ['A reader sees drafts', 'A reader who is logged out sees no drafts'],
    ['The list works offline', 'Lists are merged when there is a network'],
    ['A list with 1 entry shows 1 row', 'A list with 2 entries shows 2 rows'],
    ['Guests browse without an account', 'Sellers sign up with a mail address'],
  ])('both hold: %s / %s', (one, other) => {
    expect(opposedIn(criteria(one, other))).toEqual([])
  })
})

interface Plan {
  readonly solution: string
  readonly features: readonly { name: string; description: string; phases: readonly string[] }[]
  readonly rest?: string
}

const DATA = ['database', 'types', 'api', 'ui'] as const

function choicesOf({ solution, features, rest = '' }: Plan) {
  const bullets = features.map(({ name, description }) => `- **${name}**: ${description}`).join('\n')
  const requirements = features.map((each, nth) => ({
    ...functional(each.name, each.description),
    id: `FR-${nth + 1}`,
  }))
  const tasks = features.flatMap(({ phases, name }, nth) =>
    phases.map((phase) => ({
      id: `T-${nth}-${phase}`,
      phase: phase as 'database',
      title: name,
      file: `${phase}/${nth}.x`,
      action: 'CREATE' as const,
      requirements: [`FR-${nth + 1}`],
      acceptance: [],
      validation: 'true',
      owner: 'build-agent',
      estimateHours: 2,
      dependsOn: [],
      gotchas: [],
      template: null,
    })),
  )
  const brief = `# Brief: X\n\n## Solution\n\n${solution}\n\n## Features\n\n${bullets}\n\n${rest}`
  return architecturesOf({ requirements, tasks }, brief)
}

describe('choices of architecture', () => {
  test.each<[string, Plan, string[]]>([
    [
      'what a garden keeps',
      { solution: 'A page.', features: [feature('Plant log', 'keep a note for each plant', DATA)] },
      ['storage'],
    ],
    [
      'offline and shared',
      {
        solution: 'An app in SQLite.',
        features: [feature('Lists', 'shared lists that work offline', DATA)],
      },
      ['offline'],
    ],
    [
      'reports over the web',
      {
        solution: 'A web page over a database.',
        features: [feature('Reports', 'generates PDF reports of a season', ['api'])],
      },
      ['background'],
    ],
    [
      'a board that is live',
      {
        solution: 'A page over Postgres.',
        features: [feature('Board', 'shows scores in real time', ['api', 'ui'])],
      },
      ['live'],
    ],
    [
      'people sign in',
      { solution: 'A page over Postgres.', features: [feature('Members', 'people sign in and out', DATA)] },
      ['sign-in'],
    ],
    [
      'a library or a service',
      {
        solution: 'A Python package and a REST API that check addresses.',
        features: [feature('Check', 'whether an address is there', ['api'])],
      },
      ['shape'],
    ],
  ])('%s', (_, plan, ids) => {
    const found = choicesOf(plan)
    expect(found.map(({ id }) => id)).toEqual(ids)
    for (const { facts } of found) {
      expect(Object.keys(facts)).toHaveLength(9)
      expect(Object.values(facts).filter((text) => text.trim() === '')).toEqual([])
    }
  })

  test.each<[string, Plan]>([
    [
      'a library',
      {
        solution: 'A TypeScript library for ranges.',
        features: [feature('Split', 'cut at a date', ['queries'])],
      },
    ],
    [
      'a command-line tool',
      { solution: 'A command-line tool.', features: [feature('Export', 'writes CSV files', ['queries'])] },
    ],
    [
      'a shop, which has a database anyway, and says how people sign in and when mails go out',
      {
        solution: 'A web shop.',
        features: [
          feature('Orders', 'buyers pay for orders', DATA),
          feature('Accounts', 'people sign in with a password', DATA),
          feature('Mails', 'sends mails in the background', ['api']),
        ],
      },
    ],
    [
      'offline lists that say what a conflict does',
      {
        solution: 'An app in SQLite.',
        features: [
          feature('Lists', 'shared offline lists; of two changes in conflict the newest wins', DATA),
        ],
      },
    ],
    [
      'a package that is said to be used',
      {
        solution: 'A web service that uses a Python package.',
        features: [feature('Check', 'an address', ['api'])],
      },
    ],
  ])('nothing is open: %s', (_, plan) => {
    expect(choicesOf(plan)).toEqual([])
  })

  test('a choice of another way than the plan asks for it', () => {
    expect(requestOf('storage', 'a', 'x')).toBe('Use a database')
    expect(requestOf('storage', 'b', 'x')).toBe('No database')
    expect(requestOf('live', 'a', 'Board')).toBe(
      'Add criterion: Board: a change is seen by others within 1 second',
    )
    expect(requestOf('unknown', 'b', 'x')).toBeNull()
  })

  test('what is still to be chosen is said until it is, by an option or in other words', () => {
    const plan = { tasks: [], requirements: [functional('Members', 'people sign in and out')] }
    const brief = '# Brief: X\n\n## Solution\n\nA page over Postgres.\n'
    const [left] = choicesLeft(plan, brief, [])
    expect(left).toMatch(/^There are two good ways to build Members: passwords .*; or .*treadle questions$/)
    const chosen = requestOf('sign-in', 'b', 'Members') ?? ''
    for (const request of [chosen, 'Members get a magic link by mail'])
      expect(choicesLeft(plan, brief, [request])).toEqual([])
    expect(choicesLeft(plan, brief, ['Add a dark theme'])).toHaveLength(1)
  })
})
