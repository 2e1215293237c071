// Blanks out the types of a TypeScript text without moving anything.
import { stripTypeScriptTypes } from 'node:module'

export type Stripped =
  | { readonly is: 'stripped'; readonly text: string }
  | { readonly is: 'obstacle'; readonly why: string }

export function stripTypes(path: string, text: string): Stripped {
  if (!/\.[cm]?ts$/.test(path)) return { is: 'stripped', text }
  const { emitWarning } = process
  // The function is marked experimental in Node 24; one warning per run of ours would tell the user nothing.
  process.emitWarning = () => undefined
  try {
    const stripped = stripTypeScriptTypes(text, { mode: 'strip' })
    if (stripped.length === text.length) return { is: 'stripped', text: stripped }
    return { is: 'obstacle', why: 'types that cannot be blanked in place' }
  } catch (cause) {
    return { is: 'obstacle', why: cause instanceof Error ? cause.message : String(cause) }
  } finally {
    process.emitWarning = emitWarning
  }
}
