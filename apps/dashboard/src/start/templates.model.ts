// Templates of a first item.

export interface Template {
  readonly name: string
  readonly title: string
  readonly body: string
}

export const TEMPLATES: readonly Template[] = [
  {
    name: 'Fix a failing test',
    title: 'Fix the failing test in …',
    body: 'The test fails because …\nThe fix belongs into the code, not into the test.',
  },
  {
    name: 'Small feature',
    title: 'Add …',
    body: 'What it does: …\nWhere it belongs: …\nAdd a test that fails without it.',
  },
  {
    name: 'Refactor',
    title: 'Simplify …',
    body: 'What is hard to read today: …\nBehaviour stays the same; all tests stay green.',
  },
]
