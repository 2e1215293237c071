// The frame of the command line: its name, its help, how it ends. The commands stand in commands.ts.
import { type Command, CommanderError, Option } from 'commander'
import type { CliEnv } from './env.ts'
import { explain } from './explain.ts'
import { descriptionOf, rootHelp } from './help.ts'
import { asCode, type CommandGroup, type Program } from './program.ts'
import { SpokenCommand } from './spoken-command.ts'
import { VERSION } from './version.ts'

/** The exit code of a command, once it is done or its error is explained. */
export async function runProgram(program: Program, argv: string[]): Promise<number> {
  try {
    await program.root.parseAsync(argv, { from: 'user' })
    return program.exitCode
  } catch (error) {
    return explain(error, argv.includes('--json'))
  }
}

/** The command line with these commands, ready to read words. */
export function makeProgram(env: CliEnv, commands: readonly CommandGroup[]): Program {
  const program: Program = { root: new SpokenCommand('treadle'), env, exitCode: 0 }
  const { root } = program
  root
    .description('Runs a crew of coding agents on a git repository, from idea to merged code.')
    .usage('<command> [options]')
    .version(VERSION)
    .addOption(
      new Option('--code <digits>', 'the code that a decision wants, where you were told so').argParser(
        asCode,
      ),
    )
    .exitOverride()
    .configureHelp({
      minWidthToWrap: 20,
      subcommandTerm: (command) => [command.name(), ...command.aliases()].join(', '),
    })
  root.helpInformation = () => rootHelp(VERSION)
  for (const register of commands) register(program)
  for (const command of root.commands) command.description(descriptionOf(command.name()) ?? '')
  tellUsage(root, 'treadle')
  return program
}

/** A mistake is answered with how the command is used, and where its help is. */
function tellUsage(command: Command, path: string): void {
  command.showHelpAfterError(
    path === 'treadle'
      ? 'All commands: treadle --help'
      : `Usage: ${path} ${command.usage()}\nMore: ${path} --help`,
  )
  command.exitOverride((error) => {
    throw new WrongUse(error, `${path} --help`)
  })
  for (const below of command.commands) tellUsage(below, `${path} ${below.name()}`)
}

/** An error of the command line's own parser, with the help that shows how it is done. */
class WrongUse extends CommanderError {
  readonly help: string
  constructor({ exitCode, code, message }: CommanderError, help: string) {
    super(exitCode, code, message)
    this.help = help
  }
}
