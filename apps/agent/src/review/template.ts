// The prompt of the reviewer as the owner has written it: in the workspace, then in the owner's home.
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

const FILE = join('.claude', 'commands', 'review-agent-prompt.md')
const CHARS_MAX = 100_000

export interface Template {
  readonly path: string
  readonly text: string
}

/** Null: there is none, and the built-in one is used. */
export async function findTemplate(root: string, given: string | null): Promise<Template | null> {
  const places = given === null ? [join(root, FILE), join(homedir(), FILE)] : [resolve(root, given)]
  for (const path of places) {
    const text = await textOf(path)
    if (text !== null && text.trim() !== '') return { path, text: text.slice(0, CHARS_MAX) }
  }
  return null
}

export function missingTemplate(given: string | null): string {
  const where = given ?? join('~', FILE)
  return `warning: there is no prompt template at ${where}; the built-in one is used`
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    // Missing or unreadable, there is another to fall back on.
    return null
  }
}
