// What became of an item, in words for each outcome: merged, waiting, at work, in conflict, escalated, withdrawn.
import type { Escalation, Explanation } from '@treadle/contracts/escalation'
import type { Item, ItemState } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import { gatesWords } from '@treadle/contracts/words/gates'
import { duration } from '@treadle/contracts/words/time'
import { escalationOf } from './escalation.ts'
import { attemptWords, escalationMarkdown, explainAttempt, fence, list } from './escalation-words.ts'

/** One attempt, or all of the run; null if there is no such attempt. `alone`: a fix without a crew. */
export function explain(
  { item, run }: { item: Item; run: Run },
  { attempt, alone = false, now }: { attempt: number | null; alone?: boolean; now: Date },
): Explanation | null {
  if (attempt !== null) {
    const text = explainAttempt(run, attempt)
    return text === null ? null : { run: run.id, attempt, text, escalation: null }
  }
  const escalation = escalationOf(item, run, alone)
  // What became of the item is the last run's doing; an earlier one is told as what it was.
  const isLast = item.runId === null || item.runId === run.id
  const words = alone || !isLast ? null : outcomeMarkdown({ item, run, now }, escalation)
  return { run: run.id, attempt: null, text: words ?? escalationMarkdown(escalation), escalation }
}

interface ExplainedRun {
  readonly item: Item
  readonly run: Run
  readonly now: Date
}

interface Outcome {
  /** The first sentence. */
  readonly stands: string
  readonly steps: readonly string[]
}

/** Null: somebody has to take over, and the report for that is another one. */
function outcomeMarkdown(told: ExplainedRun, escalation: Escalation): string | null {
  const { item, run } = told
  const outcome = outcomeOf(told)
  if (outcome === null) return null
  const { attempts } = escalation
  const changed = [...new Set(run.history.flatMap(({ changes }) => changes))]
  return `${[
    `# #${escalation.item} ${item.title}`,
    outcome.stands,
    ...(item.reason === null ? [] : [item.reason.includes('\n') ? fence(item.reason) : item.reason]),
    ...(item.evidence === null ? [] : [`Evidence: ${item.evidence.level}. ${item.evidence.why}`]),
    ...(run.gates.length === 0 ? [] : [`Checks: ${gatesWords(run.gates)}.`]),
    '## What was done',
    attempts.length === 0 ? 'Nothing yet.' : list(attempts.map(attemptWords)),
    ...(changed.length === 0 ? [] : [`Changed files: ${changed.join(', ')}.`]),
    '## Next steps',
    list([...outcome.steps, ...explained(run)]),
  ].join('\n\n')}\n`
}

function outcomeOf({ item, run, now }: ExplainedRun): Outcome | null {
  const { number, claimedByAgentId: agent } = item
  const at = run.phase === null ? '' : `, in its phase ${run.phase}`
  const atWork = (what: string): Outcome => ({
    stands: `${agent ?? 'An agent'} ${what}${at}, for ${duration(now.getTime() - Date.parse(item.claimedAt ?? run.startedAt))}.`,
    steps: [`Watch it: treadle show ${number}`, `Stop it: treadle withdraw ${number}`],
  })
  const outcomes: Partial<Record<ItemState, () => Outcome>> = {
    done: () => merged(item),
    in_review: () => ({
      stands: item.needsHuman
        ? 'It is delivered and waits for a person.'
        : 'It is delivered and its review is under way.',
      steps: [
        `See the change and its checks: treadle review show ${number}`,
        `Approve it: treadle approve ${number}`,
        `Or request changes: treadle request-changes ${number} --feedback "what is missing"`,
      ],
    }),
    merging: () => ({
      stands: 'It is approved and is being merged.',
      steps: [`Watch it: treadle show ${number}`],
    }),
    claimed: () => atWork('has just taken it'),
    building: () => atWork('works on it'),
    improving: () => atWork('works on it'),
    verifying: () => atWork('checks it'),
    rework: () => ({
      stands: 'It was sent back; the next agent goes on with it.',
      steps: [`See what was asked for: treadle review show ${number}`],
    }),
    conflicted: () => ({
      stands: 'It conflicts with what was merged in the meantime.',
      steps: [`See both sides: treadle conflicts show ${number}`, `Or drop it: treadle withdraw ${number}`],
    }),
    todo: () => ({ stands: 'It waits in the queue.', steps: [`See it: treadle show ${number}`] }),
    backlog: () => ({
      stands: 'It went back to the queue; the next agent that is free takes it up.',
      steps: [`See it: treadle show ${number}`],
    }),
    withdrawn: () => ({
      stands: 'It was withdrawn.',
      steps: [`Put it back into the queue: treadle reopen ${number}`],
    }),
  }
  return outcomes[item.state]?.() ?? null
}

function merged({ number, mergeCommit, approval }: Item): Outcome {
  const by = approval === null ? '' : `, approved by ${approval.by}`
  return {
    stands: mergeCommit === null ? 'It is done.' : `It is merged as ${mergeCommit.slice(0, 12)}${by}.`,
    steps: [
      ...(mergeCommit === null
        ? [`See it: treadle show ${number}`]
        : [
            `Run its proof again: treadle verify ${mergeCommit.slice(0, 12)}`,
            `Take it back: treadle revert ${number}`,
          ]),
    ],
  }
}

function explained({ id, history }: Run): string[] {
  const last = history.findLast(({ phase }) => phase === 'build' || phase === 'improve')
  return last === undefined ? [] : [`Have an attempt explained: treadle explain ${id} ${last.iteration + 1}`]
}
