// Looks at one commit with all surveys, to tell whether a finding was put right. A program of its own, so that what a
// repository holds is read in the surroundings of the gates. Usage: finding.ts --order FILE --answer FILE
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { FindingOrder } from '@treadle/contracts/finding-measure'
import { openCommitFiles } from '@treadle/git/commit-files'
import { Project } from '@treadle/survey/project'
import { surveyCommit } from '@treadle/survey/survey-commit'
import { complain } from './end.ts'
import { readEnv } from './env.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { order: { type: 'string' }, answer: { type: 'string' } } })
  const { cwd, commit, finding, now } = FindingOrder.parse(
    JSON.parse(readFileSync(values.order ?? '', 'utf8')),
  )
  const files = openCommitFiles({ repository: cwd, env: readEnv() }, commit)
  const surveyed = await surveyCommit(new Project(files, () => new Date(now)), finding)
  writeFileSync(values.answer ?? '', JSON.stringify(surveyed))
}

if (import.meta.main) await main().catch(complain)
