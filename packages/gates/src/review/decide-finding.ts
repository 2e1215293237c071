// Was a finding put right? Told from what all surveys say of base and head. Pure.
import { type FindingName, type SurveyedCommit, surveyOf } from '@treadle/contracts/finding-measure'
import type { MeasureFound } from '@treadle/contracts/measure'

type Looked = Extract<SurveyedCommit, { is: 'looked' }>

export interface SurveyedSides {
  readonly base: SurveyedCommit
  readonly head: SurveyedCommit
}

export interface FindingJudged {
  readonly found: MeasureFound
  /** What decided, for people. */
  readonly why: string
}

/** So many findings that a change brought are named. */
const BROUGHT_MAX = 20

/** Gone is not enough: what was moved, hidden or only mentioned is still there. Nobody can tell: it is never good. */
export function judgeFinding(finding: FindingName, { base, head }: SurveyedSides): FindingJudged {
  const unseen = unseenWords('base', base, finding) ?? unseenWords('head', head, finding)
  if (unseen !== null || base.is === 'not_run' || head.is === 'not_run') {
    const why = unseen ?? 'nobody has looked'
    return { found: { is: 'unknown', why }, why }
  }
  if (!isThere(base, finding)) return notImproved(0, 0, `${finding.key} is not there on the base`)
  if (isThere(head, finding)) return notImproved(1, 1, `${finding.key} is still there on the head`)
  const evaded = evasion(finding, base, head)
  if (evaded !== null) return notImproved(1, 1, `nobody finds ${finding.key} on the head, but ${evaded}`)
  const brought = newIn(base, head, (survey) => survey !== surveyOf(finding))
  const found = { is: 'improved', before: 1, after: 0, better: null } as const
  const why = `${finding.key} is there on the base and put right on the head`
  return brought.length === 0 ? { found, why } : { found: { ...found, brought: cut(brought) }, why }
}

function notImproved(before: number, after: number, why: string): FindingJudged {
  return { found: { is: 'not_improved', before, after, better: null }, why }
}

function unseenWords(where: string, surveyed: SurveyedCommit, finding: FindingName): string | null {
  if (surveyed.is === 'not_run') return `nobody can tell on the ${where}: ${surveyed.why}`
  const skipped = surveyed.skipped.find(({ survey }) => survey === surveyOf(finding))
  return skipped === undefined ? null : `nobody can tell on the ${where}: ${skipped.why}`
}

function isThere({ findings }: Looked, { key }: FindingName): boolean {
  return findings.some((each) => each.key === key)
}

/** Why what is not found any more was not put right; null: nothing speaks against it. */
function evasion(finding: FindingName, base: Looked, head: Looked): string | null {
  const [another] = newIn(base, head, (survey) => survey === surveyOf(finding))
  if (another !== undefined) return `the change brings ${another}`
  if (head.kin.includes(finding.key)) return 'what it names is still there'
  const known = new Set(base.kin)
  const [moved] = head.kin.filter((key) => !known.has(key))
  if (moved !== undefined) return `the change brings ${moved}`
  const [hidden] = hiddenIn(base, head)
  return hidden === undefined ? null : `the change keeps surveys from reading ${hidden}`
}

/** What surveys read on the base and not on the head, though it is there or may have come back elsewhere. */
function hiddenIn(base: Looked, head: Looked): string[] {
  const [before, now] = [new Set(base.files), new Set(head.files)]
  const read = new Set(head.read)
  const unread = base.read.filter((path) => now.has(path) && !read.has(path))
  const isSomeGone = base.read.some((path) => !now.has(path))
  const strange = head.files.filter((path) => isSomeGone && !before.has(path) && !read.has(path))
  return [
    ...unread,
    ...newOf(base.unread, head.unread),
    ...newOf(base.foreign, head.foreign),
    ...newOf(base.leads.map(leadWords), head.leads.map(leadWords)).map((words) =>
      words.replace(/\n.*$/s, ''),
    ),
    ...strange,
  ]
}

/** What is loaded that surveys do not read is another thing once it was changed. */
function leadWords({ to, digest }: Looked['leads'][number]): string {
  return `what own code loads as ${to.replaceAll('\n', ' ')}\n${digest}`
}

function newOf(base: readonly string[], head: readonly string[]): string[] {
  const known = new Set(base)
  return head.filter((each) => !known.has(each))
}

/** Findings, and surveys that can no longer tell, that the head has and the base has not. */
function newIn(base: Looked, head: Looked, isOf: (survey: string) => boolean): string[] {
  const before = new Map(base.findings.map(({ key, places }) => [key, places]))
  const unseen = new Set(base.skipped.map(({ survey }) => survey))
  const findings = head.findings.filter(
    ({ survey, key, places }) => isOf(survey) && !unseen.has(survey) && places > (before.get(key) ?? 0),
  )
  const blind = head.skipped.filter(({ survey }) => isOf(survey) && !unseen.has(survey))
  return [
    ...findings.map(({ key }) => key),
    ...blind.map(({ survey, why }) => `nobody can tell of ${survey}: ${why}`),
  ]
}

const WORDS_MAX = 300

function cut(brought: readonly string[]): string[] {
  const named = brought.slice(0, BROUGHT_MAX).map((words) => words.slice(0, WORDS_MAX))
  return brought.length > BROUGHT_MAX ? [...named, `and ${brought.length - BROUGHT_MAX} more`] : named
}
