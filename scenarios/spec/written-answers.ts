// What a model writes of the specification of the shopping list in idea-files.ts, and how an agent played by hand tells it.
import type { Thought } from '@treadle/contracts/thought'
import { expect } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'

type Task = Record<string, unknown> & { readonly id: string }

function feature(name: string, slug: string, [first, requirement]: readonly [number, string]): Task[] {
  const id = (nth: number) => `T${first + nth}`
  const task = (nth: number, phase: string, file: string, more: object): Task => ({
    id: id(nth),
    phase,
    title: `${name}: ${phase}`,
    file,
    action: 'CREATE',
    dependsOn: nth === 0 ? [] : [id(nth - 1)],
    requirements: [requirement],
    validation: `test -s ${file}`,
    estimateHours: 1,
    ...more,
  })
  return [
    task(0, 'database', `database/migrations/{number}_${slug}.sql`, {}),
    task(1, 'types', `types/${slug}.ts`, { template: `export interface Entry {\n  id: string\n}\n` }),
    task(2, 'api', `server/routes/${slug}.ts`, { acceptance: ['Bad input is refused'] }),
    task(3, 'ui', `src/components/${slug}.tsx`, {}),
    task(4, 'tests', `tests/${slug}.test.ts`, { validation: `node --test tests/${slug}.test.ts` }),
  ]
}

const list = feature('Shared lists', 'shared-lists', [1, 'FR-1'])
const reminders = feature('Reminders', 'reminders', [6, 'FR-2'])
const theme: Task[] = [
  {
    id: 'T11',
    phase: 'ui',
    title: 'Dark theme: colours',
    file: 'src/styles/dark-theme.css',
    action: 'CREATE',
    requirements: ['FR-3'],
    validation: 'grep -q prefers-color-scheme src/styles/dark-theme.css',
  },
  {
    id: 'T12',
    phase: 'tests',
    title: 'Test Dark theme',
    file: 'tests/dark-theme.test.ts',
    action: 'CREATE',
    dependsOn: ['T11'],
    requirements: ['FR-3', 'NFR-1'],
    criteria: ['AC-3'],
    validation: 'node --test tests/dark-theme.test.ts',
  },
]

/** Twelve tasks that hold, with every part of the brief in them. */
export const GOOD = {
  architecture: '# Parts\n\nThe phone keeps its own copy, and tells the server when there is a network.',
  requirements: [
    { id: 'FR-1', text: 'A family keeps lists together', feature: 'Shared lists' },
    { id: 'FR-2', text: 'People are reminded near a shop', feature: 'reminders' },
    { id: 'FR-3', text: 'Colours for the evening', feature: 'Dark theme' },
    { id: 'NFR-1', text: 'Works offline for a week', feature: null },
  ],
  dataModels: [{ name: 'SharedList', fields: [{ name: 'id', type: 'identifier' }] }],
  tasks: [...list, ...reminders, ...theme].map((task) =>
    task.id === 'T5' || task.id === 'T10'
      ? { ...task, criteria: [task.id === 'T5' ? 'AC-1' : 'AC-2'] }
      : task,
  ),
  open: ['Who may see a list?'],
}

type Answer = typeof GOOD

/** The same with some tasks otherwise. */
export function withTasks(changes: Readonly<Record<string, object>>): Answer {
  return { ...GOOD, tasks: GOOD.tasks.map((task) => ({ ...task, ...changes[task.id] })) }
}

export function fenced(given: object): string {
  return `I have looked around.\n\n\`\`\`json\n${JSON.stringify(given, null, 1)}\n\`\`\`\n`
}

export async function waitingThought({ client }: Daemon, subject: string): Promise<Thought> {
  const { items } = await client.listThoughts({ query: { subject, kind: 'spec_write', status: 'pending' } })
  expect(items).toHaveLength(1)
  return items[0] as Thought
}

/** Takes what waits and answers it: with words, or with what fits the schema. */
export async function answer(daemon: Daemon, subject: string, said: string | object): Promise<Thought> {
  const { id } = await waitingThought(daemon, subject)
  const held = await daemon.client.claimThought({ params: { id }, body: { agentId: 'agent-1' } })
  const isText = typeof said === 'string'
  const structured = isText ? null : JSON.parse(JSON.stringify(said))
  await daemon.client.answerThought({
    params: { id },
    body: {
      agentId: 'agent-1',
      fence: held.fence,
      end: { is: 'answered', text: isText ? said : '', structured, model: 'm-1' },
    },
  })
  return held
}
