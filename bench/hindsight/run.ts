// Usage: node bench/hindsight/run.ts [--save texts.json | --texts texts.json]
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Case, type Corpus, dealt, printAll } from './cases.ts'
import { isAhead, measure, measureSpeed, printedScores, printedSpeed } from './measure.ts'

const { values } = parseArgs({ options: { save: { type: 'string' }, texts: { type: 'string' } } })
const corpus: Corpus =
  values.texts === undefined ? await printAll() : JSON.parse(await readFile(values.texts, 'utf8'))
if (values.save !== undefined) await writeFile(values.save, `${JSON.stringify(corpus, null, 1)}\n`)

const { questions, distractors } = dealt(corpus.cases)
const asked = [...questions.tuning, ...questions.aside]
const of = (cases: readonly Case[]) => new Set(cases.map(({ library }) => library)).size
process.stdout.write(
  `${asked.length} errors of ${of(asked)} libraries and programs, ${distractors.length} distractors of ${of(distractors)}\n`,
)
if (corpus.leftOut.length > 0) process.stdout.write(`left out: ${corpus.leftOut.join(', ')}\n`)
const scores = await measure(corpus.cases)
process.stdout.write(printedScores(scores))
process.stdout.write(printedSpeed(measureSpeed(corpus.cases)))
if (!isAhead(scores)) {
  process.stdout.write('not ahead of each\n')
  process.exitCode = 1
}
