// Whether a command can show that a task is done: it can fail, it says something of the task's file, it changes nothing.
import type { WrittenTask } from '@treadle/contracts/written-specification'

interface CommandFacts {
  /** The suite of the workspace; null: nobody knows one. */
  readonly testCommand: string | null
}

/** These change what they should only look at, or reach out of the machine. */
const CHANGES =
  /(?:^|[\s;&|(])(?:rm|mv|dd|sudo|curl|wget|ssh|scp|nc|kill|chmod|chown|shutdown)(?=\s|$)|\bgit\s+(?:push|commit|reset|checkout|clean|stash|merge|rebase)\b|\bnpm\s+publish\b/
/** Whatever stands before it, the command ends well. */
const ALWAYS_WELL = /(?:\|\||;)\s*(?:true|:|exit\s+0|echo\b[^|&;]*)\s*$/
const SAYS_NOTHING = /^(?:true|:|exit(?:\s+0)?|echo\b.*|printf\b.*|ls|pwd)$/
/** Programs that run the tests of a file, of a folder or all of them. */
const RUNNERS =
  /\b(?:vitest|jest|mocha|ava|tap|playwright|cypress|pytest|unittest|node\s+(?:--[\w-]+(?:=\S+)?\s+)*--test|(?:bun|deno|go|cargo|mix|dotnet|swift|flutter|zig)\s+test|(?:npm|pnpm|yarn)\s+(?:run\s+)?(?:test|t)\b|make\s+(?:test|check)|mvn|gradlew?|rspec|phpunit|ctest|bats)\b/

/** Null: it holds. */
export function judgeCommand(
  { validation, file, phase }: Pick<WrittenTask, 'validation' | 'file' | 'phase'>,
  { testCommand }: CommandFacts,
): string | null {
  const command = validation.trim()
  if (/[\r\n]/.test(command)) return 'its validation must be one line'
  if (!isClosed(command)) return `a quotation mark or bracket of its validation is not closed: ${command}`
  if (SAYS_NOTHING.test(command) || ALWAYS_WELL.test(command))
    return `its validation ends well whatever was built: ${command}`
  const changing = CHANGES.exec(command)?.[0]?.trim()
  if (changing !== undefined) return `its validation must only look, and has ${changing}: ${command}`
  const runsTests = RUNNERS.test(command) || (testCommand !== null && command.includes(testCommand))
  if (phase === 'tests' && !runsTests) return `its validation must run the tests of ${file}: ${command}`
  if (!runsTests && !isAbout(command, file)) return `its validation says nothing of ${file}: ${command}`
  return null
}

function isAbout(command: string, file: string): boolean {
  const stem = file.replace(/^.*\//, '').replace(/\..*$/, '')
  return command.includes(file) || (stem.length > 2 && command.includes(stem)) || COMPILERS.test(command)
}

/** What reads the whole project reads the file, too. */
const COMPILERS =
  /\b(?:tsc|eslint|biome|cargo (?:check|build|clippy)|go (?:vet|build)|mypy|ruff|py_compile)\b/

/** What stands in quotation marks, or behind a backslash, opens and closes nothing. */
const QUOTED = /'[^']*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\\./g

function isClosed(command: string): boolean {
  let depth = 0
  for (const char of command.replace(QUOTED, '')) {
    if (/['"`]/.test(char)) return false
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}
