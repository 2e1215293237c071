// Every mend that there is.
import { surveyOf } from '@treadle/contracts/finding-measure'
import type { Project } from '@treadle/survey/project'
import { cannot, type Mend, type Planned } from './mend.ts'
import { documentCommandMend } from './mends/document-command.ts'
import { duplicateDependencyMend } from './mends/duplicate-dependency.ts'
import { unusedDependencyMend } from './mends/unused-dependency.ts'
import { unusedExportMend } from './mends/unused-export.ts'
import { unusedFileMend } from './mends/unused-file.ts'

const MENDS: readonly Mend[] = [
  documentCommandMend,
  duplicateDependencyMend,
  unusedDependencyMend,
  unusedExportMend,
  unusedFileMend,
]

export async function planMend(project: Project, key: string): Promise<Planned> {
  const survey = surveyOf({ key })
  const mend = MENDS.find((each) => each.survey === survey)
  return mend === undefined ? cannot(`no program puts right what ${survey} finds`) : mend.plan(project, key)
}
