// treadle fix --engine repair --dry-run: searches in the checkout as it is, changes nothing, prints what it would propose.
import type { TestFailure } from '@treadle/contracts/gate'
import type { RepairSandbox } from '@treadle/repair/confined'
import { repair } from '@treadle/repair/repair'
import { type RepairResult, searchFigures } from '@treadle/repair/result'

export interface DryRun {
  readonly root: string
  readonly testCommand: string | null
  /** What the test command shows as it is. */
  readonly failures: readonly TestFailure[]
  readonly env: Readonly<Record<string, string>>
  readonly budgetSeconds: number
  readonly slowSeconds: number
  readonly testTimeoutMs: number
  readonly maxCandidates: number
  /** Of the clock, for the search; null: the processor's seconds are all that counts. */
  readonly wallSeconds?: number | null
  onGreen?(diff: string): void
  readonly sandbox: RepairSandbox
  readonly tell: (text: string) => void
}

export async function dryRun(order: DryRun, signal: AbortSignal): Promise<RepairResult> {
  let told = 0
  return repair(
    {
      cwd: order.root,
      testCommand: order.testCommand,
      failures: order.failures,
      env: order.env,
      budgetSeconds: order.budgetSeconds,
      slowSeconds: order.slowSeconds,
      testTimeoutMs: order.testTimeoutMs,
      maxCandidates: order.maxCandidates,
      ...(order.wallSeconds === null || order.wallSeconds === undefined
        ? {}
        : { wallSeconds: order.wallSeconds }),
      sandbox: order.sandbox,
    },
    ({ stage, candidates, total, perSecond, green, best }) => {
      if (best !== null) order.onGreen?.(best)
      if (performance.now() - told < 1_000) return
      told = performance.now()
      const line = best?.split('\n').find((one) => /^\+(?!\+\+)/.test(one))
      const found = line === undefined ? '' : `, best so far: ${line.slice(1).trim()}`
      order.tell(
        `  ${stage}: ${candidates} of ${total} candidates, ${Math.round(perSecond)} a second, ${green} green${found}`,
      )
    },
    signal,
  )
}

/** What programs read. */
export function dryRunJson(found: RepairResult, notes: readonly string[]) {
  const { outcome, reason, patches, candidates, seconds, question } = found
  return {
    outcome,
    reason,
    patches: patches.map(({ diff, confidence, why, kind, tests, special }) => ({
      diff,
      confidence,
      why,
      kind,
      tests,
      special,
    })),
    question,
    candidates,
    search: searchFigures(found),
    seconds: Math.round(seconds * 1_000) / 1_000,
    suspicious: placesOf(found),
    notes,
  }
}

/** Several suspects may stand in one line; the first is the most suspicious. */
function placesOf({ suspicious }: RepairResult): RepairResult['suspicious'] {
  const seen = new Set<string>()
  return suspicious.filter(({ file, line }) => {
    const place = `${file}:${line}`
    return !seen.has(place) && seen.add(place)
  })
}

const SHOWN_MAX = 3

export function describeDryRun(found: RepairResult): string {
  const { outcome, reason, patches } = found
  const places = placesOf(found)
    .slice(0, 5)
    .map(({ file, line, score }) => `  ${file}:${line}  ${score.toFixed(2)}`)
  const looked = places.length === 0 ? [] : ['', 'Most suspicious lines:', ...places]
  if (outcome !== 'plausible') return [reason, ...looked].join('\n')
  const shown = patches
    .slice(0, SHOWN_MAX)
    .flatMap(({ diff, confidence, why, special }, index) => [
      '',
      `Patch ${index + 1}, confidence ${confidence}${special ? ', special-cases a value of the tests' : ''}: ${why}`,
      diff.trimEnd(),
    ])
  return [
    `${reason} Plausible, not proved: the tests are all that is known.`,
    ...shown,
    ...(found.question === null ? [] : ['', `One answer would tell: ${found.question.text}`]),
    ...looked,
    '',
    'Nothing was changed. Without --dry-run the best one goes through the gates to a commit on a branch.',
  ].join('\n')
}
