// Commands in documents that cannot work: a script that no manifest has, a file that is not there. Nothing is run.
import { posix } from 'node:path'
import { visibleLine } from '@treadle/contracts/category-idea'
import type { Project } from '../project.ts'
import { type FindingFacts, type Looked, looked, type Survey } from '../survey.ts'

export const documentCommand: Survey = { category: 'documentation', name: 'document-command', look, kin }

const DOCUMENT = /(?:^|\/)(?:README|CONTRIBUTING|DEVELOPMENT|INSTALL)[\w.-]*\.md$|^docs\/.*\.md$/i
const BLOCK =
  /^[ \t]*(?:```|~~~)[ \t]*(?:sh|bash|shell|console|zsh|terminal)?[ \t]*\n(.*?)^[ \t]*(?:```|~~~)/gims

async function look(project: Project): Promise<Looked> {
  const documents = (await project.files()).filter((path) => DOCUMENT.test(path))
  if (documents.length === 0) return { is: 'skipped', why: 'there is no README or other document' }
  const scripts = new Set((await project.manifests()).flatMap((manifest) => Object.keys(manifest.scripts)))
  const known: Known = {
    scripts,
    files: await project.files(),
    hasManifest: (await project.manifests()).length > 0,
  }
  const findings: FindingFacts[] = []
  for (const path of documents) {
    const text = (await project.read(path)) ?? ''
    for (const command of new Set(commandsIn(text))) {
      const why = whyNot(command, known)
      if (why !== null) findings.push(found({ path, command, why, known }))
    }
  }
  return looked(findings)
}

/** A command that stands anywhere in its document, or whose document is gone: neither a fence nor a new script puts it right. */
async function kin(project: Project, key: string): Promise<readonly string[]> {
  const { path, command } = partsOf(key)
  const missing = missingOf(command)
  const texts = (await project.everything()).filter((each) => each !== path && TEXT.test(each))
  const own = await project.read(path)
  const keys = own === null || isAnyhowIn(own, command, missing) ? [key] : []
  for (const each of texts)
    if (isAnyhowIn((await project.read(each)) ?? '', command, missing)) keys.push(keyOf(each, command))
  return keys
}

function missingOf(command: string): string {
  return RUN.exec(command)?.[1] ?? SHORT.exec(command)?.[1] ?? FILE.exec(command)?.[1] ?? command
}

function isAnyhowIn(text: string, command: string, missing: string): boolean {
  return isSaidIn(text, command) || isNamedIn(text, missing)
}

const TEXT = /\.(?:md|mdx|markdown|txt|rst|adoc|html?)$/i
const PROGRAM = /(?:^|[\s$>`])(?:npm|npx|pnpm|yarn|bun|node|tsx|ts-node|python3?|sh|bash|deno|\.)(?=[\s/])/

/** What is missing stands behind a program in a line, in whatever quotes and with whatever between them. */
function isNamedIn(text: string, missing: string): boolean {
  return text.split('\n').some((each) => {
    const line = visibleLine(each.replace(/[\u200b-\u200f\u2060-\u2064\ufeff\u00ad'"]/g, ''))
    const program = PROGRAM.exec(line)
    return program !== null && isSaidIn(line.slice(program.index + program[0].length), missing)
  })
}

/** What the key of a finding names; it was cut if it is as long as a key can be. */
function partsOf(key: string): { readonly path: string; readonly command: string } {
  const [, path = '', command = ''] = /^document-command:(.*?\.md):(.*)$/is.exec(key) ?? []
  return { path, command }
}

function isSaidIn(text: string, command: string): boolean {
  return placesOf(text, command).length > 0
}

/** Where a command stands as a whole, and not as a part of another one. */
function placesOf(text: string, command: string): number[] {
  const places: number[] = []
  const step = Math.max(1, command.length)
  for (let at = text.indexOf(command); at !== -1 && at < text.length; at = text.indexOf(command, at + step)) {
    const [before, behind] = [text.charAt(at - 1), text.charAt(at + command.length)]
    if (!/[\w:./-]/.test(before) && !/[\w:/-]/.test(behind)) places.push(at)
  }
  return places
}

/** The text with another command in every place of one. */
export function replaceCommand(text: string, command: string, other: string): string {
  const places = placesOf(text, command)
  const ends = [0, ...places.map((at) => at + command.length)]
  return ends.map((end, nth) => text.slice(end, places[nth])).join(other)
}

/** What a command that names a wrong script should be; null: nobody can say. */
export async function correctedCommand(
  project: Project,
  key: string,
): Promise<{ readonly path: string; readonly command: string; readonly near: string } | null> {
  const { path, command } = partsOf(key)
  const scripts = new Set((await project.manifests()).flatMap((manifest) => Object.keys(manifest.scripts)))
  const script = nearestScript(command, scripts)
  const [said = '', name = ''] = RUN.exec(command) ?? []
  if (script === null || said === '' || key.length >= 500) return null
  return { path, command, near: said.slice(0, -name.length) + script + command.slice(said.length) }
}

interface Known {
  readonly scripts: ReadonlySet<string>
  readonly files: readonly string[]
  readonly hasManifest: boolean
}

function commandsIn(text: string): string[] {
  return [...text.matchAll(BLOCK)].flatMap(([, block = '']) =>
    block
      .split('\n')
      .flatMap((line) =>
        line
          .replace(/^\s*[$>]\s+/, '')
          .replace(/\s#\s.*$/, '')
          .split(/&&|\|\||;/),
      )
      .map((command) => command.trim())
      .filter((command) => command !== '' && command.length <= 300 && !/[<>{}[\]…*]|\.\.\./.test(command)),
  )
}

const RUN = /^(?:npm|pnpm|yarn|bun) run(?:-script)? (?:-s |--silent )?([\w:.-]+)/
const SHORT = /^(?:npm|pnpm|yarn) (test|start)\b/
const FILE =
  /^(?:node|tsx|ts-node|python3?|sh|bash|deno run|bun) (?:-[\w-]+ )*((?:\.{1,2}\/)?[\w./-]+\.(?:[cm]?[jt]sx?|py|sh))\b/
const OWN = /^\.\/([\w./-]+)(?:\s|$)/
/** What only a build or an installation brings. */
const MADE = /(?:^|\/)(?:dist|build|out|lib|target|node_modules|venv|\.venv|bin)\//

/** Null: nothing speaks against it. */
function whyNot(command: string, { scripts, files, hasManifest }: Known): string | null {
  const script = RUN.exec(command)?.[1] ?? SHORT.exec(command)?.[1]
  if (script !== undefined)
    return !hasManifest || scripts.has(script) || script === 'start'
      ? null
      : `no package.json of the repository has a script ${script}`
  const file = FILE.exec(command)?.[1] ?? OWN.exec(command)?.[1]
  if (file === undefined || MADE.test(file)) return null
  const wanted = posix.normalize(file).replace(/^(?:\.\.\/)+/, '')
  const isThere = files.some(
    (path) => path === wanted || path.endsWith(`/${wanted}`) || path.startsWith(`${wanted}/`),
  )
  return isThere ? null : `there is no file ${wanted}`
}

const keyOf = (path: string, command: string): string => `document-command:${path}:${command}`.slice(0, 500)

interface Broken {
  readonly path: string
  readonly command: string
  readonly why: string
  readonly known: Known
}

function found({ path, command, why, known }: Broken): FindingFacts {
  const near = nearestScript(command, known.scripts)
  return {
    key: keyOf(path, command),
    title: `${path} has a command that cannot work: ${command}`.slice(0, 300),
    files: [path],
    evidence: `\`${command}\`: ${why}.${near === null ? '' : ` There is a script ${near}.`}`,
    estimateHours: 0.5,
    mendable: near !== null,
  }
}

/** The one script whose name is the beginning or the end of what was meant; null: none, or several. */
function nearestScript(command: string, scripts: ReadonlySet<string>): string | null {
  const meant = RUN.exec(command)?.[1]
  if (meant === undefined) return null
  const near = [...scripts].filter(
    (name) => name.startsWith(meant) || meant.startsWith(name) || name.endsWith(`:${meant}`),
  )
  return near.length === 1 ? (near[0] ?? null) : null
}
