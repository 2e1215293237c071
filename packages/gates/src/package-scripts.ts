// Package scripts that a command line calls, and the steps of a script that is one after the other by `&&`.
import { type Manifest, readManifest } from './project-files.ts'

export interface CalledScript {
  readonly tool: 'npm' | 'pnpm' | 'yarn' | 'bun'
  readonly name: string
  readonly body: string
  /** What is handed on to the script, as it was written. */
  readonly given: string
  /** Scripts of the same name with pre or post run around it. */
  readonly hasHooks: boolean
}

const CALL =
  /^(npm|pnpm|yarn|bun)\s+(?:(?:--silent|-s|--quiet)\s+)?(?:(?:run|run-script)\s+)?(?:(?:--silent|-s|--if-present|--quiet)\s+)?([\w:.-]+)((?:\s+\S.*)?)$/

/** Null: it is no plain call of a script of this package. */
export function scriptCalled(command: string, cwd: string): CalledScript | null {
  const [, tool, word, rest = ''] = CALL.exec(command.trim()) ?? []
  if (tool === undefined || word === undefined) return null
  const name = word === 't' || word === 'tst' ? 'test' : word
  const scripts = scriptsOf(readManifest(cwd))
  const body = scripts[name]
  const given = givenTo(tool, rest.trim())
  if (body === undefined || given === null) return null
  const hasHooks = `pre${name}` in scripts || `post${name}` in scripts
  return { tool: tool as CalledScript['tool'], name, body, given, hasHooks }
}

/** Null: options of the package manager itself. npm hands on what stands after two dashes, the others everything. */
function givenTo(tool: string, rest: string): string | null {
  if (rest === '') return ''
  if (rest.startsWith('-- ')) return rest.slice(3).trim()
  return tool === 'npm' ? null : rest
}

export function scriptsOf(manifest: Manifest | null): Readonly<Record<string, string>> {
  return manifest?.scripts ?? {}
}

// What a shell would treat specially, besides `&&`: then the order of the steps is not plain.
const SPECIAL = /[|;<>()$`\\\n#]|(?<!&)&(?!&)/

/** The steps of a command that are run one after the other while each succeeds; null: it is something else. */
export function stepsIn(command: string): string[] | null {
  // What is in quotes is no operator; it keeps its place.
  const masked = command.replace(/'[^']*'|"[^"$`\\]*"/g, (text) => '_'.repeat(text.length))
  if (SPECIAL.test(masked)) return null
  const ends = [...masked.matchAll(/&&/g)].map(({ index }) => index)
  const steps = [-2, ...ends].map((from, at) => command.slice(from + 2, ends[at]).trim())
  return steps.every((step) => step !== '') ? steps : null
}
