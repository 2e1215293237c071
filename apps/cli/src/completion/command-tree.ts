// The commands as completion sees them: what may follow which words.
import type { Command } from 'commander'

export interface CompletedCommand {
  /** The words before: review show. Empty for treadle itself. */
  readonly path: string
  readonly description: string
  readonly commands: readonly Completed[]
  readonly options: readonly CompletedOption[]
  /** Whether an argument is the number of an item. */
  readonly takesNumber: boolean
  /** What an argument may be. */
  readonly choices: readonly string[]
}

export interface Completed {
  readonly name: string
  readonly description: string
}

export interface CompletedOption extends Completed {
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

export function completedCommands(root: Command): CompletedCommand[] {
  return below(root, '')
}

function below(command: Command, path: string): CompletedCommand[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command)
  const own: CompletedCommand = {
    path,
    description: command.description(),
    commands: commands.flatMap((each) =>
      [each.name(), ...each.aliases()].map((name) => ({ name, description: each.description() })),
    ),
    options: help.visibleOptions(command).flatMap((option) =>
      [option.long, option.short].flatMap((name) =>
        name == null
          ? []
          : [
              {
                name,
                description: option.description,
                takesValue: option.required || option.optional,
                choices: option.argChoices ?? [],
              },
            ],
      ),
    ),
    takesNumber: command.registeredArguments.some(({ description }) => /item/.test(description)),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  }
  const deeper = commands
    .filter((each) => each.name() !== 'help')
    .flatMap((each) =>
      [each.name(), ...each.aliases()].flatMap((name) => below(each, `${path} ${name}`.trim())),
    )
  return [own, ...deeper]
}
