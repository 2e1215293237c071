// Parts that every group of commands needs: the program, shared options, and how text becomes a value.
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

/**
 * A group of commands, as a file of commands/ exports it: puts them, with options, help and what they do, under the
 * root.
 */
export type CommandGroup = (program: Program) => void

export const asCount = (max: number) => (text: string) => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > max)
    throw new InvalidArgumentError(`must be a whole number from 0 to ${max}.`)
  return value
}
export const asCode = (text: string): string => {
  if (!/^\d{6}$/.test(text)) throw new InvalidArgumentError('must be six digits.')
  return text
}
/** An amount, handed on as it was written. */
export const asAmount = (text: string): string => {
  if (!(Number(text) > 0 && Number.isFinite(Number(text))))
    throw new InvalidArgumentError('must be a number above 0.')
  return text
}
/** Git takes any text for a date, and what it does not understand for now. */
export const asDate = (text: string): string => {
  const ago = /^(yesterday|\d+ (second|minute|hour|day|week|month|year)s?( ago)?)$/
  if (!ago.test(text) && (!/\d{4}/.test(text) || Number.isNaN(Date.parse(text))))
    throw new InvalidArgumentError('must be a date, such as 2026-01-31 or "3 months ago".')
  return text
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
/** What an option has gathered; false: it was taken away before. */
type Before<T> = readonly T[] | false | undefined
export const gather = (text: string, before: Before<string>): string[] => [...(before || []), text]
/** Numbers of items, one after the other or with commas between them. */
export const gatherNumbers = (text: string, before: Before<number>): number[] => [
  ...(before || []),
  ...text.split(',').map((part) => asNumber(part.trim())),
]
/** A misspelt name ends up at the default command of its group. */
export const refuseMore = (command: Command): void => {
  if (command.args.length > 0) command.parent?.error(`error: unknown command '${command.args[0]}'`)
}
export const WAIT_S = 120
const WAIT_S_MAX = 3_600
const asSeconds = (text: string): number => {
  const value = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || value > WAIT_S_MAX)
    throw new InvalidArgumentError(`must be a number of seconds from 0 to ${WAIT_S_MAX}.`)
  return value
}
/** How long a command waits for what a model writes; left out, so long as somebody could be at it. */
export const wait = () =>
  new Option('--wait <seconds>', `how long to wait for a model (default: ${WAIT_S})`).argParser(asSeconds)
export const json = () => new Option('--json', 'print JSON')
export const project = () => new Option('--project <n>', 'project number').argParser(asNumber).default(1)

export async function withClient(program: Program, use: (client: Client) => Promise<void>): Promise<void> {
  const { code = null } = program.root.opts<{ code?: string }>()
  const { client } = await needDaemon(findWorkspace(program.env), program.env, code)
  await use(client)
}
