// treadle run: a goal from the first plan to its end, followed live; whoever sits at the terminal may say something.
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@treadle/contracts/client'
import { CURSOR_START, type Cursor, type StoredEvent } from '@treadle/contracts/event'
import { type ItemRef, itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { waitingWords } from '@treadle/contracts/words/plan'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { callerName } from '../caller-name.ts'
import { findDaemon, type Running, startDaemon, stopDaemon } from '../daemon-process.ts'
import type { CliEnv } from '../env.ts'
import { follow } from '../follow-events.ts'
import {
  AT_FIRST,
  type GoalNow,
  goalAfter,
  keptLines,
  statusLine,
  stepsWords,
} from '../goal/goal-progress.ts'
import { EXIT_ACHIEVED, type GoalFacts, goalReport, reportLines } from '../goal/goal-report.ts'
import { GoalScreen } from '../goal/goal-screen.ts'
import { runEvents } from '../items/run-events.ts'
import { clock, paint, print, printJson, tell, withProgress } from '../output.ts'
import { UserError } from '../user-error.ts'

export interface RunOptions {
  readonly engine?: string
  readonly verify?: string
  readonly mayChangeTests?: boolean
  readonly priority?: number
  readonly project: number
  readonly verbose?: boolean
  readonly json?: boolean
  /** False with --no-wait. */
  readonly wait: boolean
  readonly keep?: boolean
  readonly attach?: number
}

const LOOK_MS = 1_000
/** Exit codes of shells for signals, so that a goal that was left is not taken for one that ended. */
const EXIT_LEFT = { SIGINT: 130, SIGTERM: 143 } as const

export async function runGoal(
  { paths, env }: { paths: WorkspacePaths; env: CliEnv },
  goal: string | undefined,
  options: RunOptions,
): Promise<number> {
  const before = await findDaemon(paths, env)
  const running = before ?? (await startDaemon(paths, env, { agents: 0 }))
  const isOwn = before === null
  try {
    const item = await goalItem(running, goal, options)
    await seeToAgents(running)
    if (!options.wait) return left(item, options, EXIT_ACHIEVED)
    const ended = await new Following(running, item, options).untilEnd()
    if (ended.is === 'left') return left(item, options, EXIT_LEFT[ended.by])
    const { facts } = ended
    await conclude(running, facts, options)
    const report = goalReport(facts)
    // A question that waits can be answered only while the daemon runs.
    if (!isOwn || options.keep === true || facts.question !== null) return report.exitCode
    await withProgress('stopping', stopDaemon(running))
    if (report.next.length > 0 && !options.json) print('      after: treadle up --detach')
    return report.exitCode
  } catch (error) {
    if (isOwn && !options.keep) await stopDaemon(running).catch(() => undefined)
    throw error
  }
}

async function goalItem({ client }: Running, goal: string | undefined, options: RunOptions): Promise<Item> {
  const { attach, project } = options
  if (attach !== undefined)
    return (await client.showItem({ params: { projectNumber: project, issueNumber: attach } })).item
  if (goal === undefined)
    throw new UserError('A goal is missing.', 'treadle run "Rename loadUser to fetchUser"', 2)
  const { engine = null, verify = null, priority = null, mayChangeTests = false } = options
  const body = { goal, engine, verify, priority, mayChangeTests, projectNumber: project }
  return (await client.startRun({ body })).item
}

/** Starts an agent if none runs that could work on the goal. */
async function seeToAgents({ client }: Running): Promise<void> {
  const { items } = await client.listAgents()
  if (items.some(({ id, wanted }) => wanted !== 'stopped' && id.startsWith('agent-'))) return
  await client.startAgents({ body: { count: 1, by: callerName() } })
}

/** The last words of a command that leaves a goal to go on by itself. */
function left(item: Item, { json }: RunOptions, exitCode: number): number {
  const { number, title } = item
  if (json) printJson({ item, next: [`treadle run --attach ${number}`, `treadle guide ${number} "…"`] })
  else {
    print(`${itemLabel(item)} ${title}`)
    print(`Follow it:        treadle run --attach ${number}`)
    print(`Say something:    treadle guide ${number} "…"`)
    print(`Stop everything:  treadle down`)
  }
  return exitCode
}

async function conclude(running: Running, facts: GoalFacts, options: RunOptions): Promise<void> {
  const report = goalReport(facts)
  if (options.json) return printJson(report)
  if (options.verbose && report.runId !== null)
    print(`${stepsWords(await runEvents(running.client, report.runId))}\n`)
  tell('')
  const [first = '', ...rest] = reportLines(report)
  print(paint(report.exitCode === 0 ? 'green' : 'yellow', first))
  for (const line of rest) print(line)
}

type FollowEnd =
  | { readonly is: 'over'; readonly facts: GoalFacts }
  | { readonly is: 'left'; readonly by: keyof typeof EXIT_LEFT }

/** Shows what happens to one goal, and hands on what is typed. */
class Following {
  readonly #running: Running
  readonly #ref: ItemRef
  readonly #title: string
  readonly #options: RunOptions
  readonly #screen: GoalScreen
  readonly #ended = Promise.withResolvers<FollowEnd>()
  readonly #since = Date.now()
  #now: GoalNow = AT_FIRST
  #shown: Cursor = CURSOR_START
  #asks = false
  #isAway = false
  /** True once the reader has left the screen. */
  #isLeft = false

  constructor(running: Running, { projectNumber, number, title }: Item, options: RunOptions) {
    this.#running = running
    this.#ref = { projectNumber, number }
    this.#title = title
    this.#options = options
    this.#screen = new GoalScreen(options.json === true)
  }

  async untilEnd(): Promise<FollowEnd> {
    const screen = this.#screen
    screen.say(paint('bold', `#${this.#ref.number} ${this.#title}`))
    if (screen.isAlive) screen.say(paint('dim', 'Type a line to guide it. Ctrl-C: stop or leave it.'))
    screen.onLine((text) => void this.#typed(text.trim()))
    screen.onInterrupt((by) => this.#interrupted(by))
    for (const event of (await this.#look()).events) this.#take(event)
    const live = follow(this.#running, (event) => this.#take(event), this.#shown)
    const timer = setInterval(() => screen.status(statusLine(this.#now, Date.now() - this.#since)), 500)
    void this.#watch()
    try {
      return await this.#ended.promise
    } finally {
      this.#isLeft = true
      live.stop()
      clearInterval(timer)
      screen.close()
    }
  }

  #take(event: StoredEvent): void {
    const { item } = event
    if (item?.number !== this.#ref.number || item.projectNumber !== this.#ref.projectNumber) return
    this.#shown = event.cursor
    this.#now = goalAfter(this.#now, event)
    for (const line of keptLines(event, this.#options.verbose === true)) this.#screen.say(coloured(line))
    this.#screen.status(statusLine(this.#now, Date.now() - this.#since))
  }

  /** Events inform; what is true is asked for. A daemon that is away comes back. */
  async #watch(): Promise<void> {
    for (let over = false; !over && !this.#isLeft; await sleep(LOOK_MS)) {
      try {
        over = await this.#isOver()
        this.#isAway = false
      } catch (error) {
        const away = error instanceof ApiError && error.code === 'unreachable'
        if (!away) return this.#ended.reject(error)
        if (!this.#isAway) this.#screen.say(paint('yellow', 'The daemon does not answer; waiting for it.'))
        this.#isAway = true
      }
    }
  }

  async #isOver(): Promise<boolean> {
    const { item, runs } = await this.#look()
    const run = runs.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt)).at(-1) ?? null
    const { end, question } = this.#now
    const rests = item.status === 'done' || item.state === 'withdrawn' || item.needsHuman
    // Without a live screen there is nobody who could answer.
    const waits = question !== null && !this.#screen.isAlive
    const idle = rests || waits ? null : await this.#idle(item)
    if (!rests && !waits && idle === null) return false
    // The last events may still be on their way.
    await sleep(rests ? 300 : 0)
    const facts = { item, run, end: this.#now.end ?? end, question: waits ? question.title : null, idle }
    this.#ended.resolve({ is: 'over', facts })
    return true
  }

  /** The reason why nobody can work on the goal at present: the engine's key has to be mended by a person. */
  async #idle({ engine, claimedByAgentId }: Item): Promise<string | null> {
    if (claimedByAgentId !== null) return null
    const { resting, config } = await this.#running.client.workspace()
    // Trouble of a provider passes by itself, and what waits for it says so.
    const refused = resting.filter(({ triesOne }) => triesOne !== true)
    const found = refused.find((each) => each.engine === (engine ?? config.engines.default))
    return found === undefined ? null : `${found.engine} rests until ${clock(found.until)}: ${found.why}`
  }

  #look() {
    const { projectNumber, number } = this.#ref
    return this.#running.client.showItem({ params: { projectNumber, issueNumber: number } })
  }

  async #typed(text: string): Promise<void> {
    try {
      if (this.#asks) await this.#decided(text)
      else if (text !== '') await this.#guide(text)
    } catch (error) {
      // The typed line is gone from the screen by now, so it is said again with the reason.
      const why = error instanceof Error ? error.message : String(error)
      this.#screen.say(paint('yellow', `Not said: ${text}\n  ${why}`))
    }
  }

  async #guide(text: string): Promise<void> {
    const { item } = await this.#look()
    if (item.runId === null)
      return this.#screen.say(paint('yellow', 'No agent works on it yet; say it again in a moment.'))
    const body = { text, answers: this.#now.question?.id ?? null, by: callerName() }
    await this.#running.client.guideRun({ params: { id: item.runId }, body })
  }

  #interrupted(by: keyof typeof EXIT_LEFT): void {
    if (!this.#screen.isAlive || this.#asks || by === 'SIGTERM') {
      this.#ended.resolve({ is: 'left', by })
      return
    }
    this.#asks = true
    this.#screen.say(paint('yellow', 'Stop it, or leave it running? [s]top, [l]eave, Enter: go on watching'))
  }

  async #decided(text: string): Promise<void> {
    this.#asks = false
    // The words must be exactly these: something half typed must not stop anything.
    if (/^l(eave)?$/i.test(text)) return this.#ended.resolve({ is: 'left', by: 'SIGINT' })
    if (!/^s(top)?$/i.test(text)) return
    const { projectNumber, number } = this.#ref
    const params = { projectNumber, issueNumber: number }
    const { waitedForBy } = await this.#running.client.withdrawItem({ params, body: { by: callerName() } })
    this.#screen.say(`#${number} is withdrawn; its work is kept. Put it back: treadle reopen ${number}`)
    const waiting = waitingWords(waitedForBy)
    if (waiting !== null) this.#screen.say(waiting)
  }
}

const STYLES = { '?': 'yellow', '>': 'cyan', P: 'bold' } as const

function coloured(line: string): string {
  const style = STYLES[line.charAt(0) as keyof typeof STYLES]
  return style === undefined ? paint('dim', line) : paint(style, line)
}
