// Agents that stream what they do, over the API as their processes do: words, calls, output, and what that has cost.
import type { RunReport } from '@treadle/contracts/event'
import { say, type Work } from '../../scenarios/kit/hand-agent.ts'

/** An event that carries a mark to look for on a page. */
export interface Posted {
  /** From 1, by the place among the agents. */
  readonly agent: number
  /** Counts the marked events of one agent. */
  readonly n: number
  /** Just before the request, in milliseconds since 1970. */
  readonly at: number
}

export interface Stream {
  readonly posted: readonly Posted[]
  /** Ends it once everything that was begun is recorded. */
  stop(): Promise<void>
}

/** Every so many events one tells of tokens, which the page adds up elsewhere. */
const USED_EVERY = 10
const LINES = 40

/** The clock of a browser on the same machine says the same. */
export const nowMs = (): number => performance.timeOrigin + performance.now()

/** Each agent posts an event every `everyMs`, or as soon as the last one is answered. */
export function startStream(works: readonly Work[], everyMs: number, from = 0): Stream {
  const posted: Posted[] = []
  let isOver = false
  const run = async (work: Work, agent: number) => {
    for (let n = from + 1; !isOver; n += 1) {
      const next = performance.now() + everyMs
      posted.push({ agent, n, at: nowMs() })
      await say(work, reportOf(n, `mark-${agent}-${n}-`))
      if (n % USED_EVERY === 0) await say(work, USED)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())))
    }
  }
  const running = Promise.all(works.map((work, index) => run(work, index + 1)))
  return {
    posted,
    async stop() {
      isOver = true
      await running
    },
  }
}

const USED: RunReport = {
  type: 'run.used',
  usage: { model: 'm', inputTokens: 1_000, outputTokens: 200, usd: 0.01 },
}

function reportOf(n: number, mark: string): RunReport {
  const input = `npm test -- src/module-${n % 7}.test.ts ${mark}`
  switch (n % 4) {
    case 1:
      return { type: 'run.began', callId: `call-${n}`, tool: 'Bash', input }
    case 2: {
      const output = `${'  ok: a test with a name of an ordinary length\n'.repeat(LINES)}${mark}`
      return {
        type: 'run.observed',
        observation: { tool: 'Bash', input, output, durationMs: 100, success: true },
      }
    }
    default:
      return { type: 'run.said', text: `I look at the module and its tests again.\nNow ${mark}\n` }
  }
}
