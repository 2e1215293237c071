// The start of the command line. Help and completion are answered at once; everything else loads its command.
import { becomeOwner } from './checkout-owner.ts'
import { rootHelp } from './help.ts'
import { VERSION } from './version.ts'

export async function main(argv: string[]): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endQuietly)
  const quick = await answerQuickly(argv)
  if (quick !== null) return quick
  becomeOwner(argv)
  const { readEnv } = await import('./env.ts')
  const { loadCommands } = await import('./commands.ts')
  const { makeProgram, runProgram } = await import('./make-program.ts')
  return runProgram(makeProgram(readEnv(), await loadCommands(argv)), argv)
}

/** What needs no command: its exit code; null for everything else. */
async function answerQuickly(argv: readonly string[]): Promise<number | null> {
  const [first, second] = argv
  if (argv.length === 0) {
    process.stderr.write(rootHelp(VERSION))
    return 2
  }
  if (argv.length === 1 && (first === '--help' || first === '-h' || first === 'help')) {
    process.stdout.write(rootHelp(VERSION))
    return 0
  }
  if (first !== 'completion' || second !== 'numbers') return null
  const { printNumbers } = await import('./completion/numbers.ts')
  return printNumbers()
}

/** The reader of the output has gone, as `| head` does. A command that stays is told to stop; others just end. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  if (process.listenerCount('SIGTERM') > 0) process.emit('SIGTERM')
  else process.exit(0)
}
