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

interface Fence {
  readonly indent: string
  readonly marks: string
  /** The words behind the marks; the first of them is the language. */
  readonly words: string
}

const FENCE = /^([ \t]*)(`{3,}|~{3,})(.*)$/
const LINE_END = /\r\n|\r|\n/

/** A line that begins or ends code, however people or their editors write it; null: it is none. */
function fenceOf(line: string): Fence | null {
  const [, indent = '', marks = '', rest = ''] = FENCE.exec(line) ?? []
  const words = rest.trim()
  // Marks behind the first ones make it code within a line.
  return marks === '' || (marks.startsWith('`') && words.includes('`')) ? null : { indent, marks, words }
}

/** Marks that stand further in than those that began are part of the code. */
function ends(fence: Fence | null, { indent, marks }: Fence): boolean {
  return (
    fence !== null &&
    fence.words === '' &&
    fence.marks.startsWith(marks) &&
    fence.indent.length <= indent.length
  )
}

interface Opened {
  readonly fence: Fence
  /** Of the line behind the fence, counted from 1. */
  readonly line: number
  /** With its fences. */
  readonly lines: string[]
}

function blocksIn(text: string): Broken | { is: 'blocks'; blocks: Block[]; notes: string[] } {
  const blocks: Block[] = []
  const notes: string[] = []
  let open: Opened | null = null
  for (const [nth, line] of text.split(LINE_END).entries()) {
    const fence = fenceOf(line)
    if (open !== null) {
      open.lines.push(line)
      if (!ends(fence, open.fence)) continue
      if (isYaml(open)) blocks.push(blockOf(open))
      else notes.push(...open.lines)
      open = null
    } else if (fence !== null) open = { fence, line: nth + 2, lines: [line] }
    else if (!OWN_LINE.test(line.trim())) notes.push(line)
  }
  if (open === null) return { is: 'blocks', blocks, notes }
  const why = `this block is never closed: a line ${open.fence.marks} is missing`
  return { is: 'broken', line: open.line - 1, why }
}

function isYaml({ fence }: Opened): boolean {
  return /^ya?ml\b/i.test(fence.words)
}

/** Without its fences, and as if they stood at the beginning of their lines. */
function blockOf({ fence: { indent }, line, lines }: Opened): Block {
  const own = lines.slice(1, -1)
  return { text: outdented(own, indent).join('\n'), line }
}

function outdented(lines: readonly string[], indent: string): readonly string[] {
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
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
