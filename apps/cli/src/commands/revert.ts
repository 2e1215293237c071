// revert: a merge is taken back as an item of its own.
import type { Client } from '@treadle/contracts/client'
import { itemLabel } from '@treadle/contracts/ids'
import type { RevertOrdered } from '@treadle/contracts/revert'
import { callerName } from '../caller-name.ts'
import { print, printJson } from '../output.ts'
import { asNumber, json, type Program, project, withClient } from '../program.ts'
import type { ItemNumber } from './items.ts'

export function revertCommands(program: Program): void {
  program.root
    .command('revert')
    .argument('<number>', 'number of the merged item', asNumber)
    .addOption(project())
    .addOption(json())
    .addHelpText(
      'after',
      `
What its merge brought goes, what came later stays. The change is computed, and no engine
is asked, unless later work has changed the same lines. It is checked, reviewed and merged
like any other; the merge and its receipt name what they take back. Asked again, the answer
is the same item.`,
    )
    .action((number, options) =>
      withClient(program, (client) => revertItem(client, { number, project: options.project }, options)),
    )
}

async function revertItem(client: Client, ref: ItemNumber, options: { json?: boolean }): Promise<void> {
  const params = { projectNumber: ref.project, issueNumber: ref.number }
  const ordered = await client.revertItem({ params, body: { by: callerName() } })
  if (options.json) return printJson(ordered)
  print(orderedWords(ref.number, ordered))
}

function orderedWords(number: number, { item, is, conflicts }: RevertOrdered): string {
  const label = itemLabel(item)
  const head =
    is === 'added'
      ? `Added ${label} ${item.title}`
      : `${label} takes #${number} back already, and is ${item.state.replaceAll('_', ' ')}: treadle show ${item.number}`
  if (conflicts.length === 0) return head
  return `${head}\nLater work has changed the same lines in ${conflicts.join(', ')}: an engine is asked to take that back, and you to look at it.`
}
