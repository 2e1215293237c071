// Names that a file exports, that nothing else mentions and that the file itself does not use either.
import type { CodeFile } from '../code-file.ts'
import { computedLoads, type MayLoad } from '../computed-loads.ts'
import { entriesOf, offersByPattern } from '../manifest.ts'
import { escaped, wholeWord, wordIndex, workingTexts } from '../mentions.ts'
import { isCode, isTest, type Project } from '../project.ts'
import { type FindingFacts, type Looked, looked, type Survey } from '../survey.ts'
import { importedIn, isNamed } from './unused-file.ts'

export const unusedExport: Survey = { category: 'code-quality', name: 'unused-export', look, kin }

/** Files whose exports are read by a framework or a tool, by their names. */
const READ_BY_NAME =
  /(?:^|\/)(?:pages|app|routes|api|functions|migrations?|seeds?|plugins?|commands|\.[\w-]+)\/|(?:^|\/)(?:index|main|[\w.-]+\.config)\.[cm]?[jt]sx?$/

async function look(project: Project): Promise<Looked> {
  const code = await project.code()
  if (code.size === 0) return { is: 'skipped', why: 'there is no JavaScript or TypeScript' }
  const offered = await offeredToOthers(project, code)
  const texts = await workingTexts(project)
  const standsElsewhere = wordIndex(texts)
  const mayLoad = (await computedLoads(project))(code.values())
  const imported = importedIn(code)
  const findings: FindingFacts[] = []
  for (const file of code.values()) {
    if (isTest(file.path) || offered.has(file.path) || READ_BY_NAME.test(file.path)) continue
    const names = [...new Set(file.exported)].filter(
      (name) => name !== 'default' && !standsElsewhere(name, file.path),
    )
    if (names.length === 0) continue
    const code = codeOf(file)
    const idle = names.filter((name) => code.match(new RegExp(wholeWord(name), 'g'))?.length === 1)
    if (idle.length === 0 || (!imported.has(file.path) && isLoadedByName(file, texts, mayLoad))) continue
    for (const name of idle) findings.push(found(file, name))
  }
  return looked(findings)
}

/** Nobody imports it, yet somebody names it: who loads it so may ask for whatever it exports. */
function isLoadedByName(file: CodeFile, texts: Parameters<typeof isNamed>[1], mayLoad: MayLoad): boolean {
  return mayLoad(file.path) !== null || isNamed(file, texts)
}

/** Files that a manifest offers, and whatever these hand on as a whole. */
async function offeredToOthers(
  project: Project,
  code: ReadonlyMap<string, CodeFile>,
): Promise<ReadonlySet<string>> {
  const manifests = await project.manifests()
  const offered = new Set(manifests.flatMap(entriesOf))
  for (const path of code.keys()) if (manifests.some((each) => offersByPattern(each, path))) offered.add(path)
  for (const file of code.values())
    for (const { to, isWhole } of file.imports) if (isWhole && to.is === 'file') offered.add(to.path)
  // What is built from a source with the same name is offered as well.
  for (const path of code.keys()) if (isBuiltInto(path, offered)) offered.add(path)
  return offered
}

function isBuiltInto(path: string, offered: ReadonlySet<string>): boolean {
  const stem = path.replace(/^(?:.*\/)?src\//, '').replace(/\.[cm]?[jt]sx?$/, '')
  return [...offered].some((each) => new RegExp(String.raw`(?:^|/)${escaped(stem)}\.[\w.]+$`).test(each))
}

/** The text of a file without its comments. */
function codeOf({ text, comments }: CodeFile): string {
  const ends = [0, ...comments.map(({ end }) => end)]
  return ends.map((end, nth) => text.slice(end, comments[nth]?.start)).join(' ')
}

/** Every name that own code exports, used or not, and every file of code: to take it away is what puts it right. */
async function kin(project: Project): Promise<readonly string[]> {
  const files = (await project.everything()).filter(isCode).map((path) => `file:${path}`)
  const code = [...(await project.code()).values()]
  return [...files, ...code.flatMap(({ path, exported }) => exported.map((name) => keyOf(path, name)))]
}

const keyOf = (path: string, name: string): string => `unused-export:${path}:${name}`

function found({ path, text }: CodeFile, name: string): FindingFacts {
  const line = text.slice(0, text.search(wholeWord(name))).split('\n').length
  return {
    key: keyOf(path, name),
    title: `Nothing uses ${name} of ${path}`,
    files: [path],
    evidence: `${path}:${line} exports ${name}. The name stands nowhere else in the repository, and nowhere else in the file.`,
    estimateHours: 0.5,
    mendable: true,
  }
}
