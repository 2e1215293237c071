// Looks at a repository with every survey of the wanted categories.
import { CATEGORIES, type Category } from '@treadle/contracts/categories'
import { findingCommand } from '@treadle/contracts/finding-measure'
import { Finding, type SurveyReport } from '@treadle/contracts/survey'
import type { Project } from './project.ts'
import type { FindingFacts, Survey } from './survey.ts'
import { SURVEYS } from './surveys.ts'

export interface Wanted {
  /** Null: all of them. */
  readonly category: Category | null
  /** Only the first so many of each survey, in its own order. */
  readonly eachMax: number
  /** Whether a program can put right what a survey takes for mendable; left out: it is believed. */
  readonly canMend?: (key: string) => Promise<boolean>
  /** Told before each survey. */
  readonly onLook: (name: string) => void
}

export async function lookAround(project: Project, wanted: Wanted): Promise<SurveyReport> {
  const categories = wanted.category === null ? CATEGORIES : [wanted.category]
  const findings: Finding[] = []
  const skipped: SurveyReport['skipped'] = []
  for (const category of categories) {
    const surveys = SURVEYS.filter((survey) => survey.category === category)
    if (surveys.length === 0)
      skipped.push({ category, survey: null, part: false, why: 'needs a model: no program looks for it' })
    for (const survey of surveys) {
      const found = await lookWith(survey, project, wanted)
      findings.push(...found.findings)
      const why = found.reasons.join('; ')
      if (why !== '')
        skipped.push({ category, survey: survey.name, part: found.part, why: `${survey.name}: ${why}` })
    }
  }
  return { findings, skipped }
}

interface Told {
  readonly findings: readonly Finding[]
  /** Why there may be more than these. */
  readonly reasons: readonly string[]
  readonly part: boolean
}

async function lookWith(
  survey: Survey,
  project: Project,
  { eachMax, onLook, canMend = async () => true }: Wanted,
): Promise<Told> {
  onLook(survey.name)
  const found = await survey.look(project)
  if (found.is === 'skipped') return { findings: [], reasons: [found.why], part: false }
  const all = byKey(found.findings).map((one) => measured(survey, one))
  const tellable = all.filter(isTellable)
  const findings: Finding[] = []
  for (const one of tellable.slice(0, eachMax))
    findings.push({ ...one, mendable: one.mendable && (await canMend(one.key)) })
  const reasons = [
    found.leftOut,
    leftOutWords(tellable.length - eachMax),
    untoldWords(all.length - tellable.length),
  ]
  return { findings, reasons: reasons.filter((why) => why !== null), part: true }
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
  return count === 0 ? null : `${count} cannot be told: a name is too long, or no text`
}

function measured({ category }: Survey, found: FindingFacts): Finding {
  return { category, ...found, measure: { command: findingCommand({ category, key: found.key }), before: 1 } }
}

/** A file may be called whatever its author likes; a finding that cannot be told would keep all others from being told. */
function isTellable(finding: Finding): boolean {
  const { key } = finding
  // Kept and compared by its key, which no database changes without a word.
  return key.isWellFormed() && !key.includes('\u0000') && Finding.safeParse(finding).success
}
