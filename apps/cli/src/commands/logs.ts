// logs: what the agent of an item says and does, with what came out of it; live, if asked.
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Client } from '@treadle/contracts/client'
import { CURSOR_START, type Cursor, type StoredEvent } from '@treadle/contracts/event'
import type { Run } from '@treadle/contracts/run'
import { fittedLog, logLines } from '../items/log-lines.ts'
import { paint, print, printJson, tell } from '../output.ts'
import { asNumber, json, type Program, project, withClient } from '../program.ts'
import { terminalColumns } from '../terminal/columns.ts'
import { UserError } from '../user-error.ts'

interface LogOptions {
  readonly project: number
  readonly follow?: boolean
  readonly full?: boolean
  readonly json?: boolean
}

const POLL_MS = 500
const PAGE = 1_000

export function logCommands(program: Program): void {
  program.root
    .command('logs')
    .argument('<number>', 'item number', asNumber)
    .option('-f, --follow', 'go on until the run is over')
    .option('--full', 'the whole output of every tool')
    .addOption(project())
    .addOption(json())
    .action((number, options) => withClient(program, (client) => showLogs(client, number, options)))
}

async function showLogs(client: Client, number: number, options: LogOptions): Promise<void> {
  const run = await runOf(client, number, options)
  const { follow = false, full = false } = options
  if (options.json && !follow) return printWhole(client, run)
  if (options.json) {
    await followLog(client, run, tellJson)
    return
  }
  const state = run.endedAt === null ? ', at work' : ''
  print(paint('dim', `#${number}, run ${run.id} by ${run.agentId}${state}`))
  const told = (event: StoredEvent) => {
    for (const line of logLines(event, { full })) print(fittedLog(line, terminalColumns()))
  }
  const ended = follow ? await followLog(client, run, told) : run
  if (!follow) await tellNew(client, run.id, { after: CURSOR_START, told })
  if (ended.endedAt !== null)
    print(paint('dim', `The run is over: ${(ended.outcome ?? ended.status).replaceAll('_', ' ')}.`))
}

function tellJson(event: StoredEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}

async function printWhole(client: Client, run: Run): Promise<void> {
  const events: StoredEvent[] = []
  await tellNew(client, run.id, { after: CURSOR_START, told: (event) => events.push(event) })
  printJson({ run, events })
}

/** Tells every event until the run is over; the run as it ended. */
async function followLog(client: Client, run: Run, told: (event: StoredEvent) => void): Promise<Run> {
  let [now, after] = [run, CURSOR_START]
  for (;;) {
    // Looked at before the events: what is recorded with the end is told, too.
    const isOver = now.endedAt !== null
    after = await tellNew(client, run.id, { after, told })
    if (isOver) return now
    await sleep(POLL_MS)
    now = await reached(() => client.showRun({ params: { id: run.id } }))
  }
}

interface NewEvents {
  readonly after: Cursor
  readonly told: (event: StoredEvent) => void
}

/** Tells what is recorded after a place; the place behind it. */
async function tellNew(client: Client, id: string, { after, told }: NewEvents): Promise<Cursor> {
  let at = after
  for (;;) {
    const { items, cursor } = await reached(() => pageAfter(client, id, at))
    if (items.length === 0) return at
    for (const event of items) told(event)
    at = cursor
  }
}

function pageAfter(client: Client, id: string, after: Cursor) {
  return client.runHistory({ params: { id }, query: { after, limit: PAGE } })
}

/** The run of an item that is at work, or else its last one; who follows waits for the first. */
async function runOf(client: Client, number: number, options: LogOptions): Promise<Run> {
  const params = { projectNumber: options.project, issueNumber: number }
  for (let tries = 0; ; tries += 1) {
    const { runs } = await reached(() => client.showItem({ params }))
    const last = runs.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt)).at(-1)
    if (last !== undefined) return last
    if (!options.follow)
      throw new UserError(`No agent has worked on #${number} yet.`, `Wait for one: treadle logs ${number} -f`)
    if (tries === 0) tell(`No agent has worked on #${number} yet. Waiting for one; Ctrl-C ends this.`)
    await sleep(POLL_MS)
  }
}

/** A daemon that is restarted is waited for. */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'unreachable') throw error
      if (tries === 0) tell('The daemon does not answer. Waiting for it; Ctrl-C ends this.')
      await sleep(2 * POLL_MS)
    }
  }
}
