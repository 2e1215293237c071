// Commands about a run: what it did, phase by phase or event by event, and guidance to one at work.
import type { Client } from '@treadle/contracts/client'
import type { StoredEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/event/sentence'
import { RunId } from '@treadle/contracts/ids'
import type { Run } from '@treadle/contracts/run'
import { cutWords, gatesWords } from '@treadle/contracts/words/gates'
import { duration } from '@treadle/contracts/words/time'
import { callerName } from '../caller-name.ts'
import { keptLines, roundsIn, stepsWords } from '../goal/goal-progress.ts'
import { runEvents } from '../items/run-events.ts'
import { clip, clock, paint, print, printJson } from '../output.ts'
import { flowed } from '../terminal/columns.ts'
import { UserError } from '../user-error.ts'

export interface HistoryOptions {
  readonly project: number
  readonly verbose?: boolean
  readonly json?: boolean
}

export async function showHistory(client: Client, which: string, options: HistoryOptions): Promise<void> {
  const run = await findRun(client, which, options.project)
  const { verbose = false, json = false } = options
  if (json && !verbose) return printJson(run)
  const events = await runEvents(client, run.id)
  if (json) return printJson({ run, events })
  print(
    `${paint('bold', `run ${run.id}`)} of #${run.item.number} by ${run.agentId}: ${run.outcome ?? run.status}`,
  )
  if (verbose) printEvents(events)
  else printPhases(run, events)
  printGates(run)
}

/** Under the text behind a time of day. */
const HANG = 10

function printPhases(run: Run, events: readonly StoredEvent[]): void {
  for (const event of events)
    for (const line of keptLines(event, false)) print(flowed(`  ${clock(event.at)}  ${line}`, { hang: HANG }))
  for (const line of withheldLines(events)) print(`  ${line}`)
  const end = events.findLast(({ event }) => event.type === 'run.concluded')?.event
  if (end?.type === 'run.concluded') print(`\n${end.end.summary}\n`)
  if (run.history.length === 0) print('  nothing finished yet')
  for (const record of run.history) {
    print(
      flowed(
        `  ${clock(record.startedAt)}  ${record.phase} ${record.iteration}  ${record.outcome} after ${duration(record.durationMs)}${record.summary === '' ? '' : paint('dim', ` · ${clip(record.summary, 120)}`)}`,
        { hang: HANG },
      ),
    )
  }
}

/** Lines about lessons that were kept from the run on purpose, which the owner should know. */
function withheldLines(events: readonly StoredEvent[]): string[] {
  return events.flatMap((stored) => {
    const { event, at } = stored
    if (event.type !== 'run.recalled' || event.withheld.length === 0) return []
    const { detail } = sentence(stored)
    return [`${clock(at)}  ${detail?.split('; ', 1)[0] ?? ''}`]
  })
}

/** Observations are told with the iteration they belong to, where there is one. */
function printEvents(events: readonly StoredEvent[]): void {
  const isGoal = roundsIn(events).length > 0
  for (const stored of events) {
    const { event, at } = stored
    const { text, detail } = sentence(stored)
    print(
      flowed(`  ${clock(at)}  ${text}${detail === null ? '' : paint('dim', ` · ${clip(detail, 100)}`)}`, {
        hang: HANG,
      }),
    )
    if (event.type === 'run.observed' && !isGoal) print(indented(event.observation.output))
  }
  if (isGoal) print(`\n${stepsWords(events)}\n`)
}

function printGates(run: Run): void {
  if (run.gates.length > 0) print(flowed(`  gates: ${gatesWords(run.gates)}`, { hang: 2 }))
  for (const gate of run.gates) {
    if (!('evidence' in gate)) continue
    const { command, exitCode, output } = gate.evidence
    const cut = cutWords(gate.evidence)
    const words = `${command} → exit ${exitCode}, output ${output.slice(0, 12)}${cut === null ? '' : `; ${cut}`}`
    print(paint('dim', flowed(`    ${gate.gate}: ${words}`, { hang: 2 })))
  }
}

function indented(text: string): string {
  return text.trimEnd().replace(/^/gm, '      ')
}

/** A run's id, or the number of an item whose last run is meant. */
export async function findRun(client: Client, which: string, project: number): Promise<Run> {
  if (!/^#?\d+$/.test(which)) {
    if (RunId.safeParse(which).success) return client.showRun({ params: { id: which } })
    throw new UserError(
      `${which} is neither the number of an item nor the id of a run.`,
      'treadle list has the numbers, treadle show <number> the runs.',
      2,
    )
  }
  const number = Number(which.replace('#', ''))
  const { runs } = await client.showItem({ params: { projectNumber: project, issueNumber: number } })
  const last = runs.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt)).at(-1)
  if (last === undefined)
    throw new UserError(`#${number} has had no run yet.`, 'An agent has to claim it first: treadle status')
  return last
}

/** Sends guidance to a run; if it waits for an answer, these words are it. */
export async function guideRun(
  client: Client,
  which: string,
  text: string,
  options: { project: number; json?: boolean },
): Promise<void> {
  const { id, item } = await findRun(client, which, options.project)
  const { question } = await client.listGuidance({ params: { id } })
  const body = { text, answers: question?.id ?? null, by: callerName() }
  const said = await client.guideRun({ params: { id }, body })
  if (options.json) return printJson(said)
  print(
    question === null
      ? `Sent to #${item.number}; its next plan has it.`
      : `Answered #${item.number}: ${question.title}`,
  )
}
