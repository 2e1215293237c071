// What a file loads by a name that it computes: which files of the repository that may be, told from what is written.
import { posix } from 'node:path'
import type { CodeFile } from './code-file.ts'
import type { Project } from './project.ts'

/** Whoever may load a file by a computed name; null: nobody. */
export type MayLoad = (path: string) => CodeFile | null

/** What is said of files that cannot be judged because they may be loaded so; null: there are none. */
export function leftOutWords(paths: readonly string[], mayLoad: MayLoad): string | null {
  const loaders = paths.flatMap((path) => mayLoad(path)?.path ?? [])
  if (loaders.length === 0) return null
  const named = [...new Set(loaders)].slice(0, LOADERS_SHOWN).join(', ')
  return `${loaders.length} ${loaders.length === 1 ? 'file is' : 'files are'} left out, since they may be loaded by a name that is computed in ${named}`
}

const LOADERS_SHOWN = 5

interface Known {
  readonly code: ReadonlyMap<string, CodeFile>
  readonly folders: ReadonlySet<string>
  /** Folders of packages, the deepest first. */
  readonly packages: readonly string[]
  readonly importers: ReadonlyMap<string, readonly CodeFile[]>
}

/** Every file that computes what it loads, with the folders or beginnings of names that it may mean. */
export async function computedLoads(project: Project): Promise<(files: Iterable<CodeFile>) => MayLoad> {
  const code = await project.code()
  const packages = (await project.manifests()).map(({ folder }) => folder)
  const known: Known = {
    code,
    folders: foldersOf(await project.files()),
    packages: [...new Set([...packages, ''])].toSorted((a, b) => b.length - a.length),
    importers: importersIn(code),
  }
  const beginnings = new Map<string, readonly string[]>()
  const beginningsOf = (file: CodeFile): readonly string[] => {
    const told = beginnings.get(file.path) ?? beginningsIn(known, file)
    beginnings.set(file.path, told)
    return told
  }
  return (files) => {
    const loaders = [...files].filter(({ computed }) => computed.length > 0)
    return (path) => loaders.find((file) => beginningsOf(file).some((each) => path.startsWith(each))) ?? null
  }
}

function beginningsIn(known: Known, file: CodeFile): string[] {
  const all = file.computed.flatMap(({ head, words }) => {
    const place = head === null ? null : placeOf(known, file.path, head)
    return place === null ? anywhereNear(known, file, madeOf(file.text, words)) : [place]
  })
  return [...new Set(all)]
}

/** The beginning of every path that it may become; null: it names no place of the repository. */
function placeOf({ packages }: Known, from: string, head: string): string | null {
  if (/^\.{1,2}\//.test(head)) return joined(posix.dirname(from), head)
  return head.startsWith('/') ? joined(packageOf(packages, from), head) : null
}

function joined(folder: string, head: string): string {
  const path = posix.join(folder, head)
  return path === './' || path === '.' ? '' : path.replace(/^\//, '')
}

const OUTSIDE = /\bprocess\.(?:argv|env|cwd)\b|\bparseArgs\b/
const FILE_NAME = /[\w-]\.[cm]?[jt]sx?['"`]/

/**
 * A name that is computed as a whole: the folder of its file, the folders that it or whoever imports it names in quotes,
 * and its whole package where the name may come from outside. A file's own name in it says which one is meant, and
 * whoever asks whether a file is named finds it.
 */
function anywhereNear(known: Known, file: CodeFile, words: string): string[] {
  if (OUTSIDE.test(words)) return [below(packageOf(known.packages, file.path))]
  if (FILE_NAME.test(words)) return []
  const speakers = [file, ...(known.importers.get(file.path) ?? [])]
  return [below(dirOf(file.path)), ...speakers.flatMap((each) => foldersNamedIn(known, each).map(below))]
}

const MADE_DEPTH = 3

/** What a name is made of, with what the names in it were set to. */
function madeOf(text: string, words: string, depth = 0): string {
  if (depth === MADE_DEPTH) return words
  const names = new Set([...words.matchAll(/(?<![\w$.'"`/])[A-Za-z_$][\w$]*/g)].map(([name]) => name))
  const set = [...names].flatMap((name) => {
    const pattern = new RegExp(
      String.raw`\b(?:const|let|var)\s[^=;\n]*(?<![\w$])${name.replaceAll('$', '\\$')}(?![\w$])[^=;\n]*=\s*([^\n]*)`,
    )
    const [, value] = pattern.exec(text) ?? []
    return value === undefined || value === words ? [] : [madeOf(text, value, depth + 1)]
  })
  return [words, ...set].join(' ')
}

const QUOTED = /(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/g

function foldersNamedIn(known: Known, { path, text }: CodeFile): string[] {
  const own = below(packageOf(known.packages, path))
  const words = [...text.matchAll(QUOTED)]
    .flatMap(([, , quoted = '']) => quoted.split(/\$\{[^}]*\}/))
    .map((word) => word.replace(/^(?:\.\/)+|\/+$/g, '').replace(/^\/+/, ''))
    .filter((word) => word !== '' && word !== '.' && word.length <= 200)
  return words.flatMap((word) => {
    const places = [posix.join(posix.dirname(path), word), posix.normalize(word)]
    const deeper = word.startsWith('.')
      ? []
      : [...known.folders].filter((each) => each.startsWith(own) && each.endsWith(`/${word}`))
    return [...places.filter((place) => known.folders.has(place)), ...deeper]
  })
}

const below = (folder: string): string => (folder === '' ? '' : `${folder}/`)

function dirOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === '.' ? '' : folder
}

function packageOf(packages: readonly string[], path: string): string {
  return packages.find((folder) => folder === '' || path.startsWith(`${folder}/`)) ?? ''
}

function foldersOf(files: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const path of files)
    for (let folder = dirOf(path); folder !== '' && !folders.has(folder); folder = dirOf(folder))
      folders.add(folder)
  return folders
}

function importersIn(code: ReadonlyMap<string, CodeFile>): ReadonlyMap<string, readonly CodeFile[]> {
  const importers = new Map<string, CodeFile[]>()
  for (const file of code.values())
    for (const { to } of file.imports)
      if (to.is === 'file') importers.set(to.path, [...(importers.get(to.path) ?? []), file])
  return importers
}
