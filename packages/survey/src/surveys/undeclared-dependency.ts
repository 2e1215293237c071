// Packages that code imports and no manifest above it asks for: they are there by chance.
import type { CodeFile } from '../code-file.ts'
import { asksFor, type Manifest } from '../manifest.ts'
import type { Project } from '../project.ts'
import { type Looked, looked, type Survey } from '../survey.ts'

export const undeclaredDependency: Survey = {
  category: 'dependency-management',
  name: 'undeclared-dependency',
  look,
  kin,
}

const FILES_SHOWN = 10
/** Code that is copied from, or started by hand with what is at hand. */
const LOOSE = /(?:^|\/)(?:examples?|demos?|docs?|website|playground|sandbox)\//

async function look(project: Project): Promise<Looked> {
  const manifests = await project.manifests()
  if (manifests.length === 0) return { is: 'skipped', why: 'there is no package.json' }
  const aliases = await aliasesOf(project)
  const wanting = new Map<string, string[]>()
  for (const file of (await project.code()).values()) {
    const above = manifests.filter(({ folder }) => folder === '' || file.path.startsWith(`${folder}/`))
    if (above.length === 0 || LOOSE.test(file.path)) continue
    for (const name of packagesIn(file))
      if (
        !isDeclared(above, name) &&
        !aliases.some((alias) => name === alias || name.startsWith(`${alias}/`))
      )
        wanting.set(name, [...(wanting.get(name) ?? []), file.path])
  }
  return looked(
    [...wanting].map(([name, files]) => ({
      key: keyOf(name),
      title: `${name} is imported, and no package.json asks for it`,
      files: files.slice(0, FILES_SHOWN),
      evidence: `Imported by ${files.slice(0, FILES_SHOWN).join(', ')}${files.length > FILES_SHOWN ? ` and ${files.length - FILES_SHOWN} more` : ''}. It works only while another package happens to bring it.`,
      estimateHours: 0.5,
      mendable: false,
    })),
  )
}

/** Every package that code imports and no manifest above it names, whatever settings say of its name. */
async function kin(project: Project, key: string): Promise<readonly string[]> {
  const manifests = await project.manifests()
  const keys: string[] = []
  const own = key.slice(keyOf('').length)
  for (const file of (await project.code()).values()) {
    const above = manifests.filter(({ folder }) => folder === '' || file.path.startsWith(`${folder}/`))
    for (const name of packagesIn(file))
      if (!above.some((manifest) => manifest.name === name || asksFor(manifest, name))) keys.push(keyOf(name))
    // A package that takes its name for itself does not bring it.
    const isWanted = file.imports.some(
      ({ specifier, isType }) => !isType && (specifier === own || specifier.startsWith(`${own}/`)),
    )
    if (isWanted && !above.some((manifest) => asksFor(manifest, own))) keys.push(key)
  }
  return keys
}

const keyOf = (name: string): string => `undeclared-dependency:${name}`

function packagesIn({ imports }: CodeFile): Set<string> {
  return new Set(imports.flatMap(({ to, isType }) => (to.is === 'package' && !isType ? [to.name] : [])))
}

/** Names that a framework makes up, or that a package of the same family stands for. */
const MADE_UP = /^(?:@site|@theme|@generated|@app|@components|virtual|astro|server-only|client-only)(?:\/|$)/

function isDeclared(above: readonly Manifest[], name: string): boolean {
  const scope = /^@[^/]+\//.exec(name)?.[0]
  return (
    MADE_UP.test(name) ||
    above.some(
      (manifest) =>
        manifest.name === name ||
        asksFor(manifest, name) ||
        (scope !== undefined && Object.keys(manifest.dependencies).some((each) => each.startsWith(scope))),
    )
  )
}

const SETTINGS =
  /(?:^|\/)(?:[tj]sconfig[\w.-]*\.json|(?:vite|vitest|webpack|rollup|jest|next|nuxt|babel|rspack|metro)\.config\.[cm]?[jt]s|deno\.jsonc?|import[_-]map\.json|\.babelrc(?:\.json)?)$/

/** First parts of names that settings turn into paths: whatever is in quotes there may be one. */
async function aliasesOf(project: Project): Promise<string[]> {
  const words: string[] = []
  for (const path of await project.files()) {
    if (!SETTINGS.test(path)) continue
    const text = (await project.read(path)) ?? ''
    for (const [, word = ''] of text.matchAll(
      /['"`^]([@~#\w][\w@./-]{0,100}?)(?:\/\*|\/\(\.\*\)|\/|\$)?['"`$]/g,
    ))
      words.push(word)
    // `alias: { lib: … }` and a folder that names start from.
    for (const [, word = ''] of text.matchAll(/^[ \t]*([\w@-]+)[ \t]*:/gm)) words.push(word)
    if (/"baseUrl"|modulePaths|moduleDirectories|"roots"/.test(text))
      words.push(...(await topFolders(project)))
  }
  return words
}

async function topFolders(project: Project): Promise<string[]> {
  return [...new Set((await project.files()).flatMap((path) => path.split('/').slice(0, -1)))]
}
