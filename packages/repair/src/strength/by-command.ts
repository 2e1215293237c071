// Planted faults in a copy of the project, each judged by the project's own test command.
import type { MutantFate } from '@treadle/contracts/strength'
import type { RepairSandbox } from '../confined.ts'
import { isHarmless } from '../slow/suspects.ts'
import { type CommandRun, ScratchCopy } from '../validate.ts'

/** A file as it is, and as it is with a fault. */
export interface FaultyText {
  readonly path: string
  readonly text: string
  readonly faulty: string
}

export interface ByCommand {
  readonly root: string
  readonly command: string
  readonly planted: readonly FaultyText[]
  readonly budgetMs: number
  readonly timeoutMs: number
  readonly env: Readonly<Record<string, string>>
  readonly sandbox: RepairSandbox
  readonly signal?: AbortSignal | undefined
}

export type CommandFates =
  | { readonly is: 'tried'; readonly fates: readonly MutantFate[] }
  | { readonly is: 'not_run'; readonly why: string }

const SLACK_MS = 5_000
const SLOWER = 3

export async function tryAll(options: ByCommand): Promise<CommandFates> {
  const { root, command, planted, signal, timeoutMs } = options
  const until = performance.now() + options.budgetMs
  const copy = new ScratchCopy(root, options)
  try {
    const started = performance.now()
    const isAborted = () => signal?.aborted === true
    const leftMs = () => until - performance.now()
    const sound = await copy.run(command, {
      timeoutMs: Math.min(timeoutMs, leftMs()),
      signal,
    })
    if (sound.is !== 'passed') return { is: 'not_run', why: whyNot(sound, command) }
    const limitMs = Math.min(timeoutMs, SLACK_MS + SLOWER * (performance.now() - started))
    const fates: MutantFate[] = []
    for (const { path, text, faulty } of planted) {
      // With less time than a run may take, an end by the clock would say nothing.
      const isOver = leftMs() < limitMs || isAborted()
      if (isOver || !isHarmless(text, path)) {
        fates.push('not_tried')
        continue
      }
      copy.write(path, faulty)
      const run = await copy.run(command, { timeoutMs: limitMs, signal })
      copy.write(path, text)
      fates.push(isAborted() ? 'not_tried' : fateOf(run))
    }
    return { is: 'tried', fates }
  } finally {
    copy.remove()
  }
}

function whyNot(run: CommandRun, command: string): string {
  const how = run.is === 'timed_out' ? 'did not end in time' : 'was not green'
  return `\`${command}\` ${how} in a copy of the project without any planted fault`
}

/** As the runners print what an assertion found. */
const ASSERTION =
  /AssertionError|ERR_ASSERTION|AssertionFailed|\bExpected:|\bexpected\b[^\n]*\b(?:to|but|received|got)\b|\bexpect\(|\bassert(?:ion)?\b[^\n]*\bfail/i

function fateOf({ is, tail }: CommandRun): MutantFate {
  if (is === 'passed') return 'survived'
  if (is === 'timed_out') return 'timed_out'
  return ASSERTION.test(tail) ? 'killed' : 'broke'
}
