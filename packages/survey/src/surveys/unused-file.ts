// Code that nothing imports, names or starts.
import type { CodeFile } from '../code-file.ts'
import { computedLoads, leftOutWords } from '../computed-loads.ts'
import { entriesOf, offersByPattern } from '../manifest.ts'
import { escaped, workingTexts } from '../mentions.ts'
import { isCode, isTest, type Project } from '../project.ts'
import { type Looked, looked, type Survey } from '../survey.ts'

export const unusedFile: Survey = { category: 'code-quality', name: 'unused-file', look, kin }

/** Places whose files are found by their names: by a framework, a tool or a person. */
const BY_NAME =
  /(?:^|\/)(?:pages|app|routes|api|functions|migrations?|seeds?|scripts?|bin|tools?|examples?|demos?|bench(?:marks?)?|docs?|public|static|plugins?|commands|\.[\w-]+)\//
const STARTED =
  /(?:^|\/)(?:index|main|cli|server|app|worker|sw|setup|[\w.-]+\.config|\.[\w.-]+)\.[cm]?[jt]sx?$/

async function look(project: Project): Promise<Looked> {
  const code = await project.code()
  if (code.size === 0) return { is: 'skipped', why: 'there is no JavaScript or TypeScript' }
  const mayLoad = (await computedLoads(project))([...code.values()].filter(({ path }) => !isTest(path)))
  const manifests = await project.manifests()
  const entries = new Set(manifests.flatMap(entriesOf))
  const imported = importedIn(code)
  const texts = await workingTexts(project)
  const unnamed = [...code.values()].filter(
    (file) =>
      !imported.has(file.path) &&
      !entries.has(file.path) &&
      !manifests.some((each) => offersByPattern(each, file.path)) &&
      !isStarted(file) &&
      !isNamed(file, texts),
  )
  const unused = unnamed.filter(({ path }) => mayLoad(path) === null)
  return looked(
    unused.map(({ path, text }) => ({
      key: keyOf(path),
      title: `Nothing uses ${path}`,
      files: [path],
      evidence: `No file imports it, no manifest, script or setting names it, and it does not look like something that is started. It has ${text.split('\n').length} lines.`,
      estimateHours: 0.5,
      mendable: true,
    })),
    leftOutWords(
      unnamed.map(({ path }) => path),
      mayLoad,
    ),
  )
}

/** Every file of code, used or not: to take it away is what puts it right. */
async function kin(project: Project): Promise<readonly string[]> {
  return (await project.everything()).filter(isCode).map(keyOf)
}

const keyOf = (path: string): string => `unused-file:${path}`

function isStarted({ path, text }: CodeFile): boolean {
  return isTest(path) || BY_NAME.test(path) || STARTED.test(path) || text.startsWith('#!')
}

/** Every file that another one imports. */
export function importedIn(code: ReadonlyMap<string, CodeFile>): ReadonlySet<string> {
  return new Set(
    [...code.values()].flatMap(({ path, imports }) =>
      imports.flatMap(({ to }) => (to.is === 'file' && to.path !== path ? [to.path] : [])),
    ),
  )
}

/** Its name, with or without its ending, stands in another text. */
export function isNamed(
  { path }: CodeFile,
  texts: readonly { readonly path: string; readonly text: string }[],
): boolean {
  const base = path.replace(/^.*\//, '')
  const stem = base.replace(/\.[^.]+$/, '')
  const quoted = new RegExp(String.raw`['"\x60/\s]${escaped(stem)}(?:\.[\w]+)?['"\x60\s,]`)
  return texts.some(
    (each) =>
      each.path !== path && each.text.includes(stem) && (each.text.includes(base) || quoted.test(each.text)),
  )
}
