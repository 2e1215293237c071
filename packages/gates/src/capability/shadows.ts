// A new file that takes the place of another: what imports and runners mean by a name is then not what it was.
import { join, posix } from 'node:path'
import type { Wait } from '@treadle/contracts/gate'
import type { DeliveryGateRequest } from '@treadle/flow/ports/gates'
import type { Finding } from '../integrity/finding.ts'
import { listFiles, readText } from '../project-files.ts'
import type { Brought } from './capability-diff.ts'
import { isPython, isScript, readHead } from './head-files.ts'
import { kindOf } from './links.ts'
import { findLookAlikes, lookOf } from './look-alikes.ts'
import { fixtureShadow, pythonShadow } from './python-shadows.ts'
import { scriptShadow } from './script-shadows.ts'
import type { Shadow, ShadowTree } from './shadow-tree.ts'

type ChangedTree = Pick<DeliveryGateRequest, 'cwd' | 'changed' | 'readBase'>

export async function findShadows(request: ChangedTree): Promise<Brought> {
  const refused: Finding[] = []
  const waits: Wait[] = []
  const tree = await readTree(request)
  for (const path of tree.added) {
    const shadow =
      lookAlikePath(tree, path) ??
      packageShadow(path) ??
      mockShadow(tree, path) ??
      configurationShadow(tree, path) ??
      scriptShadow(tree, path) ??
      pythonShadow(tree, path)
    if (shadow?.sure) refused.push({ file: path, line: null, what: shadow.words, blocks: true })
    else if (shadow) waits.push({ class: 'configuration', file: path, line: null, words: shadow.words })
  }
  for (const path of request.changed.filter((each) => isScript(each) || isPython(each))) {
    const after = await readHead(request.cwd, path)
    if (after === null) continue
    const before = await request.readBase(path)
    refused.push(...findLookAlikes({ path, before, after }))
    const fixture = before === null ? null : fixtureShadow(tree, path, before)
    if (fixture !== null) refused.push({ file: path, line: null, what: fixture.words, blocks: true })
  }
  return { refused, waits }
}

async function readTree({ cwd, changed, readBase }: ChangedTree): Promise<ShadowTree> {
  const added = new Set<string>()
  const old = new Set(listFiles(cwd))
  for (const path of changed) {
    const kind = kindOf(cwd, path).is
    if (kind === 'gone') old.delete(path)
    else if ((await readBase(path)) !== null) old.add(path)
    else {
      old.delete(path)
      if (kind !== 'folder') added.add(path)
    }
  }
  const texts = new Map<string, string>()
  const text = (path: string): string => {
    const known = texts.get(path) ?? readText(join(cwd, path)) ?? ''
    texts.set(path, known)
    return known
  }
  return { cwd, old, added, text }
}

function lookAlikePath({ old }: ShadowTree, path: string): Shadow | null {
  const look = lookOf(path)
  const twin = [...old].find((each) => each !== path && lookOf(each) === look)
  if (twin !== undefined) return { sure: true, words: `its path looks like ${twin} and is another` }
  if (!isScript(path) && !isPython(path)) return null
  const other = [...old].find((each) => each !== path && each.toLowerCase() === path.toLowerCase())
  return other === undefined
    ? null
    : {
        sure: true,
        words: `it differs from ${other} by capital letters only: many machines take them for one`,
      }
}

/** A package in the tree is found before the one that is installed. */
function packageShadow(path: string): Shadow | null {
  const at = path.lastIndexOf('node_modules/')
  if (at < 0 || /(^|\/)(fixtures?|__fixtures__|testdata|test-data|examples?)\//.test(path.slice(0, at)))
    return null
  const parts = path.slice(at + 'node_modules/'.length).split('/')
  const name = parts.slice(0, parts[0]?.startsWith('@') ? 2 : 1).join('/')
  return {
    sure: true,
    words: `whoever imports ${name} below ${posix.dirname(path.slice(0, at)) || '.'} gets this one`,
  }
}

/** Jest hands out what lies in this folder for packages, without being asked. */
function mockShadow({ text }: ShadowTree, path: string): Shadow | null {
  const name = /^__mocks__\/(.+)\.[cm]?[jt]sx?$/.exec(path)?.[1]
  if (name === undefined || !/"jest"/.test(text('package.json'))) return null
  return { sure: false, words: `every test is given it in place of a package ${name}` }
}

/** Configurations of one runner, the one that is read first before the others. */
const configurations: readonly (readonly RegExp[])[] = [
  [/^vitest\.config\.[cm]?[jt]s$/, /^vite\.config\.[cm]?[jt]s$/],
  [
    /^pytest\.toml$/,
    /^\.pytest\.toml$/,
    /^pytest\.ini$/,
    /^\.pytest\.ini$/,
    /^pyproject\.toml$/,
    /^tox\.ini$/,
    /^setup\.cfg$/,
  ],
  [/^jest\.config\.[cm]?[jt]s$/, /^jest\.config\.json$/],
  [/^\.mocharc\.[cm]?js$/, /^\.mocharc\.ya?ml$/, /^\.mocharc\.jsonc?$/],
  [/^ava\.config\.[cm]?js$/],
  [/^playwright\.config\.[cm]?[jt]s$/],
  [/^babel\.config\.\w+$/, /^\.babelrc(\.\w+)?$/],
]

function configurationShadow({ old, text }: ShadowTree, path: string): Shadow | null {
  const [folder, name] = [posix.dirname(path), posix.basename(path)]
  for (const family of configurations) {
    const rank = family.findIndex((pattern) => pattern.test(name))
    if (rank < 0) continue
    const other = [...old].find((each) => {
      if (posix.dirname(each) !== folder) return false
      const then = family.findIndex((pattern) => pattern.test(posix.basename(each)))
      return then >= rank && isHeeded(posix.basename(each), text(each))
    })
    if (other !== undefined) return { sure: true, words: `the runner reads it in place of ${other}` }
  }
  return null
}

/** Files that hold more than the settings of tests count only if they hold some. */
function isHeeded(name: string, text: string): boolean {
  return !/^(pyproject\.toml|tox\.ini|setup\.cfg)$/.test(name) || /^\[(tool[.:])?pytest\b/m.test(text)
}
