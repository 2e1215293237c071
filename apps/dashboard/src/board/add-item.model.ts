// What a person typed into the form of a new item, as the daemon takes it.
import { NewItem } from '@treadle/contracts/item'
import { NewRun } from '@treadle/contracts/routes/runs'

export interface Typed {
  readonly title: string
  readonly body: string
  readonly acceptance: string
  readonly priority: string
  readonly labels: string
  readonly testCommand: string
  /** Empty: whoever the settings name. */
  readonly engine: string
  readonly project: string
  readonly mayChangeTests: boolean
  readonly backlog: boolean
}

export type Read =
  | { readonly is: 'item'; readonly item: NewItem }
  | { readonly is: 'wrong'; readonly why: string }

export function readNewItem(typed: Typed): Read {
  const { title, body, acceptance, testCommand, engine, mayChangeTests, backlog } = typed
  if (title.trim() === '') return { is: 'wrong', why: 'Say in one line what is to be done.' }
  const numbers = readNumbers(typed)
  if (numbers.is === 'wrong') return numbers
  const read = NewItem.safeParse({
    title,
    body,
    acceptance: acceptance.split('\n').filter((line) => line.trim() !== ''),
    priority: numbers.priority,
    projectNumber: numbers.project,
    labels: labelsIn(typed.labels),
    testCommand: orNull(testCommand),
    engine: orNull(engine),
    mayChangeTests,
    status: backlog ? 'backlog' : 'todo',
  })
  return read.success ? { is: 'item', item: read.data } : wrongIn(read.error.issues, 'The item')
}

export interface TypedGoal {
  readonly goal: string
  readonly verify: string
  readonly engine: string
  readonly priority: string
  readonly project: string
  readonly mayChangeTests: boolean
}

export type ReadGoal =
  | { readonly is: 'goal'; readonly goal: NewRun }
  | { readonly is: 'wrong'; readonly why: string }

export function readGoal(typed: TypedGoal): ReadGoal {
  const { goal, verify, engine, mayChangeTests } = typed
  if (goal.trim() === '') return { is: 'wrong', why: 'Say what is to be reached.' }
  const numbers = readNumbers(typed)
  if (numbers.is === 'wrong') return numbers
  const read = NewRun.safeParse({
    goal,
    verify: orNull(verify),
    engine: orNull(engine),
    mayChangeTests,
    priority: numbers.priority,
    projectNumber: numbers.project,
  })
  return read.success ? { is: 'goal', goal: read.data } : wrongIn(read.error.issues, 'The goal')
}

type Numbers =
  | { readonly is: 'numbers'; readonly priority: number | null; readonly project: number }
  | { readonly is: 'wrong'; readonly why: string }

function readNumbers({ priority, project }: { priority: string; project: string }): Numbers {
  const wanted = priority.trim()
  if (!/^\d{0,4}$/.test(wanted) || Number(wanted) > 1_000)
    return { is: 'wrong', why: 'The priority is a whole number from 0 to 1000, or nothing.' }
  if (!/^([1-9]\d{0,8})?$/.test(project.trim()))
    return { is: 'wrong', why: 'The project is a whole number from 1 on.' }
  return {
    is: 'numbers',
    priority: wanted === '' ? null : Number(wanted),
    project: project.trim() === '' ? 1 : Number(project),
  }
}

function labelsIn(text: string): string[] {
  return text
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '')
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text
}

function wrongIn(
  [issue]: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
  what: string,
): { readonly is: 'wrong'; readonly why: string } {
  return { is: 'wrong', why: `${issue?.path.join('.') ?? what}: ${issue?.message ?? 'is not right'}` }
}
