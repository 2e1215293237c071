// The scenario file of the scripted engine: what it does for which item, attempt by attempt.
import { readFileSync } from 'node:fs'
import { Plan, Reflection } from '@treadle/contracts/paor'
import { EngineOutcome, Usage } from '@treadle/contracts/run'
import { z } from 'zod'

const text = z.string().max(1_000_000)
const file = z.string().min(1).max(1_000)

const fields = {
  /** Without `all` the text must occur exactly once. */
  edit: z.strictObject({ file, find: text.min(1), replace: text, all: z.boolean().optional() }),
  write: z.strictObject({ file, text }),
  delete: z.strictObject({ file }),
  run: z.strictObject({
    command: z.string().min(1).max(10_000),
    expectExit: z.int().min(0).max(255).optional(),
  }),
  say: z.strictObject({ text: z.string().min(1).max(100_000) }),
  /** The next part of what the following `say` says as a whole. */
  piece: z.strictObject({ text: z.string().min(1).max(100_000) }),
  ask: z.strictObject({
    question: z.string().min(1).max(4_000),
    options: z.array(z.string().min(1).max(1_000)).max(20),
  }),
  use: Usage,
  wait: z.strictObject({ ms: z.int().min(0).max(86_400_000) }),
  crash: z.strictObject({}),
  hang: z.strictObject({}),
  lie: z.strictObject({ text: z.string().min(1).max(4_000) }),
  fail: z.strictObject({
    outcome: EngineOutcome,
    text: z.string().min(1).max(4_000),
    /** As of a limit of use that ends after so long. */
    wakeInMs: z.int().min(1).max(86_400_000).optional(),
  }),
  exit: z.strictObject({}),
  /** Waits until somebody has said something; it stands for {{guidance}} in the steps after it. */
  steered: z.strictObject({}),
  /** Begins a round of a goal. */
  plan: Plan.pick({ tasks: true, scope: true, why: true }),
  /** Ends a round of a goal. */
  reflect: Reflection.pick({ verdict: true, why: true, remaining: true, question: true }),
}
type Fields = typeof fields
type StepName = keyof Fields
export type Step = { [N in StepName]: { readonly is: N } & z.infer<Fields[N]> }[StepName]

/** Written as `{ "edit": { … } }`: one key says what, so that a fault is reported inside the right kind of step. */
const StepSchema = z
  .strictObject(fields)
  .partial()
  .check((context) => {
    const given = Object.keys(context.value)
    if (given.length === 1) return
    const message = `a step has exactly one of: ${Object.keys(fields).join(', ')}`
    context.issues.push({ code: 'custom', message, input: context.value })
  })
  .transform((given) => {
    const [name, body] = Object.entries(given)[0] ?? []
    return { is: name, ...(body as object) } as Step
  })

const Script = z.array(StepSchema).max(200)
type Script = z.infer<typeof Script>
const Attempts = z.array(Script).min(1).max(100)
const Match = z
  .strictObject({
    number: z.int().min(1).optional(),
    title: z.string().min(1).max(300).optional().describe('Exact, or with * for anything'),
    test: z.string().min(1).max(300).optional().describe('Name of a failing test, exact or with *'),
  })
  .refine((match) => Object.keys(match).length > 0, 'give a number, a title or a test to match')

const ThoughtMatch = z.strictObject({
  kind: z.string().min(1).max(60).describe('idea_reply, idea_signals, spec_write or review_judge'),
  subject: z.string().min(1).max(300).optional().describe('Name of the idea, or review-12; exact or with *'),
})

export const Scenario = z.strictObject({
  version: z.literal(1),
  items: z.array(z.strictObject({ match: Match, attempts: Attempts })).max(1_000),
  /** The n-th thought about an idea plays the n-th script, later ones the last. */
  thoughts: z
    .array(z.strictObject({ match: ThoughtMatch, replies: Attempts }))
    .max(1_000)
    .default([]),
  otherwise: z.strictObject({ attempts: Attempts }).optional(),
})
export type Scenario = z.infer<typeof Scenario>

export type ScenarioRead =
  | { readonly is: 'read'; readonly scenario: Scenario }
  | { readonly is: 'faulty'; readonly why: string }

export function readScenario(path: string): ScenarioRead {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    const what = cause instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    return { is: 'faulty', why: `${path} ${what}: ${(cause as Error).message}` }
  }
  const parsed = Scenario.safeParse(content)
  if (parsed.success) return { is: 'read', scenario: parsed.data }
  const shown = parsed.error.issues.slice(0, 5).map((issue) => `${place(issue.path)}: ${issue.message}`)
  const more = parsed.error.issues.length - shown.length
  return { is: 'faulty', why: `${path}: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}` }
}

/** items[0].attempts[1][2].edit.find */
function place(path: readonly PropertyKey[]): string {
  const joined = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return joined.replace(/^\./, '') || 'the file'
}

interface Wanted {
  readonly item: { readonly number: number; readonly title: string } | null
  readonly attempt: number
  readonly failures: readonly { readonly id: string }[]
  readonly thought?: { readonly kind: string; readonly subject: string }
}

/** The n-th attempt plays the n-th script, later ones the last; null if the scenario has nothing for the item. */
export function chooseScript(scenario: Scenario, wanted: Wanted): readonly Step[] | null {
  const { attempt, thought } = wanted
  const attempts = thought === undefined ? attemptsFor(scenario, wanted) : repliesFor(scenario, thought)
  return attempts?.[Math.min(Math.max(attempt, 1), attempts.length) - 1] ?? null
}

function attemptsFor({ items, otherwise }: Scenario, wanted: Wanted): Script[] | undefined {
  return (items.find(({ match }) => matches(match, wanted)) ?? otherwise)?.attempts
}

function repliesFor(
  { thoughts }: Scenario,
  { kind, subject }: NonNullable<Wanted['thought']>,
): Script[] | undefined {
  return thoughts.find(
    ({ match }) => match.kind === kind && (match.subject === undefined || fits(match.subject, subject)),
  )?.replies
}

function matches({ number, title, test }: z.infer<typeof Match>, { item, failures }: Wanted): boolean {
  if (item === null || (number !== undefined && number !== item.number)) return false
  if (title !== undefined && !fits(title, item.title)) return false
  return test === undefined || failures.some(({ id }) => fits(test, id))
}

/** Part by part without a regular expression, whose backtracking a pattern with many * could draw out. */
function fits(pattern: string, title: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return title === first
  if (!title.startsWith(first)) return false
  let from = first.length
  for (const part of rest) {
    const at = title.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return title.length - last.length >= from && title.endsWith(last)
}
