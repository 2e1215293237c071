// What a finished run teaches: fixes that helped become resolutions, causes nobody could mend become unresolved errors.
import type { ItemMove } from '@treadle/contracts/event'
import { gatesGreen } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import { NewLesson } from '@treadle/contracts/lesson'
import type { GroupNote, PhaseRecord, Run } from '@treadle/contracts/run'
import { helpedBy } from '@treadle/memory/remedy'
import { triedFixes } from '../work/tried-fixes.ts'

const DISCOVERED = 0.7
const LESSONS_MAX = 20
const DIFF_SHOWN_MAX = 4_000

export function lessonsOf(
  { before, after }: { before: Item; after: Item },
  run: Pick<Run, 'id' | 'history' | 'iteration'>,
  move: ItemMove,
): NewLesson[] {
  if (move.type === 'verify.passed' && gatesGreen(move.gates)) return resolutions(run, move.head)
  return after.state === 'escalated' && before.state !== 'escalated' ? unresolved(after, run) : []
}

function resolutions(run: Pick<Run, 'id' | 'history'>, commit: string): NewLesson[] {
  const helped = triedFixes(run.history).filter(
    ({ fix, result }) => result === 'helped' && fix.group !== null,
  )
  return helped.slice(0, LESSONS_MAX).flatMap(({ fix, record, attempt }) =>
    fix.group === null || !fix.novel
      ? []
      : [
          NewLesson.parse({
            type: 'resolution',
            topic: fix.group.cause.slice(0, 200) || null,
            signature: fix.group.signature,
            confidence: DISCOVERED,
            provenance: { runId: run.id, attempt, commit },
            content: helpedBy(record.changes),
            payload: {
              novel: true,
              engine: fix.engine,
              said: fix.said,
              files: record.changes,
              diff: record.diff.slice(0, DIFF_SHOWN_MAX),
            },
          }),
        ],
  )
}

function unresolved(item: Item, run: Pick<Run, 'id' | 'history' | 'iteration'>): NewLesson[] {
  return finalGroups(run.history)
    .slice(0, LESSONS_MAX)
    .map((group) =>
      NewLesson.parse({
        type: 'unresolved_error',
        topic: group.cause.slice(0, 200) || null,
        signature: group.signature,
        confidence: DISCOVERED,
        provenance: { runId: run.id, attempt: run.iteration + 1, commit: null },
        payload: {
          escalation: { item: `${item.projectNumber}/${item.number}`, why: item.reason ?? '' },
          tests: group.tests.slice(0, 20),
          tried: triedFixes(run.history)
            .filter(({ fix }) => fix.group?.signature === group.signature)
            .map(({ attempt, fix }) => ({ attempt, engine: fix.engine, said: fix.said.slice(0, 500) })),
        },
      }),
    )
}

/** What the last test run left broken. */
function finalGroups(history: readonly PhaseRecord[]): readonly GroupNote[] {
  return history.findLast((record) => record.phase === 'test')?.groups ?? []
}
