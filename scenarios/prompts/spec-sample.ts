// The specification of one small idea, as a model is asked for it.
import { designSpec, outlineOf } from '@treadle/flow/spec/design-spec'
import { NO_OWNERS } from '@treadle/flow/spec/owners'
import { askedAgain, writeSpecPrompt } from '@treadle/flow/spec/writing-prompt'

const BRIEF = `# Brief: A shopping list

## Features

- **Shared lists**: a family keeps lists together

## Done when

- A change is seen by the others within 5 seconds
`

const facts = {
  slug: 'shopping-list',
  context: {
    required: { readme: '# A shopping list', brief: BRIEF },
    optional: {
      targetUsers: 'Families who shop together',
      problemSolution: null,
      development: null,
      marketResearch: null,
      competitiveResearch: null,
      technicalResearch: null,
      mvpScope: null,
    },
    conventions: [{ heading: 'API Conventions', text: 'Errors are problem+json.' }],
    gotchas: [
      { id: 'l-1', content: 'Routes need a limit', glob: 'server/routes/*', action: null, confidence: 0.8 },
    ],
    patterns: [],
    existingFiles: ['package.json', 'server/routes/users.ts', 'types/user.ts'],
    manifest: '{}',
    owners: NO_OWNERS,
    templates: { spec: '', tasks: '', why: [] },
  },
  complexity: 'mvp',
  requests: ['Leave out what needs a login'],
  testCommand: 'npm test',
  layout: {},
} as const

/** What a model is told, and what it is told when its answer did not hold. */
export function specPrompts(): { readonly first: string; readonly again: string } {
  const outline = outlineOf(facts)
  const numbers = new Map(outline.features.map(({ slug }, nth) => [slug, nth + 1]))
  const { tasks } = designSpec(facts, outline, { numbers, before: [] })
  const { system, prompt } = writeSpecPrompt({
    facts,
    outline,
    draft: tasks.slice(0, 2),
    isRevision: false,
    samples: [{ path: 'server/routes/users.ts', text: 'export const users = router()\n' }],
    budgetTokens: 60_000,
  })
  const problems = ['T3 waits for T99, which is no task of this specification']
  const whole = askedAgain(prompt, '{ "tasks": [] }', problems)
  return { first: `${system}\n\n${prompt}`, again: whole.slice(prompt.length + 1) }
}
