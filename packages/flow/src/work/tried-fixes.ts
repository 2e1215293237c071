// What became of each fix: read from the test run that followed it.
import type { FixNote, PhaseRecord } from '@treadle/contracts/run'

export interface TriedFix {
  readonly attempt: number
  readonly record: PhaseRecord
  readonly fix: FixNote
  readonly result: 'helped' | 'still fails' | 'not tested'
}

export function triedFixes(history: readonly PhaseRecord[]): TriedFix[] {
  return history.flatMap((record, index) => {
    if (record.phase !== 'build' && record.phase !== 'improve') return []
    const test = history.slice(index + 1).find((next) => next.phase !== 'commit')
    return record.fixes.map((fix) => ({
      attempt: record.iteration + 1,
      record,
      fix,
      result: resultOf(fix, test?.phase === 'test' ? test : null),
    }))
  })
}

function resultOf(fix: FixNote, test: PhaseRecord | null): TriedFix['result'] {
  if (test === null) return 'not tested'
  if (fix.group === null) return test.outcome === 'passed' ? 'helped' : 'still fails'
  const { signature, tests } = fix.group
  const stillThere = test.groups.some(
    (group) => group.signature === signature || group.tests.some((name) => tests.includes(name)),
  )
  return stillThere ? 'still fails' : 'helped'
}
