// tasks.md read back as people edit it: its YAML blocks, or the line at which it cannot be read, and why.
import { SpecTask } from '@treadle/contracts/specification'
import { isMap, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { presenceCommandFor } from './validation-command.ts'

/** What a hand-written block may leave out. */
const TaskBlock = z.strictObject({
  ...SpecTask.shape,
  dependsOn: SpecTask.shape.dependsOn.default([]),
  requirements: SpecTask.shape.requirements.default([]),
  acceptance: SpecTask.shape.acceptance.default([]),
  validation: SpecTask.shape.validation.optional(),
  owner: SpecTask.shape.owner.default('build-agent'),
  estimateHours: SpecTask.shape.estimateHours.default(1),
  gotchas: SpecTask.shape.gotchas.default([]),
  template: SpecTask.shape.template.default(null),
})

type TasksRead =
  | { readonly is: 'read'; readonly tasks: readonly SpecTask[]; readonly notes: readonly string[] }
  | { readonly is: 'broken'; readonly line: number; readonly why: string }

interface Block {
  readonly text: string
  /** Of its first line, counted from 1. */
  readonly line: number
}

const TASKS_MAX = 500

export function parseTasks(text: string): TasksRead {
  const found = blocksIn(text)
  if (found.is === 'broken') return found
  const tasks: SpecTask[] = []
  const lines = new Map<string, number>()
  for (const block of found.blocks) {
    const read = readBlock(block)
    if (read.is === 'broken') return read
    const before = lines.get(read.task.id)
    if (before !== undefined)
      return {
        is: 'broken',
        line: block.line,
        why: `there is a task ${read.task.id} already, at line ${before}`,
      }
    lines.set(read.task.id, block.line)
    tasks.push(read.task)
  }
  if (tasks.length > TASKS_MAX)
    return { is: 'broken', line: 1, why: `there are ${tasks.length} tasks; at most ${TASKS_MAX} are read` }
  return { is: 'read', tasks, notes: found.notes }
}

type Broken = Extract<TasksRead, { is: 'broken' }>

/** Lines that Treadle writes itself; all others outside of blocks are notes of people. */
const OWN_LINE =
  /^(?:# Tasks\b.*|## (?:database|types|queries|api|ui|tests|Notes)|### [A-Za-z][\w.-]* .*|> Treadle .*|)$/

function blocksIn(text: string): Broken | { is: 'blocks'; blocks: Block[]; notes: string[] } {
  const blocks: Block[] = []
  const notes: string[] = []
  let open: { line: number; lines: string[]; isYaml: boolean } | null = null
  for (const [nth, line] of text.replaceAll('\r\n', '\n').split('\n').entries()) {
    const fence = /^```\s*(\w*)$/.exec(line.trimEnd())
    if (open !== null && fence !== null && fence[1] === '') {
      if (open.isYaml) blocks.push({ text: open.lines.join('\n'), line: open.line })
      else notes.push('```', ...open.lines, '```')
      open = null
    } else if (open !== null) open.lines.push(line)
    else if (fence !== null) open = { line: nth + 2, lines: [], isYaml: /^ya?ml$/i.test(fence[1] ?? '') }
    else if (!OWN_LINE.test(line.trim())) notes.push(line)
  }
  if (open !== null)
    return { is: 'broken', line: open.line - 1, why: 'this block is never closed: a line ``` is missing' }
  return { is: 'blocks', blocks, notes }
}

function readBlock({ text, line }: Block): Broken | { is: 'task'; task: SpecTask } {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, strict: true, uniqueKeys: true })
  const [error] = document.errors
  if (error !== undefined) {
    const { line: within } = lineCounter.linePos(error.pos[0])
    return {
      is: 'broken',
      line: line + within - 1,
      why: error.message.split(/ at line |\n/)[0] ?? error.code,
    }
  }
  const { contents } = document
  if (!isMap(contents))
    return { is: 'broken', line, why: 'this block is no task: it must have lines such as "id: T1"' }
  const given = document.toJS({ maxAliasCount: 20 }) as unknown
  const read = TaskBlock.safeParse(given)
  if (read.success) {
    const { validation = presenceCommandFor(read.data.file) } = read.data
    return { is: 'task', task: { ...read.data, validation } }
  }
  const [issue] = read.error.issues
  const path = (issue?.path ?? []).filter((part) => typeof part !== 'symbol')
  const key = issue?.code === 'unrecognized_keys' ? (issue.keys[0] ?? '') : path[0]
  const pair = contents.items.find((each) => String(each.key) === String(key))
  const range = (pair?.key as { range?: [number, number, number] } | undefined)?.range
  const within = range === undefined ? 1 : lineCounter.linePos(range[0]).line
  const place = path.length === 0 ? '' : `${path.join('.')}: `
  return { is: 'broken', line: line + within - 1, why: `${place}${issue?.message ?? 'this is no task'}` }
}
