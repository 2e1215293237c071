// The forms of a new item and of a goal, read as the daemon takes them.
import { NewItem } from '@treadle/contracts/item'
import { NewRun } from '@treadle/contracts/routes/runs'
import { type FormRead, parseForm, textOrNull } from '../parts/form.model.ts'

export interface TypedItem {
  readonly title: string
  readonly body: string
  readonly acceptance: string
  readonly priority: string
  readonly labels: string
  readonly testCommand: string
  readonly measure: string
  /** Which way the measure's number should go; an empty one stands for its exit code. */
  readonly better: string
  /** The engine's name; an empty one stands for the engine that the settings name. */
  readonly engine: string
  readonly project: string
  readonly mayChangeTests: boolean
  readonly backlog: boolean
}

export function readNewItem(typed: TypedItem): FormRead<NewItem> {
  const { title, body, acceptance, testCommand, engine, mayChangeTests, backlog } = typed
  if (title.trim() === '') return { is: 'wrong', why: 'Give it a title.' }
  const numbers = readNumbers(typed)
  if (numbers.is === 'wrong') return numbers
  const measure = textOrNull(typed.measure)
  const better = textOrNull(typed.better)
  if (measure === null && better !== null)
    return { is: 'wrong', why: 'Which way is better is said of a measure: name its command.' }
  const values = {
    title,
    body,
    acceptance: acceptance.split('\n').filter((line) => line.trim() !== ''),
    ...numbers.value,
    labels: labelsIn(typed.labels),
    testCommand: textOrNull(testCommand),
    measure: measure === null ? null : { command: measure, better },
    engine: textOrNull(engine),
    mayChangeTests,
    status: backlog ? 'backlog' : 'todo',
  }
  return parseForm(NewItem, values, 'The item')
}

export interface TypedGoal {
  readonly goal: string
  readonly verify: string
  readonly engine: string
  readonly priority: string
  readonly project: string
  readonly mayChangeTests: boolean
}

export function readGoal(typed: TypedGoal): FormRead<NewRun> {
  const { goal, verify, engine, mayChangeTests } = typed
  if (goal.trim() === '') return { is: 'wrong', why: 'Say what the goal is.' }
  const numbers = readNumbers(typed)
  if (numbers.is === 'wrong') return numbers
  const values = {
    goal,
    verify: textOrNull(verify),
    engine: textOrNull(engine),
    mayChangeTests,
    ...numbers.value,
  }
  return parseForm(NewRun, values, 'The goal')
}

type QueueNumbers = Pick<NewItem, 'priority' | 'projectNumber'>

function readNumbers({ priority, project }: { priority: string; project: string }): FormRead<QueueNumbers> {
  const wanted = priority.trim()
  if (!/^\d{0,4}$/.test(wanted) || Number(wanted) > 1_000)
    return { is: 'wrong', why: 'The priority is a whole number from 0 to 1000, or nothing.' }
  if (!/^([1-9]\d{0,8})?$/.test(project.trim()))
    return { is: 'wrong', why: 'The project is a whole number from 1 on.' }
  const value = {
    priority: wanted === '' ? null : Number(wanted),
    projectNumber: project.trim() === '' ? 1 : Number(project),
  }
  return { is: 'ready', value }
}

function labelsIn(text: string): string[] {
  return text
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '')
}
