// Errors for people on stderr and for programs on stdout, and the exit code that goes with each.
import { ApiError } from '@treadle/contracts/client'
import { CommanderError } from 'commander'
import { diskWords } from './disk-words.ts'
import { paint, printJson, tell } from './output.ts'
import { flowed, terminalColumns } from './terminal/columns.ts'
import { UserError } from './user-error.ts'

const EXIT_USAGE = 2

/** Every error comes with what the user can do about it, with --json as well. */
export function explain(error: unknown, asJson: boolean): number {
  const told = wordsFor(error)
  if (told.exitCode === 0) return 0
  if (asJson) printJson({ error: { message: told.message, hint: told.hint } })
  // Commander has printed its own errors already.
  if (error instanceof CommanderError) return told.exitCode
  const columns = terminalColumns(process.stderr)
  tell(flowed(paint('red', told.message) + (told.hint === null ? '' : `\n${told.hint}`), { columns }))
  return told.exitCode
}

interface Told {
  readonly message: string
  readonly hint: string | null
  readonly exitCode: number
}

/** A stack goes only with our own mistakes. */
function wordsFor(error: unknown): Told {
  if (error instanceof CommanderError)
    return {
      message: error.message,
      hint: 'help' in error ? String(error.help) : 'treadle --help',
      exitCode: error.exitCode === 0 ? 0 : EXIT_USAGE,
    }
  if (error instanceof UserError)
    return { message: error.message, hint: error.hint, exitCode: error.exitCode }
  if (error instanceof ApiError)
    return {
      message: error.message,
      hint: error.hint,
      exitCode: error.code === 'bad_request' ? EXIT_USAGE : 1,
    }
  if (error instanceof Error && error.name === 'ZodError')
    return {
      message: 'The daemon that is running gave an answer that this version does not understand.',
      hint: 'It is probably of another version; restart it: treadle down, then treadle up',
      exitCode: 1,
    }
  const disk = diskWords(error)
  if (disk !== null) return { ...disk, exitCode: 1 }
  return {
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    hint: null,
    exitCode: 1,
  }
}
