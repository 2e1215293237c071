// Looks at a repository with every survey of the wanted categories.
import { CATEGORIES } from '@treadle/contracts/categories'
import type { Category, Finding, SurveyReport } from '@treadle/contracts/survey'
import type { Project } from './project.ts'
import type { FindingFacts, Survey } from './survey.ts'
import { SURVEYS } from './surveys.ts'

export interface Wanted {
  /** Null: all of them. */
  readonly category: Category | null
  /** Only the first so many of each survey, in its own order. */
  readonly eachMax: number
  /** Told before each survey. */
  readonly onLook: (name: string) => void
}

export async function lookAround(
  project: Project,
  { category, eachMax, onLook }: Wanted,
): Promise<SurveyReport> {
  const categories = category === null ? CATEGORIES : [category]
  const findings: Finding[] = []
  const skipped: SurveyReport['skipped'] = []
  for (const each of categories) {
    const surveys = SURVEYS.filter((survey) => survey.category === each)
    if (surveys.length === 0)
      skipped.push({ category: each, survey: null, why: 'needs a model: no program looks for it' })
    for (const survey of surveys) {
      onLook(survey.name)
      const found = await survey.look(project)
      const all = found.is === 'looked' ? byKey(found.findings) : []
      findings.push(...all.slice(0, eachMax).map((one) => measured(survey, one)))
      const why = found.is === 'skipped' ? found.why : leftOutWords(all.length - eachMax)
      if (why !== null) skipped.push({ category: each, survey: survey.name, why: `${survey.name}: ${why}` })
    }
  }
  return { findings, skipped }
}

const EVIDENCE_MAX = 4_000

/** What has the same key is one finding: it is measured as one. */
function byKey(findings: readonly FindingFacts[]): FindingFacts[] {
  return [...Map.groupBy(findings, ({ key }) => key).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const evidence = [first, ...others].map((each) => each.evidence).join('\n')
    return [{ ...first, evidence: evidence.slice(0, EVIDENCE_MAX) }]
  })
}

function leftOutWords(count: number): string | null {
  if (count <= 0) return null
  return `${count} more ${count === 1 ? 'is' : 'are'} not shown; with --all they are`
}

function measured({ category }: Survey, found: FindingFacts): Finding {
  return { category, ...found, measure: { command: measureOf(category, found.key), before: 1 } }
}

/** The command that looks for one finding again: 1 while it is there, 0 when it is gone. */
function measureOf(category: Category, key: string): string {
  return `treadle survey ${category} --finding '${key.replaceAll("'", String.raw`'\''`)}'`
}
