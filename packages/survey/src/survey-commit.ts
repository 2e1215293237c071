// What all surveys say of one commit, and what shows whether a finding that is gone was put right or only out of sight.
import { createHash } from 'node:crypto'
import { type FindingName, type SurveyedCommit, surveyOf } from '@treadle/contracts/finding-measure'
import type { CodeFile } from './code-file.ts'
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
  const read = await ownCode(project)
  const unread: string[] = []
  for (const path of everything) if ((await project.read(path)) === null) unread.push(path)
  return {
    is: 'looked',
    findings,
    skipped,
    kin: [...new Set((await own.kin?.(project, finding.key)) ?? [])],
    files: [...everything],
    read: [...read.keys()],
    foreign: everything.filter((path) => isCode(path) && !isTest(path) && !read.has(path)),
    unread,
    leads: await leadsOf(project, read),
  }
}

type Code = Awaited<ReturnType<Project['code']>>

async function ownCode(project: Project): Promise<Code> {
  return new Map([...(await project.code())].filter(([path]) => !isTest(path)))
}

/** Whatever is loaded in another way than by an import that can be followed. */
const OTHERWISE =
  /\b(?:createRequire|eval|Function|Worker|runIn\w*Context|_load|importScripts|module\s*\.\s*require)\b|\brequire\b(?!\s*(?:\(|\.resolve\s*\())/g
/** Data and looks: these count where something of them is loaded, whatever becomes of what they hold. */
const DATA = /\.(?:json|css|scss|sass|less|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf)$/

async function leadsOf(project: Project, own: Code): Promise<Looked['leads']> {
  const leads = new Map<string, string | null>()
  for (const file of own.values()) {
    for (const words of otherwiseIn(file)) leads.set(words, null)
    for (const { to, specifier, isType } of file.imports) {
      if (to.is === 'unknown') leads.set(specifier, null)
      if (to.is !== 'file' || isType || own.has(to.path)) continue
      leads.set(to.path, DATA.test(to.path) ? null : digestOf(await project.read(to.path)))
    }
  }
  return [...leads].map(([to, digest]) => ({ to: to.slice(0, LEAD_MAX), digest }))
}

function otherwiseIn({ path, computed, text, comments }: CodeFile): string[] {
  const ends = [0, ...comments.map(({ end }) => end)]
  const code = ends.map((end, nth) => text.slice(end, comments[nth]?.start)).join(' ')
  const words = new Set([...code.matchAll(OTHERWISE)].map(([word]) => `what ${path} loads with ${word}`))
  return [...computed.map(({ words: made }) => `what ${path} loads by ${made}`), ...words]
}

const LEAD_MAX = 500

function digestOf(text: string | null): string | null {
  return text === null ? null : createHash('sha256').update(text).digest('hex')
}

/** A finding that is in more places than before got worse, though its key is the same. */
function placesOf(findings: readonly FindingFacts[]): { readonly key: string; readonly places: number }[] {
  return [...Map.groupBy(findings, ({ key }) => key)].map(([key, same]) => ({
    key,
    places: same.reduce((sum, { evidence }) => sum + evidence.split('\n').length, 0),
  }))
}
