// Packages that a manifest asks for and nothing of its package uses or names.
import { asksFor, type Manifest, readManifest } from '../manifest.ts'
import { wholeWord, workingTexts } from '../mentions.ts'
import type { Project } from '../project.ts'
import { type FindingFacts, type Looked, looked, type Survey } from '../survey.ts'

export const unusedDependency: Survey = {
  category: 'dependency-management',
  name: 'unused-dependency',
  look,
  kin,
}

const LISTS = ['dependencies', 'devDependencies'] as const

async function look(project: Project): Promise<Looked> {
  const manifests = await project.manifests()
  if (manifests.length === 0) return { is: 'skipped', why: 'there is no package.json' }
  const texts = await workingTexts(project)
  const findings: FindingFacts[] = []
  const folders = manifests.map(({ folder }) => folder).filter((folder) => folder !== '')
  for (const manifest of manifests) {
    const strange = folders.filter((folder) => isStrange(manifest, folder))
    const all = texts.filter(({ path }) => !strange.some((folder) => path.startsWith(`${folder}/`)))
    const known: Known = { manifest, all, project }
    for (const list of LISTS)
      for (const name of Object.keys(manifest[list]))
        if (!(await isUsed(known, name))) findings.push(found(manifest, list, name))
  }
  return looked(findings)
}

/** The folder of another package; what stands at the top belongs to all, and may use what all have. */
function isStrange({ folder: own }: Manifest, folder: string): boolean {
  return own !== '' && folder !== own && !folder.startsWith(`${own}/`) && !own.startsWith(`${folder}/`)
}

interface Known {
  readonly manifest: Manifest
  readonly all: readonly { readonly path: string; readonly text: string }[]
  readonly project: Project
}

/** Used without being named: by a compiler, a bundler, or by what has been loaded before. */
const SILENT =
  /^(?:tslib|core-js|regenerator-runtime|typescript|husky|lint-staged|@vitest\/coverage-.*|@types\/node)$/
const BY_ENDING: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:react|react-dom|preact|solid-js|@types\/react(?:-dom)?)$/, /\.[jt]sx$/],
  [/^(?:sass|node-sass|sass-embedded)$/, /\.s[ac]ss$/],
  [/^less$/, /\.less$/],
  [/^(?:postcss|autoprefixer|tailwindcss)$/, /\.(?:css|scss|less)$/],
  [/^(?:vue|vue-tsc)$/, /\.vue$/],
  [/^svelte/, /\.svelte$/],
]

async function isUsed(known: Known, name: string): Promise<boolean> {
  const { manifest, all } = known
  if (SILENT.test(name)) return true
  if (BY_ENDING.some(([names, ending]) => names.test(name) && all.some(({ path }) => ending.test(path))))
    return true
  const typed = /^@types\/(?:(.+)__)?(.+)$/.exec(name)
  if (typed !== null)
    return isUsedOrAsked(known, typed[1] === undefined ? `${typed[2]}` : `@${typed[1]}/${typed[2]}`)
  const installed = await installedAs(known, name)
  // A tool that is not here cannot say what its programs are called.
  if (installed === null && (manifest.devDependencies[name] !== undefined || startsUnknown(manifest)))
    return true
  const words = [...namesOf(name), ...(installed?.programs ?? [])]
  if (isNamed(known, words)) return true
  return isWantedByAnother(known, name)
}

const KNOWN = /^(?:node|npm|npx|pnpm|yarn|bun|echo|true|false|exit|cd|rm|cp|mv|mkdir|cat|test|sh|bash|git)$/

/** Whether a script starts a program that no dependency is called like: any that is not installed may bring it. */
function startsUnknown({ scripts, dependencies, devDependencies }: Manifest): boolean {
  const programs = Object.values(scripts).flatMap((script) =>
    script.split(/&&|\|\||[;|&]/).map((part) => part.trim().split(/\s/, 1)[0] ?? ''),
  )
  return programs.some(
    (word) =>
      /^[\w.-]+$/.test(word) && !KNOWN.test(word) && !(word in { ...dependencies, ...devDependencies }),
  )
}

async function isUsedOrAsked(known: Known, name: string): Promise<boolean> {
  const manifests = await known.project.manifests()
  return manifests.some((manifest) => asksFor(manifest, name)) || isNamed(known, [name])
}

function isNamed({ all }: Known, words: readonly string[]): boolean {
  const patterns = words.map(wholeWord)
  return all.some(
    ({ path, text }) =>
      words.some((word) => text.includes(word) || path.includes(word)) &&
      patterns.some((pattern) => pattern.test(text) || pattern.test(path)),
  )
}

const PREFIX =
  /^(?:eslint-(?:plugin|config|formatter|import-resolver)-|babel-(?:plugin|preset)-|prettier-plugin-|stylelint-(?:config-)?|jest-(?:environment|runner|watch|preset)-|postcss-|remark-|rehype-|rollup-plugin-|vite-plugin-|gatsby-(?:plugin|source|transformer)-|karma-|grunt-(?:contrib-)?|gulp-)/

/** A package by the names that settings use: `eslint-plugin-x` is `x` there, `@s/eslint-plugin` is `@s`. */
function namesOf(name: string): string[] {
  const scope = /^(@[^/]+)\/(?:eslint-(?:plugin|config)|babel-preset)(?:-(.+))?$/.exec(name)
  const scoped =
    scope === null ? [] : [`${scope[1]}`, ...(scope[2] === undefined ? [] : [`${scope[1]}/${scope[2]}`])]
  const short = name.replace(PREFIX, '')
  const bare = /^@[^/]+\/(?:(?:plugin|preset|config|transform)-)?(.+)$/.exec(name)?.[1]
  return [name, ...scoped, ...(short === name ? [] : [short]), ...(bare === undefined ? [] : [bare])]
}

interface Installed {
  readonly programs: readonly string[]
  readonly peers: readonly string[]
}

/** Null: it is not installed here. */
async function installedAs({ manifest, project }: Known, name: string): Promise<Installed | null> {
  for (const folder of new Set([manifest.folder, ''])) {
    const text = await project.read(`${folder === '' ? '' : `${folder}/`}node_modules/${name}/package.json`)
    if (text === null) continue
    try {
      const { bin, peerDependencies, peerDependenciesMeta } = JSON.parse(text) as Record<string, unknown>
      const programs =
        typeof bin === 'object' && bin !== null ? Object.keys(bin) : [name.replace(/^@[^/]+\//, '')]
      return {
        programs,
        peers: Object.keys({ ...Object(peerDependencies), ...Object(peerDependenciesMeta) }),
      }
    } catch {
      // A broken package says nothing of itself.
      return { programs: [], peers: [] }
    }
  }
  return null
}

/** Another package that is asked for cannot do without it. */
async function isWantedByAnother(known: Known, name: string): Promise<boolean> {
  const { dependencies, devDependencies } = known.manifest
  for (const other of Object.keys({ ...dependencies, ...devDependencies }))
    if (other !== name && (await installedAs(known, other))?.peers.includes(name)) return true
  return false
}

/** Every package that any manifest asks for, in whichever list: to take it away is what puts it right. */
async function kin(project: Project): Promise<readonly string[]> {
  const keys: string[] = []
  for (const path of await project.everything()) {
    if (!/(?:^|\/)package\.json$/.test(path)) continue
    const text = (await project.read(path)) ?? ''
    const manifest = readManifest(path, text)
    // Whatever cannot be read may ask for anything.
    if (manifest === null) keys.push(`unreadable:${path}`)
    else keys.push(...listedIn(text).map((name) => keyOf(manifest, name)))
  }
  return keys
}

const EVERY_LIST = [...LISTS, 'peerDependencies', 'optionalDependencies'] as const

/** The names in all lists of a manifest, also of a list that has not the shape of one. */
function listedIn(manifest: string): string[] {
  const data = JSON.parse(manifest) as Record<string, unknown>
  return EVERY_LIST.flatMap((list) => Object.keys(Object(data[list])))
}

function keyOf({ folder }: Pick<Manifest, 'folder'>, name: string): string {
  return `unused-dependency:${folder === '' ? '' : `${folder}:`}${name}`
}

function found(manifest: Manifest, list: string, name: string): FindingFacts {
  const { path } = manifest
  return {
    key: keyOf(manifest, name),
    title: `${name} is a dependency that nothing uses`,
    files: [path],
    evidence: `${path} has it in ${list}. No code imports it, and no script, setting or installed package names it.`,
    estimateHours: 0.5,
    mendable: true,
  }
}
