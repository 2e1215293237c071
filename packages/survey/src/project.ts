// A repository as surveys see it: its own files, its manifests, its code with what it imports. Read once, kept.
import type { ProjectTree } from '@treadle/flow/ports/project-tree'
import { type CodeFile, readCode } from './code-file.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { resolveImport } from './resolve-import.ts'

export interface SurveyedTree extends Pick<ProjectTree, 'files' | 'read'> {
  /** When each line of a file was last changed; null for one that is not committed. */
  lineTimes(path: string): Promise<readonly (Date | null)[]>
}

/** What others wrote, and samples that are wrong on purpose. */
const NOT_OWN =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third[_-]party|__snapshots__|__fixtures__|fixtures?|testdata|samples?|\.yarn|\.next)\/|\.min\.[cm]?js$|\.d\.[cm]?ts$/
/** Folders beside a manifest that a build or a test run fills. */
const MADE = ['dist', 'build', 'out', 'coverage']
const MANIFEST = /(?:^|\/)package\.json$/
const CODE = /\.[cm]?[jt]sx?$/
const TEST =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|cypress|__mocks__|mocks?|testing)\/|[._-](?:test|spec|e2e|cy|bench|stories)(?:-d)?\.[cm]?[jt]sx?$|(?:^|\/)tests?(?:[._-][\w.-]+)?\.[cm]?[jt]sx?$/
/** Of a repository with more files, the first so many are looked at. */
export const FILES_MAX = 20_000

export class Project {
  readonly #tree: SurveyedTree
  readonly #texts = new Map<string, Promise<string | null>>()
  #files: Promise<readonly string[]> | undefined
  #everything: Promise<readonly string[]> | undefined
  #code: Promise<ReadonlyMap<string, CodeFile>> | undefined
  #manifests: Promise<readonly Manifest[]> | undefined

  readonly now: () => Date

  constructor(tree: SurveyedTree, now: () => Date) {
    this.#tree = tree
    this.now = now
  }

  /** The files that belong to the project and are written by its people. */
  files(): Promise<readonly string[]> {
    this.#files ??= this.everything().then((all) => {
      const made = all
        .filter((path) => MANIFEST.test(path))
        .flatMap((path) =>
          MADE.map((folder) =>
            path.replace(MANIFEST, (head) => `${head.startsWith('/') ? '/' : ''}${folder}/`),
          ),
        )
      return all.filter((path) => !NOT_OWN.test(path) && !made.some((folder) => path.startsWith(folder)))
    })
    return this.#files
  }

  /** All files but what is installed; samples and what was made may use what the project has. */
  everything(): Promise<readonly string[]> {
    this.#everything ??= this.#tree
      .files()
      .then((all) => all.filter((path) => !/(?:^|\/)node_modules\//.test(path)).slice(0, FILES_MAX))
    return this.#everything
  }

  /** A text file's content, also of one that git ignores; null: there is none, or it is no text of a sane size. */
  read(path: string): Promise<string | null> {
    const known = this.#texts.get(path) ?? this.#tree.read(path)
    this.#texts.set(path, known)
    return known
  }

  lineTimes(path: string): Promise<readonly (Date | null)[]> {
    return this.#tree.lineTimes(path)
  }

  /** JavaScript and TypeScript that can be parsed, by path. */
  code(): Promise<ReadonlyMap<string, CodeFile>> {
    this.#code ??= this.#readCode()
    return this.#code
  }

  manifests(): Promise<readonly Manifest[]> {
    this.#manifests ??= this.files().then((files) => this.#readManifests(files))
    return this.#manifests
  }

  async #readCode(): Promise<ReadonlyMap<string, CodeFile>> {
    const files = await this.files()
    const all = new Set(files)
    const packages = new Map(
      (await this.manifests()).flatMap(({ name, folder }) =>
        name === null ? [] : [[name, folder] as const],
      ),
    )
    const code = new Map<string, CodeFile>()
    for (const path of files) {
      if (!isCode(path)) continue
      const text = await this.read(path)
      const resolve = (specifier: string) => resolveImport({ from: path, specifier, files: all, packages })
      const file = text === null ? null : readCode(path, text, resolve)
      if (file !== null) code.set(path, file)
    }
    return code
  }

  /** Also of samples and of what others wrote. */
  async everyManifest(): Promise<readonly Manifest[]> {
    return this.#readManifests(await this.everything())
  }

  async #readManifests(files: readonly string[]): Promise<readonly Manifest[]> {
    const manifests: Manifest[] = []
    for (const path of files) {
      if (!MANIFEST.test(path)) continue
      const manifest = readManifest(path, (await this.read(path)) ?? '')
      if (manifest !== null) manifests.push(manifest)
    }
    return manifests
  }
}

/** Whether it is JavaScript or TypeScript by its name, whoever wrote it. */
export function isCode(path: string): boolean {
  return CODE.test(path)
}

export function isTest(path: string): boolean {
  return TEST.test(path)
}
