// Every command explains itself, however deep it is. That a process prints it: scenarios/cli/help.test.ts.
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { COMMANDS, loadCommands } from './commands.ts'
import { readEnv } from './env.ts'
import { HELP_GROUPS, rootHelp } from './help.ts'
import { makeProgram } from './make-program.ts'
import { columnsOf } from './terminal/columns.ts'

const { root } = makeProgram(readEnv({}), await loadCommands())
const commands = allBelow(root, ['treadle'])

test('every command has help that names its use and describes itself and its options', () => {
  for (const { path, command } of commands) {
    const help = command.helpInformation()
    expect(help.startsWith(`Usage: ${path.join(' ')}`), help).toBe(true)
    expect(command.description(), path.join(' ')).not.toBe('')
    for (const line of optionLines(help)) expect(line).toMatch(/^ {2}-.* {2,}\S/)
  }
  const names = commands.map(({ path }) => path.slice(1).join(' '))
  expect(names).toEqual(expect.arrayContaining(['demo', 'init', 'up', 'down', 'add', 'fix', 'doctor']))
  expect(names.filter((name) => /^(review|agent) /.test(name)).length).toBeGreaterThanOrEqual(9)
})

test('help has every command once, in groups, with where to start first', () => {
  const shown = HELP_GROUPS.flatMap(({ commands: own }) => own.map(([name]) => name))
  expect(shown.toSorted()).toEqual([...root.commands.map((command) => command.name()), 'help'].toSorted())
  const help = rootHelp('1.2.3')
  expect(help.indexOf('Start here')).toBeLessThan(help.indexOf('Core'))
  for (const { title } of HELP_GROUPS) expect(help).toMatch(new RegExp(`^${title}$`, 'm'))
})

test('each file of commands is listed with the first words of its commands, so that it is loaded for these', async () => {
  for (const { words, load } of COMMANDS) {
    const own = makeProgram(readEnv({}), [await load()]).root.commands
    expect(own.flatMap((command) => [command.name(), ...command.aliases()])).toEqual(words)
  }
})

test('a command loads its own file alone; what is no command, and completion, load all', async () => {
  const count = async (...argv: string[]) => (await loadCommands(argv)).length
  expect(await count('show', '3')).toBe(1)
  expect(await count('--code', '123456', 'approve', '3')).toBe(1)
  expect(await count('completion', 'bash')).toBe(COMMANDS.length)
  expect(await count('shwo')).toBe(COMMANDS.length)
  expect(await count('--version')).toBe(COMMANDS.length)
})

test('no line of any help is wider than 80 columns', () => {
  for (const { command } of commands)
    for (const line of command.helpInformation().split('\n'))
      expect(columnsOf(line), line).toBeLessThanOrEqual(80)
})

function allBelow(command: Command, path: string[]): { path: string[]; command: Command }[] {
  const below = command.commands.flatMap((each) => allBelow(each, [...path, each.name()]))
  return [{ path, command }, ...below]
}

/** The lines of a help's options; a long option has its description on the next line. */
function optionLines(help: string): string[] {
  return help
    .replace(/\n {20,}/g, '  ')
    .split('\n')
    .filter((line) => /^ {2}-/.test(line))
}
