// The 21 prompts that ask for an improvement in one category each, as they ship: prompts/categories/<name>.md.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

/** The text of a category's prompt with its placeholders; whoever asks for a category that there is not has a bug. */
export function builtInTemplate(category: string): string {
  assert(/^[a-z]+(?:-[a-z]+)*$/.test(category), `no category: ${category}`)
  return readFileSync(new URL(`./prompts/categories/${category}.md`, import.meta.url), 'utf8')
}
