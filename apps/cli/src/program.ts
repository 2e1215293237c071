// What every group of commands needs: the program, the options they share, and how text becomes a value.
import type { Client } from '@treadle/contracts/client'
import { AgentId } from '@treadle/contracts/ids'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { needDaemon } from './daemon-process.ts'
import type { CliEnv } from './env.ts'
import { findWorkspace } from './workspace.ts'

export interface Program {
  readonly root: Command
  readonly env: CliEnv
  exitCode: number
}

export const asCount = (max: number) => (text: string) => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > max)
    throw new InvalidArgumentError(`must be a whole number from 0 to ${max}.`)
  return value
}
export const asNumber = (text: string): number => {
  const value = Number(text.replace(/^#/, ''))
  if (!/^#?\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('must be the number of an item, such as 3.')
  return value
}
export const asAgent = (text: string): string => {
  const named = AgentId.safeParse(/^\d+$/.test(text) ? `agent-${text}` : text)
  if (!named.success)
    throw new InvalidArgumentError('must be the name of an agent, such as agent-1, or just 1.')
  return named.data
}
export const gather = (text: string, before: string[]): string[] => [...before, text]
/** A misspelt name ends up at the default command of its group. */
export const refuseMore = (command: Command): void => {
  if (command.args.length > 0) command.parent?.error(`error: unknown command '${command.args[0]}'`)
}
export const json = () => new Option('--json', 'print JSON')
export const project = () => new Option('--project <n>', 'project number').argParser(asNumber).default(1)

export async function withClient(program: Program, use: (client: Client) => Promise<void>): Promise<void> {
  const { client } = await needDaemon(findWorkspace(program.env))
  await use(client)
}
