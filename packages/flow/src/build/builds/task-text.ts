// What whoever builds a task is told: the whole of it, as the body of its item, so that people read the same.
import { promptText } from '@treadle/context/prompt-text'
import type { Requirement, SpecTask } from '@treadle/contracts/specification'

export interface TaskTextFacts {
  readonly task: SpecTask
  readonly requirements: readonly Requirement[]
  readonly conventions: readonly { readonly heading: string; readonly text: string }[]
  /** README.md of the idea; null: it has none. */
  readonly readme: string | null
  /** What the crew has learned about such files, beside what the specification says. */
  readonly learned: readonly string[]
}

const README_CHARS = 500
/** What each part may have, so that all of them, and what is to be done with them, come through whole. */
const REQUIREMENTS_MAX = 20_000
const GOTCHAS_MAX = 8_000
const CONVENTIONS_MAX = 12_000
const TEMPLATE_MAX = 20_000
const EXIT_EXPECTED = 'it ends with exit code 0'

export function expectedOf({ expected }: Pick<SpecTask, 'expected'>): string {
  return expected === undefined ? EXIT_EXPECTED : `${EXIT_EXPECTED}, and prints: ${expected}`
}

export function taskText({ task, requirements, conventions, readme, learned }: TaskTextFacts): string {
  const served = requirements.filter(({ id }) => task.requirements.includes(id))
  return promptText('build-task', {
    id: task.id,
    action: task.action,
    file: task.file,
    requirements: shortened(
      bullets([...served.map(({ id, text }) => `${id}: ${text}`), ...task.acceptance]),
      REQUIREMENTS_MAX,
      'the specification has the rest',
    ),
    gotchas: shortened(
      bullets([...new Set([...task.gotchas.map(({ text }) => text), ...learned])]),
      GOTCHAS_MAX,
      'treadle lessons has the rest',
    ),
    conventions:
      conventions.length === 0
        ? 'CLAUDE.md says nothing of databases, APIs or builds.'
        : shortened(
            conventions.map(({ heading, text }) => `### ${heading}\n\n${text}`).join('\n\n'),
            CONVENTIONS_MAX,
            'CLAUDE.md has the rest',
          ),
    template: task.template === null ? 'There is none.' : fenced(task.template),
    readme: readme === null || readme.trim() === '' ? 'It has no README.' : readme.slice(0, README_CHARS),
    // As one block, whatever it has of lines.
    validation: task.validation.split('\n').join('\n    '),
    expected: expectedOf(task),
  })
}

function shortened(text: string, max: number, rest: string): string {
  return text.length > max ? `${text.slice(0, max)}…\n\n(Too long to be told whole: ${rest}.)` : text
}

function bullets(texts: readonly string[]): string {
  return texts.length === 0
    ? '- None is known.'
    : texts.map((text) => `- ${text.replace(/\s*[\n\r\u2028\u2029]\s*/g, ' ')}`).join('\n')
}

/** A fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([marks]) => marks.length))
  const fence = '`'.repeat(longest + 1)
  const left = TEMPLATE_MAX - 2 * fence.length
  return left < 0 ? 'It is in the specification.' : `${fence}\n${text.slice(0, left)}\n${fence}`
}
