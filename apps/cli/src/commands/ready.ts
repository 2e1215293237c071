// `treadle ready`: whether packages, build and tests of the target can be run, and the order to look again.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@treadle/contracts/client'
import type { Readiness } from '@treadle/contracts/readiness'
import { foundWords, mendWords, stepWords } from '@treadle/contracts/words/readiness'
import { timeAgo } from '@treadle/contracts/words/time'
import { paint, print, printJson, tell } from '../output.ts'
import { json, type Program, withClient } from '../program.ts'
import { flowed } from '../terminal/columns.ts'

const POLL_MS = 500

export function readyCommands(program: Program): void {
  program.root
    .command('ready')
    .option('--again', 'check again, and wait for the result')
    .addOption(json())
    .action((options: { again?: boolean; json?: boolean }) =>
      withClient(program, async (client) => {
        const readiness = options.again ? await lookAgain(client) : await client.readiness()
        if (options.json) printJson(readiness)
        else for (const line of readinessLines(readiness)) print(flowed(line))
        program.exitCode = readiness.found?.is === 'not_ready' ? 1 : 0
      }),
    )
}

async function lookAgain(client: Client): Promise<Readiness> {
  let said = ''
  let readiness = await client.checkReadiness()
  // The daemon ends each look within tests.timeoutMs for each step.
  while (readiness.checking !== null) {
    const now = stepWords(readiness.checking)
    if (now !== said) tell(paint('dim', `${now} …`))
    said = now
    await sleep(POLL_MS)
    readiness = await client.readiness()
  }
  return readiness
}

function readinessLines(readiness: Readiness): string[] {
  const { found, checking } = readiness
  const now = checking === null ? [] : [`Before items are offered: ${stepWords(checking)}.`]
  if (found === null) return now.length > 0 ? now : ['Nobody has looked yet. Look now: treadle ready --again']
  if (found.is !== 'not_ready') return [...readinessNotes(readiness), ...now]
  const { trouble } = found
  return [
    paint('red', `The tests cannot be run: ${trouble.text} ${mendWords(trouble)}.`),
    ...readinessNotes(readiness),
    ...now,
  ]
}

/** What the reason why nothing is claimed leaves out; none where nobody looks or nothing is known. */
export function readinessNotes({ found, commit, at }: Readiness): string[] {
  if (found === null) return []
  if (found.is !== 'not_ready') {
    // What was found then is not what is so now.
    const when = at === null ? '' : `, ${timeAgo(at, Date.now())}`
    return [`Tests${commit === null ? '' : ` at ${commit.slice(0, 8)}`}${when}: ${foundWords(found)}`]
  }
  const lines = found.trouble.lines.split('\n').map((line) => paint('dim', `    ${line}`))
  return [
    ...lines,
    'It is tried again when the settings, the lock file or the target change, or by: treadle ready --again',
  ]
}
