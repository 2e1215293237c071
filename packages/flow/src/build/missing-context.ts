// Whether a task can be begun with what is there. Pure.
import type { Item } from '@treadle/contracts/item'
import type { Guidance, Question } from '@treadle/contracts/paor'

/** Under this name it is asked, and by it an earlier answer is found. */
const NAME = 'missing-context'
const REDESIGN = "Let's redesign this part"
const OPTIONS = ["Here's the answer...", 'Check this file...', 'Skip this task for now', REDESIGN]

/** The files that a task is to change and that are not there; none where it makes them, or nobody has said. */
export function filesToChange({ specTask, files }: Pick<Item, 'specTask' | 'files'>): readonly string[] {
  const action = specTask?.action
  return action === 'UPDATE' || action === 'DELETE' ? files.filter((file) => !/[*?{}[\]]/.test(file)) : []
}

export function missingQuestion({ number, title, specTask }: Item, missing: readonly string[]): Question {
  const verb = specTask?.action === 'DELETE' ? 'delete' : 'change'
  const info = `it is to ${verb} ${missing.join(', ')}, and there is no such file.`
  return {
    id: NAME,
    kind: 'choice',
    title: `What is meant: ${info}`.slice(0, 2_000),
    options: OPTIONS,
    catalogue: { event: 'missing_context', facts: { task_id: `#${number} ${title}`, missing_info: info } },
  }
}

/** Somebody has said what was missing, in this run or in one before it. */
export function isAnswered(said: readonly Pick<Guidance, 'answers'>[]): boolean {
  return said.some(({ answers }) => answers?.startsWith(`${NAME}-`) === true)
}

/** Whether a person takes the task out of the crew's hands. */
export function isRedesign({ text }: Pick<Guidance, 'text'>): boolean {
  return text.startsWith(REDESIGN)
}
