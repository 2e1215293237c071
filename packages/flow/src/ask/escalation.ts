// The escalation report, drawn from the run's own history and gates. Pure.
import type { Escalation } from '@treadle/contracts/escalation'
import type { GateResult, TestFailure } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import { type KeptAttempt, keptAttempt } from '@treadle/contracts/kept-change'
import type { GroupNote, PhaseRecord, Run } from '@treadle/contracts/run'
import { groupFailures } from '../verify/failure/group.ts'
import { groupNote } from '../verify/failure/note.ts'
import { triedFixes } from '../work/tried-fixes.ts'

const AREAS_MAX = 10
const MESSAGE_LINES_MAX = 12
const TESTS_MAX = 50

/** `alone`: a fix without a crew, whose item is in no queue. */
export function escalationOf(item: Item, run: Run, alone = false): Escalation {
  const { own: failures, older } = splitFailures(item, run)
  const ids = new Set(failures.map(({ id }) => id))
  const kept = keptAttempt([run])
  const groups = causesOf(run, failures).filter(({ tests }) => older === 0 || tests.some((id) => ids.has(id)))
  return {
    run: run.id,
    item: `${item.projectNumber}/${item.number}`,
    title: item.title,
    why: item.reason ?? 'no reason was given',
    attempts: triedFixes(run.history).map(({ attempt, record, fix, result }) => ({
      attempt,
      engine: fix.engine,
      cause: fix.group?.cause ?? null,
      novel: fix.novel,
      said: fix.said,
      changes: record.changes,
      result,
    })),
    kept:
      kept === null
        ? null
        : { attempt: kept.attempt, refusedBy: kept.refusedBy, commit: kept.commit, ref: kept.ref },
    remaining: groups.map((group) => remainingOf(group, failures, run)),
    older,
    areas: areasOf(failures, run.history),
    nextSteps: [
      ...(kept === null ? [] : [takeWords(item, kept, alone)]),
      ...nextStepsOf(run, groups),
      ...(alone ? ALONE : inQueue(item)),
    ],
  }
}

/** An item with tests of its own does not answer for what the suite had failing before it: that is only counted. */
function splitFailures(item: Item, { gates, baseline }: Run): { own: TestFailure[]; older: number } {
  const last = gates.length > 0 ? gates : baseline
  if (item.testCommand === null) return { own: failuresOf(last), older: 0 }
  const isSuite = ({ gate }: GateResult) => gate === 'no_regression'
  const before = new Set(failuresOf(baseline.filter(isSuite)).map(({ id }) => id))
  const suite = failuresOf(last.filter(isSuite))
  const asked = failuresOf(last.filter((gate) => !isSuite(gate)))
  const named = new Set(asked.map(({ id }) => id))
  return {
    own: [...asked, ...suite.filter(({ id }) => !before.has(id) && !named.has(id))],
    older: suite.filter(({ id }) => before.has(id) && !named.has(id)).length,
  }
}

function failuresOf(gates: readonly GateResult[]): TestFailure[] {
  return gates.flatMap((gate) => (gate.is === 'failed' ? gate.failures : []))
}

/** As the last test run put them; where there was none, as far as the failures alone tell. */
function causesOf(run: Run, failures: readonly TestFailure[]): readonly GroupNote[] {
  const tested = run.history.findLast((record) => record.phase === 'test')
  return tested?.groups.length ? tested.groups : groupFailures(failures).map(groupNote)
}

function remainingOf(
  group: GroupNote,
  failures: readonly TestFailure[],
  run: Run,
): Escalation['remaining'][number] {
  const before = new Set(failuresOf(run.baseline).map(({ id }) => id))
  return {
    cause: group.cause,
    signature: group.signature,
    tests: group.tests.slice(0, TESTS_MAX),
    message: (failures.find(({ id }) => group.tests.includes(id))?.message ?? '')
      .split('\n')
      .slice(0, MESSAGE_LINES_MAX)
      .join('\n'),
    old: group.tests.every((test) => before.has(test)),
  }
}

/** Own frames of what fails count most, then what the attempts touched, then the tests themselves. */
function areasOf(failures: readonly TestFailure[], history: readonly PhaseRecord[]): Escalation['areas'] {
  const seen = new Map<string, { why: string; weight: number }>()
  const add = (place: string, why: string, weight: number) => {
    const before = seen.get(place)
    seen.set(place, { why: before?.why ?? why, weight: (before?.weight ?? 0) + weight })
  }
  for (const failure of failures) {
    const own = (failure.frames ?? []).filter((frame) => frame.own && frame.file !== failure.file)
    for (const frame of own.slice(0, 3))
      add(
        frame.line === null ? frame.file : `${frame.file}:${frame.line}`,
        'on the stack of a failing test',
        4,
      )
  }
  const changedBy = changedWords(history)
  for (const file of new Set(history.flatMap((record) => record.changes))) add(file, changedBy, 2)
  for (const { file, line } of failures)
    if (file !== null) add(line === null ? file : `${file}:${line}`, 'where a failing test is written', 1)
  return [...seen]
    .sort(([, a], [, b]) => b.weight - a.weight)
    .slice(0, AREAS_MAX)
    .map(([place, { why }]) => ({ place, why }))
}

function changedWords(history: readonly PhaseRecord[]): string {
  const isKept = history.some(({ kept }) => kept !== null)
  return isKept ? 'changed by the attempts' : 'changed by an attempt that did not help'
}

/** A fix without a crew is no item that could be named. */
function takeWords({ number }: Item, { attempt, commit }: KeptAttempt, alone: boolean): string {
  const how = alone ? `git cherry-pick --no-commit ${commit.slice(0, 12)}` : `treadle take ${number}`
  return `Take the change of attempt ${attempt}, and mend what refused it: ${how}`
}

const ALONE = ['Make the change by hand, or try again with another engine: treadle fix --engine <name>']

function inQueue({ number }: Item): string[] {
  return [
    `Say more about what is wanted and try again: treadle reopen ${number}`,
    `Or do it by hand and drop it: treadle withdraw ${number}`,
  ]
}

function nextStepsOf(run: Run, groups: readonly GroupNote[]): string[] {
  const failed = run.gates.find((gate) => gate.is === 'failed')
  const command = failed?.is === 'failed' ? failed.evidence.command : null
  const last = run.history.findLast(({ phase }) => phase === 'build' || phase === 'improve')
  return [
    ...(command === null || command.startsWith('treadle: ') ? [] : [`See it fail: ${command}`]),
    ...groups.slice(0, 3).map((group) => `Look into: ${group.cause}`),
    ...(last === undefined
      ? []
      : [`Have an attempt explained: treadle explain ${run.id} ${last.iteration + 1}`]),
  ]
}
