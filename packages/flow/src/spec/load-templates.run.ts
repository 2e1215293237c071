// The templates of spec.md and tasks.md: the owner's copy where there is one, else those that Treadle comes with.
import { readFileSync } from 'node:fs'
import type { Documents } from '../ports/documents.ts'
import { namesIn } from './fill-template.ts'

type TemplateName = 'spec' | 'tasks'

export interface LoadedTemplate {
  readonly text: string
  /** The owner's copy, relative to the checkout, whether it is there or not. */
  readonly path: string
  /** The text of the owner's copy; null: there is none that can be used. */
  readonly own: string | null
  /** Why the owner's copy is not used. */
  readonly why: string | null
}

const TEMPLATE_CHARS_MAX = 100_000
const files = new Map<TemplateName, string>()

function templatePath(dir: string, name: TemplateName): string {
  return `${dir.replace(/\/+$/, '')}/templates/${name}.md`
}

export async function loadTemplate(
  documents: Pick<Documents, 'read'>,
  dir: string,
  name: TemplateName,
): Promise<LoadedTemplate> {
  const path = templatePath(dir, name)
  const { text, why } = await documents.read(path)
  const bad = why ?? (text === null ? null : whyUnusable(text, name))
  if (text !== null && bad === null) return { text, path, own: text, why: null }
  const told = bad === null ? null : `${path} is not used, the template that Treadle comes with is: ${bad}`
  return { text: ownTemplate(name), path, own: null, why: told }
}

/** Null: it can be used. */
function whyUnusable(text: string, name: TemplateName): string | null {
  if (text.length > TEMPLATE_CHARS_MAX) return `it is longer than ${TEMPLATE_CHARS_MAX} characters`
  if (text.trim() === '') return 'it is empty'
  const isWhole = name === 'spec' || namesIn(text).includes('tasks')
  return isWhole ? null : 'it has no {{tasks}}'
}

/** As Treadle comes with it, read once. */
export function ownTemplate(name: TemplateName): string {
  const known = files.get(name)
  if (known !== undefined) return known
  const text = readFileSync(new URL(`./${name}-template.md`, import.meta.url), 'utf8')
  files.set(name, text)
  return text
}
