// Scripts that an import means although it meant another file before.
import { posix } from 'node:path'
import { isScript } from './head-files.ts'
import type { Shadow, ShadowTree } from './shadow-tree.ts'

const ending = /\.(?:[cm]?[jt]sx?|json|node)$/
const loaded = /\.(?:[cm]?[jt]sx?|node)$/

export function scriptShadow(tree: ShadowTree, path: string): Shadow | null {
  if (posix.basename(path) === 'package.json') return manifestShadow(tree, path)
  if (!loaded.test(path) || /\.d\.[cm]?ts$/.test(path)) return null
  const stem = path.replace(ending, '')
  const twins = [...tree.old].filter((each) => isTwin(each, stem))
  for (const twin of twins) {
    const asking = importerOf(tree, { path, twin })
    if (asking !== null)
      return { sure: true, words: `it takes the place of ${twin}, which ${asking} imports` }
  }
  const [near] = twins.filter((each) => isScript(each) && kindOfModule(each) === kindOfModule(path))
  return near === undefined
    ? null
    : { sure: false, words: `it has the name of ${near}: which of them is meant depends on who asks` }
}

/** `.cjs` beside `.mjs` is how a package is made for both module systems. */
function kindOfModule(path: string): string {
  return /\.([cm]?)[jt]sx?$/.exec(path)?.[1] ?? ''
}

function isTwin(path: string, stem: string): boolean {
  if (!ending.test(path) || /\.d\.[cm]?ts$/.test(path)) return false
  const own = path.replace(ending, '')
  return own === stem || own === `${stem}/index`
}

/** A file from before the change that names both by one word. */
function importerOf(
  { old, text }: ShadowTree,
  { path, twin }: { path: string; twin: string },
): string | null {
  const word = posix.basename(twin.replace(ending, '').replace(/\/index$/, ''))
  for (const file of old) {
    if (!isScript(file)) continue
    const code = text(file)
    if (!code.includes(word)) continue
    const targets = specifiersIn(code).map((name) =>
      posix.join(posix.dirname(file), name.replace(/[?#].*$/, '')),
    )
    if (targets.some((target) => means(target, twin, file) && means(target, path, file))) return file
  }
  return null
}

function specifiersIn(code: string): string[] {
  const found = code.matchAll(
    /(?:\bfrom|\bimport|\brequire|\bresolve|\w*[mM]ock|Actual)\s*\(?\s*(['"`])(\.[^'"`\n]*)\1/g,
  )
  return [...found].map((each) => each[2] ?? '')
}

/** Whether an import may come to a file: by its path, without its ending, as a folder, or as what it is compiled to. */
function means(target: string, file: string, from: string): boolean {
  const stem = file.replace(ending, '')
  if (target === stem || `${target}/index` === stem || target === `${stem}/`) return true
  if (target === file) return true
  // Node knows the path alone; loaders of TypeScript look for the source first.
  const compiled = target.replace(/\.([cm]?)jsx?$/, '.$1ts')
  return (compiled === file || `${compiled}x` === file) && (/\.[cm]?tsx?$/.test(from) || compiled !== target)
}

/** A manifest in a folder that had none says which of its files is meant. */
function manifestShadow({ old, text }: ShadowTree, path: string): Shadow | null {
  const folder = posix.dirname(path)
  const index = [...old].find(
    (each) => posix.dirname(each) === folder && /^index\.[cm]?[jt]sx?$/.test(posix.basename(each)),
  )
  if (folder === '.' || index === undefined) return null
  const points = /"(main|module|exports|browser|imports)"\s*:/.exec(text(path))?.[1]
  return points === undefined ? null : { sure: true, words: `its ${points} decides what stood for ${index}` }
}
