// What all surveys say of one commit, and what shows whether a finding that is gone was put right or only out of sight.
import { type FindingName, type SurveyedCommit, surveyOf } from '@treadle/contracts/finding-measure'
import { FILES_MAX, isCode, isTest, type Project } from './project.ts'
import type { FindingFacts } from './survey.ts'
import { SURVEYS } from './surveys.ts'

type Looked = Extract<SurveyedCommit, { is: 'looked' }>

export async function surveyCommit(project: Project, finding: FindingName): Promise<SurveyedCommit> {
  const everything = await project.everything()
  if (everything.length >= FILES_MAX)
    return { is: 'not_run', why: `it has ${FILES_MAX} files or more, and surveys look at no more` }
  const own = SURVEYS.find(({ name }) => name === surveyOf(finding))
  if (own?.category !== finding.category)
    return { is: 'not_run', why: `there is no survey ${surveyOf(finding)} of ${finding.category}` }
  const findings: Looked['findings'] = []
  const skipped: Looked['skipped'] = []
  for (const { name: survey, look } of SURVEYS) {
    const found = await look(project)
    if (found.is === 'skipped') skipped.push({ survey, why: found.why })
    else findings.push(...placesOf(found.findings).map((each) => ({ survey, ...each })))
  }
  const code = await project.code()
  return {
    is: 'looked',
    findings,
    skipped,
    kin: [...new Set((await own.kin?.(project, finding.key)) ?? [])],
    code: everything.filter(isCode),
    read: [...code.keys()].filter((path) => !isTest(path)),
  }
}

/** A finding that is in more places than before got worse, though its key is the same. */
function placesOf(findings: readonly FindingFacts[]): { readonly key: string; readonly places: number }[] {
  return [...Map.groupBy(findings, ({ key }) => key)].map(([key, same]) => ({
    key,
    places: same.reduce((sum, { evidence }) => sum + evidence.split('\n').length, 0),
  }))
}
