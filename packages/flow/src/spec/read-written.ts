// A specification as a model has written it, out of its answer; or why it cannot be read, a sentence each.
import { plain } from '@treadle/contracts/question'
import type { ThoughtAnswer } from '@treadle/contracts/thought'
import { WrittenSpecification } from '@treadle/contracts/written-specification'

export type WrittenRead =
  | { readonly is: 'read'; readonly written: WrittenSpecification }
  | { readonly is: 'unreadable'; readonly why: readonly string[] }

const ISSUES_MAX = 20
const FENCE = /```(?:json)?[ \t]*\r?\n([\s\S]*?)(?:\r?\n```|$)/gi
const NO_OBJECT =
  'The answer has no JSON object of the form that was asked for: one with requirements and tasks'

/** What fits the schema where the engine held to one, else the JSON in its words. */
export function readWritten({ structured, text }: Pick<ThoughtAnswer, 'structured' | 'text'>): WrittenRead {
  const given = withPlainWords(structured ?? objectIn(text))
  if (typeof given !== 'object' || given === null || !('tasks' in given))
    return { is: 'unreadable', why: [NO_OBJECT] }
  const read = WrittenSpecification.safeParse(given)
  if (read.success) return { is: 'read', written: withPlainPaths(read.data) }
  const why = read.error.issues.slice(0, ISSUES_MAX).map(({ path, message }) => {
    const place = path.map(String).join('.')
    return `${nameOf(given, path)}${place === '' ? 'the answer' : place}: ${message}`
  })
  return { is: 'unreadable', why }
}

/** What a terminal would obey is in no document. */
function withPlainWords(given: unknown): unknown {
  return JSON.parse(JSON.stringify(given ?? null), (_, value: unknown) =>
    typeof value === 'string' ? plain(value) : value,
  )
}

/** The id of the task that an issue is about, so that whoever mends it finds it. */
function nameOf(given: object, path: readonly PropertyKey[]): string {
  const [part, nth] = path
  if (part !== 'tasks' || typeof nth !== 'number') return ''
  const { tasks } = given as { readonly tasks: unknown }
  const task: unknown = Array.isArray(tasks) ? tasks[nth] : null
  const id = typeof task === 'object' && task !== null && 'id' in task ? task.id : null
  return typeof id === 'string' ? `${id.slice(0, 40)}, ` : ''
}

/** All of it, the last fenced block that is an object, or what is between the first and the last brace. */
function objectIn(text: string): unknown {
  const fenced = [...text.matchAll(FENCE)].map(([, inner = '']) => inner).toReversed()
  const braces = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  for (const part of [text, ...fenced, braces]) {
    const object = parsed(part)
    if (typeof object === 'object' && object !== null && 'tasks' in object) return object
  }
  return null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Words around it, or a block that is no JSON.
    return null
  }
}

function withPlainPaths(written: WrittenSpecification): WrittenSpecification {
  const tasks = written.tasks.map((task) => ({ ...task, file: task.file.replace(/^(?:\.\/+)+/, '') }))
  return { ...written, tasks }
}
