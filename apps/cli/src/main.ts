// The frame of the command line: its name, its help, how it ends. The commands stand in commands.ts.
import { Command, Option } from 'commander'
import { becomeOwner } from './checkout-owner.ts'
import { COMMANDS } from './commands.ts'
import { type CliEnv, readEnv } from './env.ts'
import { explain } from './explain.ts'
import { asCode, type Program } from './program.ts'

const VERSION = '0.1.0'

export async function main(argv: string[]): Promise<number> {
  becomeOwner(argv)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endQuietly)
  return runProgram(makeProgram(readEnv()), argv)
}

/** The exit code of a command, once it is done or its error is explained. */
export async function runProgram(program: Program, argv: string[]): Promise<number> {
  try {
    await program.root.parseAsync(argv, { from: 'user' })
    return program.exitCode
  } catch (error) {
    return explain(error, argv.includes('--json'))
  }
}

/** The whole command line, ready to read words. */
export function makeProgram(env: CliEnv): Program {
  const program: Program = { root: new Command('treadle'), env, exitCode: 0 }
  program.root
    .description('Runs a crew of coding agents on a git repository, from idea to verified, merged code.')
    .version(VERSION)
    .addOption(
      new Option('--code <digits>', 'the code that a decision wants, where you were told so').argParser(
        asCode,
      ),
    )
    .exitOverride()
    .showHelpAfterError('(see treadle --help)')
    .addHelpText(
      'after',
      '\nStart here: treadle demo   (a sample repository, the whole flow, no key)\nExit codes: 0 done, 1 failed, 2 wrong use, 3 waits for a person',
    )
  for (const register of COMMANDS) register(program)
  return program
}

/** The reader of the output has gone, as `| head` does. A command that stays is told to stop; others just end. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  if (process.listenerCount('SIGTERM') > 0) process.emit('SIGTERM')
  else process.exit(0)
}
