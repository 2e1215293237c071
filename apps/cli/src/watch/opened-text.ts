// The texts that the full-screen view opens: a change with what speaks for it, and the output of a run.
import type { Client } from '@treadle/contracts/client'
import type { GateResult } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import { GATE_WORDS } from '@treadle/contracts/words/gates'
import { changeOf, sizeWords } from '../items/item-change.ts'
import { evidenceWords } from '../items/item-table.ts'
import { fittedLog, logLines } from '../items/log-lines.ts'
import { runEvents } from '../items/run-events.ts'
import { paint } from '../output.ts'
import { wrapColumns } from '../terminal/columns.ts'
import { diffLine } from '../terminal/markdown.ts'
import { plainText, seenText } from '../terminal/plain-text.ts'

export interface TextOf {
  readonly client: Client
  readonly root: string
  readonly target: string
  readonly item: Item
  readonly columns: number
}

/** What speaks for a change stands above it: evidence, checks and criteria. */
export async function diffText(given: TextOf, review: Review | null): Promise<string[]> {
  const { item, columns } = given
  const { diff, files, what } = await changeOf(given)
  const many = files.length === 1 ? '1 file' : `${files.length} files`
  return [
    paint('bold', `#${item.number} ${plainText(item.title)}`),
    ...trustLines(item, review).flatMap((line) => wrapColumns(plainText(line), columns)),
    '',
    files.length === 0
      ? paint('dim', `Nothing is changed yet · ${what}`)
      : paint('bold', `${many}, ${sizeWords(files)}`) + paint('dim', ` · ${what}`),
    '',
    ...seenText(diff.replace(/\n$/, ''))
      .split('\n')
      .map((line) => diffLine(line.replaceAll('\t', '    '))),
  ]
}

function trustLines(item: Item, review: Review | null): string[] {
  const evidence = review?.evidence ?? item.evidence
  const criteria = review?.criteria ?? []
  const met = criteria.filter(({ status }) => status === 'met').length
  return [
    evidence === null ? 'Evidence: the checks have not run yet.' : evidenceWords(evidence),
    ...(review === null || review.checkedAt === null ? [] : checkLines(review.checks)),
    criteria.length === 0 ? 'Criteria: none' : `Criteria: ${met} of ${criteria.length} met`,
    ...criteria.map(({ status, description }) => `  [${status === 'met' ? 'x' : ' '}] ${description}`),
    ...(review?.why == null ? [] : [`Why it waits: ${review.why}`]),
  ]
}

const MARKS: Readonly<Record<GateResult['is'], string>> = {
  failed: '✗ failed',
  not_run: '✗ not run',
  passed_with_warnings: '! passed with warnings',
  passed: '✓ passed',
  skipped: '· skipped',
}

/** A line for each way a check can end, the bad ones first: the change is to be on the same screen. */
function checkLines(checks: readonly GateResult[]): string[] {
  return (Object.keys(MARKS) as GateResult['is'][]).flatMap((is) => {
    const names = checks.filter((check) => check.is === is).map(({ gate }) => GATE_WORDS[gate])
    return names.length === 0 ? [] : [`${MARKS[is]}: ${names.join(', ')}`]
  })
}

const PAGES_MAX = 20

/** The log of the last run of an item. */
export async function outputText({ client, item, columns }: TextOf): Promise<string[]> {
  const params = { projectNumber: item.projectNumber, issueNumber: item.number }
  const { runs } = await client.showItem({ params })
  const last = runs.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt)).at(-1)
  if (last === undefined) return [`No agent has worked on #${item.number} yet.`]
  const events = await runEvents(client, last.id, PAGES_MAX)
  const lines = events.flatMap((event) => logLines(event, { full: false }))
  const end =
    last.endedAt === null
      ? []
      : [paint('dim', `The run is over: ${(last.outcome ?? last.status).replaceAll('_', ' ')}.`)]
  return [...lines, ...end].flatMap((line) => fittedLog(line.replaceAll('\t', '    '), columns).split('\n'))
}
