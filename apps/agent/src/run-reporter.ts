// What an agent says of the run it has in hand, in order.
import type { Config } from '@treadle/contracts/config'
import type { RunNote, RunReport } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import { Fault, messageOf } from '@treadle/flow/fault'
import type { Clock } from '@treadle/flow/ports/clock'
import type { RunPatch } from '@treadle/flow/ports/runs'
import { step } from '@treadle/flow/step'
import { runAfterMove, runAfterNote } from '@treadle/flow/work/run-fold'

/** Where reports go. Resolves once a report is safe on disk; keeps the order. */
export interface Journal {
  append(
    report: RunReport,
    of: { readonly run: Run; readonly fence: number; readonly item: Item },
  ): Promise<void>
}

interface ReporterTools {
  readonly clock: Clock
  readonly config: Config
  readonly journal: Journal
  readonly log: (message: string) => void
}

/** What it begins with. */
interface Begun {
  readonly item: Item
  readonly run: Run
  readonly fence: number
}

/** Writes every report down in order and keeps the agent's own view of item and run, daemon or no daemon. */
export class RunReporter {
  readonly tools: ReporterTools
  readonly fence: number
  item: Item
  run: Run
  #line: Promise<void> = Promise.resolve()

  constructor(tools: ReporterTools, held: Begun) {
    this.tools = tools
    this.fence = held.fence
    this.item = held.item
    this.run = held.run
  }

  say(report: RunReport): Promise<void> {
    this.#follow(report)
    const of = { run: this.run, fence: this.fence, item: this.item }
    this.#line = this.#line.then(() => this.tools.journal.append(report, of))
    return this.#line
  }

  note(report: RunNote): void {
    this.say(report).catch((error: unknown) => this.tools.log(`journal: ${messageOf(error)}`))
  }

  #follow(report: RunReport): void {
    if (isNote(report)) {
      this.run = { ...this.run, ...stored(runAfterNote(this.run, report)) }
      return
    }
    const before = this.item
    const next = step(before, report, { config: this.tools.config, now: this.tools.clock.now() })
    if (next.is === 'refused') throw new Fault('state', next.why)
    this.item = next.item
    this.run = { ...this.run, ...stored(runAfterMove(this.run, { before, after: next.item }, report)) }
  }
}

/** A patch as far as it says something. */
function stored(patch: RunPatch | null): Partial<Run> {
  return Object.fromEntries(Object.entries(patch ?? {}).filter(([, value]) => value !== undefined))
}

function isNote(report: RunReport): report is RunNote {
  return report.type.startsWith('run.')
}
