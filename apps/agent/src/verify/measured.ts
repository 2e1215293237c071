// What a receipt says of the measure of a finding, measured again by Treadle's own surveys.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type FindingOrder, findingOf, SurveyedCommit } from '@treadle/contracts/finding-measure'
import { measuredWords, measureWords } from '@treadle/contracts/words/measure'
import { judgeFinding } from '@treadle/gates/review/decide-finding'
import { mergeBase } from '@treadle/git/ancestry'
import { openGit } from '@treadle/git/git'
import { FINDING_PROGRAM } from '../finding-program.ts'
import type { Again } from './again.ts'
import type { Check } from './compare.ts'
import { run, type Way } from './without-network.ts'

const what = 'measure'
const LOOK_MS = 120_000

interface Looking {
  readonly cwd: string
  /** Where orders and answers may be put. */
  readonly folder: string
  /** Null: the network could not be taken away; the surveys use none. */
  readonly way: Way | null
}

/** Nothing, if the receipt states no measure. A measure that is no finding's is told and not taken again. */
export async function checkMeasure(again: Again, looking: Looking): Promise<Check[]> {
  const { measure, base, head } = again.receipt.predicate
  if (measure === undefined) return []
  const stated = `${measureWords(measure)}: ${measuredWords(measure.found)}`
  const finding = findingOf(measure.command)
  if (finding === null) return [{ what, is: 'note', words: `${stated}; stated, not executed again` }]
  const began = await mergeBase(
    openGit({ repository: looking.cwd, env: again.env }),
    base.commit,
    head.commit,
  )
  if (began !== measure.base)
    return [{ what, is: 'differs', words: `the change began at ${began}, stated was ${measure.base}` }]
  again.tell(`looking again: ${measure.command}`)
  const order = { cwd: looking.cwd, finding, now: again.receipt.predicate.madeAt, budgetMs: LOOK_MS }
  const before = await look(again, looking, { ...order, commit: began })
  const after = await look(again, looking, { ...order, commit: head.commit })
  const { found, why } = judgeFinding(finding, { base: before, head: after })
  if (isDeepStrictEqual(found, measure.found)) return [{ what, is: 'same', words: stated }]
  // What was installed for the merge may be missing here, and a survey then says nothing of it.
  const isUnseen = found.is === 'unknown' || (found.is === 'not_improved' && found.before === 0)
  const words = `${why}; stated was: ${measuredWords(measure.found)}`
  return [{ what, is: isUnseen ? 'missing' : 'differs', words }]
}

async function look(
  { env, signal }: Again,
  { folder, way }: Looking,
  order: FindingOrder,
): Promise<SurveyedCommit> {
  const own = mkdtempSync(join(folder, 'survey-'))
  const [asked, answer] = [join(own, 'order.json'), join(own, 'answer.json')]
  writeFileSync(asked, JSON.stringify(order))
  const program = [process.execPath, '--no-warnings', FINDING_PROGRAM, '--order', asked, '--answer', answer]
  const ending = AbortSignal.any([signal, AbortSignal.timeout(order.budgetMs)])
  const code = await run([...(way?.words ?? []), ...program], way?.env ?? env, ending)
  if (code !== 0) return { is: 'not_run', why: 'the surveys did not come to their end' }
  return SurveyedCommit.parse(JSON.parse(readFileSync(answer, 'utf8')))
}
