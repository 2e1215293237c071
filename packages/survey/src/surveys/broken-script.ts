// Scripts of a manifest that start a file or another script that is not there.
import { posix } from 'node:path'
import type { Manifest } from '../manifest.ts'
import type { Project } from '../project.ts'
import { type Looked, looked, type Survey } from '../survey.ts'

export const brokenScript: Survey = { category: 'developer-experience', name: 'broken-script', look, kin }

async function look(project: Project): Promise<Looked> {
  const manifests = await project.manifests()
  if (manifests.length === 0) return { is: 'skipped', why: 'there is no package.json' }
  const files = new Set(await project.files())
  return looked(
    manifests.flatMap((manifest) =>
      Object.entries(manifest.scripts).flatMap(([name, script]) => {
        const why = whyBroken(manifest, script, files)
        if (why === null) return []
        return [
          {
            key: keyOf(manifest, name),
            title: `The script ${name} of ${manifest.path} cannot work`,
            files: [manifest.path],
            evidence: `${name}: \`${script.slice(0, 300)}\`: ${why}.`,
            estimateHours: 0.5,
            mendable: false,
          },
        ]
      }),
    ),
  )
}

/** Every script that names what is not there, in whatever words, also where a build may bring it. */
async function kin(project: Project): Promise<readonly string[]> {
  const files = new Set(await project.files())
  return (await project.everyManifest()).flatMap((manifest) =>
    Object.entries(manifest.scripts).flatMap(([name, script]) =>
      namesMissing(manifest, script, files) ? [keyOf(manifest, name)] : [],
    ),
  )
}

function namesMissing({ folder, scripts }: Manifest, script: string, files: ReadonlySet<string>): boolean {
  const words = script.split(/[\s;&|()'"`]+/)
  return words.some((word, at) => {
    const isFile = /^[\w./-]+\.(?:[cm]?[jt]sx?|sh)$/.test(word)
    if (isFile && !files.has(posix.normalize(posix.join(folder, word)))) return true
    const isRun = /^run(?:-script)?$/.test(word) && words.slice(0, at).some((each) => RUNS.test(each))
    const wanted = words.slice(at + 1).find((each) => !each.startsWith('-'))
    return isRun && wanted !== undefined && scripts[wanted] === undefined
  })
}

const RUNS = /^(?:npm|pnpm|yarn|bun)$/

function keyOf({ folder }: Manifest, name: string): string {
  return `broken-script:${folder === '' ? '' : `${folder}:`}${name}`
}

const FILE =
  /(?:^|[\s;&|(])(?:node|tsx|ts-node|sh|bash) (?:(?:-r|--require|--import|--loader|--env-file) \S+ |(?!(?:-r|--require|--import|--loader|--env-file) )-[\w-]+(?:=\S+)? )*(\.{0,2}\/?[\w./-]+\.(?:[cm]?[jt]sx?|sh))(?=\s|$|;|&|\|)/g
const RUN = /(?:^|[\s;&|(])(?:npm|pnpm|yarn) run (?:-s |--silent )?([\w:.-]+)/g
const MADE = /(?:^|\/)(?:dist|build|out|lib|target|node_modules|tmp|temp|coverage|\.[\w-]+)\//

/** Null: nothing speaks against it. */
function whyBroken(manifest: Manifest, script: string, files: ReadonlySet<string>): string | null {
  // Whatever it does elsewhere is not known here.
  if (/\bcd\s|--prefix|--cwd|--workspace|\s-w\s|\s-C\s|\s--filter/.test(script)) return null
  return missingIn(manifest, script, files)
}

function missingIn({ folder, scripts }: Manifest, script: string, files: ReadonlySet<string>): string | null {
  for (const [, name = ''] of script.matchAll(RUN))
    if (scripts[name] === undefined) return `there is no script ${name}`
  for (const [, file = ''] of script.matchAll(FILE)) {
    const path = posix.normalize(posix.join(folder, file))
    if (!files.has(path) && !MADE.test(`${path}`) && !path.startsWith('..')) return `there is no file ${path}`
  }
  return null
}
