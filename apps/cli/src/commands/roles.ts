// The roles: who reacts to what, what each may do, and what it did last.
import type { Client } from '@treadle/contracts/client'
import type { RoleReaction, RoleView } from '@treadle/contracts/role'
import { PART_WORDS, POWER_WORDS, reactionWords } from '@treadle/contracts/words/role'
import { timeAgo } from '@treadle/contracts/words/time'
import { clip, paint, print, printJson } from '../output.ts'
import { json, type Program, withClient } from '../program.ts'
import { flowed } from '../terminal/columns.ts'

const EXAMPLES = `
Examples:
  treadle roles                  who reacts to what, and what each did last
  treadle roles --json           the same for programs`

export function roleCommands(program: Program): void {
  program.root
    .command('roles')
    .addOption(json())
    .addHelpText('after', EXAMPLES)
    .action((options) => withClient(program, (client) => show(client, options)))
}

async function show(client: Client, options: { readonly json?: boolean }): Promise<void> {
  const { items } = await client.listRoles()
  if (options.json) return printJson(items)
  const now = Date.now()
  print(items.map((role) => roleText(role, now)).join('\n\n'))
}

function roleText(role: RoleView, now: number): string {
  const { title, part, trigger, reactsTo, may, context, last } = role
  const lines = [
    [
      'starts',
      trigger.words + (trigger.everyMs === null ? '' : `, every ${trigger.everyMs / 60_000} minutes`),
    ],
    ...reactsTo.map((reaction, nth) => [nth === 0 ? 'reacts to' : '', reactionText(reaction)]),
    ...(reactsTo.length === 0 ? [['reacts to', 'no events']] : []),
    ['may', may.map((power) => POWER_WORDS[power]).join(', ')],
    ['is told', context.strategy],
    ...context.loads.map((load) => ['', load]),
    ['last', last === null ? 'never so far' : `${timeAgo(last.at, now)}: ${lastText(last)}`],
  ]
  const head = `${paint('bold', title)} · ${role.role}${part === null ? '' : paint('dim', ` · ${PART_WORDS[part]}`)}`
  const rows = lines.map(([name = '', text = '']) => rowText(name, text))
  return [flowed(head), ...rows].join('\n')
}

const NAMES = 10

/** A long value goes on below its beginning. */
function rowText(name: string, text: string): string {
  const row = `  ${name.padEnd(NAMES)}${text}`
  return name === '' ? flowed(row) : flowed(row, { hang: NAMES })
}

function reactionText(reaction: RoleReaction): string {
  return `${reaction.event} → ${reactionWords(reaction)}`
}

function lastText({ to, outcome }: NonNullable<RoleView['last']>): string {
  return clip(outcome ?? `${to ?? ''}; no outcome yet`, 160)
}
