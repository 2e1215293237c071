// One kind of finding that a program puts right. It plans from what it reads; whoever asks applies the plan.
import type { Project } from '@treadle/survey/project'

/** New contents by path; null: the file goes. */
export type Edits = ReadonlyMap<string, string | null>

export type Planned =
  | { readonly is: 'edits'; readonly edits: Edits; readonly what: string }
  /** It needs somebody who understands the code. */
  | { readonly is: 'cannot'; readonly why: string }

export interface Mend {
  /** The survey whose findings it puts right. */
  readonly survey: string
  readonly plan: (project: Project, key: string) => Promise<Planned>
}

export function cannot(why: string): Planned {
  return { is: 'cannot', why }
}
