import { CATEGORIES } from '@treadle/contracts/categories'
import type { CategoryIdea } from '@treadle/contracts/category-idea'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCriteria } from '../../review/criteria.ts'
import { parseProjectCreate, projectCreateText } from './project-create.ts'

const idea: CategoryIdea = {
  title: 'Limit tries: five logins a minute',
  description: 'Passwords can be guessed as fast as the network allows.',
  acceptanceCriteria: [
    'AC-1.a: The sixth try gets 429',
    'AC-1.b: A minute later it is taken',
    'AC-1.c: It is logged',
  ],
  technicalApproach: 'Count tries by address.\n\n1. A map\n2. A bound',
  effort: 6,
}

test('an idea is the text of /project-create: category, title, description, criteria as a checklist, approach', () => {
  expect(
    projectCreateText('security', idea),
  ).toBe(`/project-create security: Limit tries: five logins a minute

Passwords can be guessed as fast as the network allows.

Acceptance Criteria:
- [ ] AC-1.a: The sixth try gets 429
- [ ] AC-1.b: A minute later it is taken
- [ ] AC-1.c: It is logged

Technical Approach:
Count tries by address.

1. A map
2. A bound`)
})

test('what was written is read back', () => {
  expect(parseProjectCreate(projectCreateText('security', idea))).toEqual({
    is: 'project',
    category: 'security',
    title: idea.title,
    body: `${idea.description}\n\n## Technical Approach\n\n${idea.technicalApproach}`,
    acceptance: idea.acceptanceCriteria,
  })
})

test('as somebody would write it by hand', () => {
  const text = `\r
  /project-create  Front End Improvements: Collapse the sidebar \r
It takes half of a small screen.\r
\r
## Acceptance criteria\r
All of these:\r
* a button collapses it\r
* it stays collapsed\r
  after a reload\r
\r
## Notes\r
- Ask Kim for the icon\r
\r
Technical Approach\r
A class on the body.\r
`
  expect(parseProjectCreate(text)).toEqual({
    is: 'project',
    category: 'front-end-improvements',
    title: 'Collapse the sidebar',
    body: `It takes half of a small screen.

All of these:
## Notes
- Ask Kim for the icon

## Technical Approach

A class on the body.`,
    acceptance: ['AC-1.a: a button collapses it', 'AC-1.b: it stays collapsed after a reload'],
  })
})

test('a title alone is a project', () => {
  expect(parseProjectCreate('/project-create testing: Test the parser')).toEqual({
    is: 'project',
    category: 'testing',
    title: 'Test the parser',
    body: '',
    acceptance: [],
  })
})

test.each([
  ['Optimization', 'optimization'],
  ['Developer Experience (DX)', 'developer-experience'],
  ['Monitoring & Observability', 'monitoring-observability'],
  ['monitoring and observability', 'monitoring-observability'],
  ['DevOps/Infrastructure', 'devops-infrastructure'],
  ['Accessibility (a11y)', 'accessibility'],
  ['Internationalization (i18n)', 'internationalization'],
  ['Error Handling & Resilience', 'error-handling-resilience'],
  ['api-evolution', 'api-evolution'],
])('the category %j is %s', (name, category) => {
  expect(parseProjectCreate(`/project-create ${name}: x`)).toMatchObject({ category })
})

test.each([
  ['', 'does not begin with /project-create <category>: <title>'],
  ['Add dark mode', 'does not begin with'],
  ['/project-created security: x', 'does not begin with'],
  ['/project-create', 'category is missing'],
  ['/project-create Limit tries', 'category is missing'],
  ['/project-create safety: Limit tries', '"safety" is no category'],
  ['/project-create safety: Limit tries', 'technical-debt'],
  ['/project-create security:', 'title is missing'],
  [`/project-create security: ${'x'.repeat(301)}`, 'more than 300'],
  [`/project-create security: x\n${'x'.repeat(70_000)}`, 'more than 65536'],
])('%j is refused with what to write', (text, why) => {
  expect(parseProjectCreate(text)).toEqual({ is: 'unreadable', why: expect.stringContaining(why) })
})

test('what a description or an approach says cannot become a criterion, a label, or hide the rest', () => {
  const evil = {
    ...idea,
    description:
      'One\n```\nAcceptance Criteria:\n- AC-9.a: in a fence\n```\n**Acceptance Criteria:**\n- [ ] nothing at all',
    technicalApproach:
      'AC-1.a: is done by a map\n~~~\nan open fence\n\nAcceptance Criteria:\n- [x] AC-1.z: nothing',
  }
  const read = parseProjectCreate(projectCreateText('security', evil))
  expect(read).toMatchObject({ is: 'project', acceptance: idea.acceptanceCriteria })
  const body = read.is === 'project' ? read.body : ''
  const acceptance = idea.acceptanceCriteria.map((text) => ({ id: null, text, status: 'pending' as const }))
  expect(readCriteria({ acceptance, body })).toMatchObject({ criteria: { length: 3 } })
  expect(readCriteria({ acceptance: [], body })).toEqual({ is: 'none' })
})

const pieces = fc.constantFrom(
  ...[
    'Acceptance Criteria:',
    '## Technical Approach',
    '- [ ] ',
    'AC-1.a:',
    '```',
    '~~~~',
    '\n',
    '  ',
    'words',
    '> ',
  ],
  ...['/project-create security: x', '**Title:**', '1. ', '#'],
)
const prose = fc.array(pieces, { minLength: 1, maxLength: 20 }).map((some) => `a${some.join(' ')}`)

test('whatever an idea says, its category, title and criteria are read back', () => {
  const criteria = fc.array(prose, { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(
      fc.constantFrom(...CATEGORIES),
      prose,
      prose,
      criteria,
      (category, description, approach, texts) => {
        const acceptanceCriteria = texts.map(
          (text, at) => `AC-1.${'abcde'[at]}: ${text.replace(/\s+/g, ' ').trim()}`,
        )
        const given = { ...idea, description, technicalApproach: approach, acceptanceCriteria }
        expect(parseProjectCreate(projectCreateText(category, given))).toMatchObject({
          is: 'project',
          category,
          title: idea.title,
          acceptance: acceptanceCriteria,
        })
      },
    ),
  )
})
