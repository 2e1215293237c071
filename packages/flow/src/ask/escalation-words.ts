// An escalation report and the story of one attempt, as Markdown for people.
import type { Escalation } from '@treadle/contracts/escalation'
import { keptWords } from '@treadle/contracts/kept-change'
import type { PhaseRecord, Run } from '@treadle/contracts/run'
import { gatesWords } from '@treadle/contracts/words/gates'
import { duration } from '@treadle/contracts/words/time'
import { triedFixes } from '../work/tried-fixes.ts'

export const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')
export const fence = (text: string, kind = ''): string => {
  // Longer than any run of backticks inside, so that the text cannot close it.
  const inside = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length)
  const marks = '`'.repeat(Math.max(3, ...inside.map((length) => length + 1)))
  return `${marks}${kind}\n${text.trimEnd()}\n${marks}`
}

export function escalationMarkdown(escalation: Escalation): string {
  const attempts = escalation.attempts.map(attemptWords)
  const remaining = escalation.remaining.flatMap((group) => [
    `### ${group.cause}`,
    `${group.tests.length} test(s)${group.old ? ', failing since before the first attempt' : ''}:`,
    list(group.tests.slice(0, 10)),
    ...(group.message === '' ? [] : [fence(group.message)]),
  ])
  const none = 'Nothing was found.'
  return `${[
    `# #${escalation.item} ${escalation.title}`,
    escalation.why.includes('\n') ? fence(escalation.why) : escalation.why,
    ...(escalation.kept === null ? [] : [keptWords(escalation.kept)]),
    '## What was tried',
    attempts.length === 0 ? 'No attempt was made.' : list(attempts),
    '## What still fails',
    ...(remaining.length === 0 ? [none] : remaining),
    ...(escalation.older === 0 ? [] : [olderWords(escalation.older)]),
    '## Where to look',
    escalation.areas.length === 0 ? none : list(escalation.areas.map(({ place, why }) => `${place}: ${why}`)),
    '## Next steps',
    list(escalation.nextSteps),
  ].join('\n\n')}\n`
}

export function attemptWords(tried: Escalation['attempts'][number]): string {
  const what = tried.cause === null ? 'the whole item' : tried.cause
  const changed = tried.changes.length === 0 ? 'changed nothing' : `changed ${tried.changes.join(', ')}`
  const how = tried.novel ? 'a novel fix' : 'a known resolution'
  return `Attempt ${tried.attempt}, ${tried.engine}, ${how} for: ${what.replace(/\.$/, '')}. It ${changed}. Result: ${tried.result}.`
}

function olderWords(count: number): string {
  return count === 1
    ? 'One other test of the suite failed before this item already. It is not listed here.'
    : `${count} other tests of the suite failed before this item already. They are not listed here.`
}

/** Attempt 1 is the build; null if there was none of that number. */
export function explainAttempt(run: Run, attempt: number): string | null {
  const index = run.history.findIndex(
    ({ phase, iteration }) => (phase === 'build' || phase === 'improve') && iteration + 1 === attempt,
  )
  const record = run.history[index]
  if (record === undefined) return null
  const known = run.history.slice(0, index).findLast(({ phase }) => phase === 'test')
  const after = run.history.slice(index + 1).find(({ phase }) => phase === 'test')
  return `${[
    `# Attempt ${attempt} of run ${run.id}: ${record.phase}, ${record.outcome} after ${duration(record.durationMs)}`,
    '## What was known before',
    knownBefore(run, known),
    ...(record.applied.length === 0
      ? []
      : [
          `Lessons shown: ${record.applied.map(({ type, topic, confidence }) => `${type} "${topic ?? 'without a topic'}" (${confidence})`).join('; ')}.`,
        ]),
    '## What was tried',
    ...triedIn(run, attempt),
    '## What it changed',
    record.changes.length === 0 ? 'Nothing.' : list(record.changes),
    ...(record.diff === '' ? [] : [fence(record.diff, 'diff')]),
    ...(record.diffOutput === null ? [] : [`The whole diff is evidence ${record.diffOutput}.`]),
    '## What the tests said then',
    after === undefined ? 'They were not run after it.' : `${after.outcome}: ${after.summary}`,
    ...(after === undefined || after.groups.length === 0 ? [] : [groupList(after)]),
  ].join('\n\n')}\n`
}

function knownBefore(run: Run, known: PhaseRecord | undefined): string {
  if (known === undefined) return `The tests before any change: ${gatesWords(run.baseline) || 'not run'}.`
  return known.groups.length === 0 ? known.summary || known.outcome : groupList(known)
}

function groupList(record: PhaseRecord): string {
  return list(record.groups.map(({ cause, tests }) => `${cause} (${tests.length} test(s))`))
}

function triedIn(run: Run, attempt: number): string[] {
  const tried = triedFixes(run.history).filter((each) => each.attempt === attempt)
  if (tried.length === 0) return ['The engine was asked once, for the whole item.']
  return tried.map(({ fix, result }) =>
    [
      `- ${fix.group?.cause ?? 'The whole item'}: ${fix.novel ? 'a novel fix' : `after lesson ${fix.lessonId}`} by ${fix.engine}, ended ${fix.outcome}, ${result}.`,
      ...(fix.said === '' ? [] : [`  It said: ${fix.said.split('\n').slice(0, 6).join('\n  ')}`]),
      ...(fix.prompt === null ? [] : [`  What it was told is evidence ${fix.prompt}.`]),
    ].join('\n'),
  )
}
