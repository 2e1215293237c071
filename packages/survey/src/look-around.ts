// Looks at a repository with every survey of the wanted categories.
import { CATEGORIES } from '@treadle/contracts/categories'
import { findingCommand } from '@treadle/contracts/finding-measure'
import { type Category, Finding, type SurveyReport } from '@treadle/contracts/survey'
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
      const all = found.is === 'looked' ? byKey(found.findings).map((one) => measured(survey, one)) : []
      const tellable = all.filter(isTellable)
      findings.push(...tellable.slice(0, eachMax))
      const reasons = [
        found.is === 'skipped' ? found.why : null,
        leftOutWords(tellable.length - eachMax),
        untoldWords(all.length - tellable.length),
      ].filter((why) => why !== null)
      if (reasons.length > 0)
        skipped.push({ category: each, survey: survey.name, why: `${survey.name}: ${reasons.join('; ')}` })
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

function untoldWords(count: number): string | null {
  return count === 0 ? null : `${count} cannot be told: a name is too long`
}

function measured({ category }: Survey, found: FindingFacts): Finding {
  return { category, ...found, measure: { command: findingCommand({ category, key: found.key }), before: 1 } }
}

/** A file may be called whatever its author likes; a finding that cannot be told would keep all others from being told. */
function isTellable(finding: Finding): boolean {
  return Finding.safeParse(finding).success
}
