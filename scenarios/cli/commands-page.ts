// Prints every command with its arguments and options, from the code: docs/commands.md.
//   node scenarios/cli/commands-page.ts          prints it
//   node scenarios/cli/commands-page.ts --write  writes it
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadCommands } from '@treadle/cli/commands'
import { readEnv } from '@treadle/cli/env'
import { HELP_GROUPS } from '@treadle/cli/help'
import { makeProgram } from '@treadle/cli/make-program'

type Command = ReturnType<typeof makeProgram>['root']

export async function commandsPage(): Promise<string> {
  const { root } = makeProgram(readEnv({}), await loadCommands())
  const groups = HELP_GROUPS.flatMap(({ title, commands }) => [
    `## ${title}`,
    ...commands.flatMap(([name]) => {
      const command = root.commands.find((each) => each.name() === name)
      return command === undefined ? [] : sections(command, 'treadle')
    }),
  ])
  return `${[HEAD, ...groups].join('\n\n')}\n`
}

const HEAD = `# Commands

Written by \`npm run commands -- --write\` from the code. \`treadle <command> --help\` says the same in a terminal.

On a terminal lists are tables that fit its width, and numbers are links where the terminal knows them. Elsewhere each row is a line, its fields with a tab between them, whole and without heads; \`--json\` prints one document. Exit codes: 0 done, 1 failed, 2 wrong use, 3 waits for a person. Orders that destroy something show what they will hit and ask; \`--yes\` answers, and without a terminal nothing is done until it is given.`

function sections(command: Command, before: string): string[] {
  const path = `${before} ${command.name()}`
  const help = command.createHelp()
  const own = command.registeredArguments.map((argument) => [
    help.argumentTerm(argument),
    argument.description,
  ])
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option) => [option.flags, help.optionDescription(option)])
  const rows = [...own, ...options].map(([name = '', text = '']) => `| \`${cell(name)}\` | ${cell(text)} |`)
  const alias = command.aliases().length === 0 ? '' : ` Also: \`${command.aliases().join('`, `')}\`.`
  return [
    `### \`${path} ${command.usage()}\``,
    `${sentenceOf(command.description())}${alias}`,
    ...(rows.length === 0 ? [] : [['| | |', '|---|---|', ...rows].join('\n')]),
    ...help
      .visibleCommands(command)
      .filter((each) => each.name() !== 'help')
      .flatMap((each) => sections(each, path)),
  ]
}

function sentenceOf(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--write'))
    writeFileSync(new URL('../../docs/commands.md', import.meta.url), await commandsPage())
  else process.stdout.write(await commandsPage())
}
