// Whether a name stands anywhere in the texts of a repository: what is mentioned counts as used.
import type { Project } from './project.ts'

const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$/
/** What tells of a project and does nothing. */
const PROSE =
  /\.(?:md|mdx|txt|rst|adoc|svg)$|(?:^|\/)(?:CHANGELOG|LICEN[CS]E|NOTICE|AUTHORS)(?:\.(?:md|txt))?$/i

interface Text {
  readonly path: string
  readonly text: string
}

/** Every text that does something: code, settings, scripts; of manifests all but their lists of packages. */
export async function workingTexts(project: Project): Promise<readonly Text[]> {
  const texts: Text[] = []
  for (const path of await project.everything()) {
    if (LOCK_FILE.test(path) || PROSE.test(path)) continue
    const text = await project.read(path)
    if (text !== null)
      texts.push({ path, text: /(?:^|\/)package\.json$/.test(path) ? withoutLists(text) : text })
  }
  return texts
}

const LISTS =
  /^(?:(?:dev|peer|optional|bundled|bundle)?dependencies|peerDependenciesMeta|overrides|resolutions|name|description|keywords|files|version|author|repository|homepage|bugs)$/i

function withoutLists(manifest: string): string {
  try {
    const data = JSON.parse(manifest) as Record<string, unknown>
    return JSON.stringify(Object.fromEntries(Object.entries(data).filter(([name]) => !LISTS.test(name))))
  } catch {
    // A manifest that cannot be read may name anything.
    return manifest
  }
}

/** Whether a name stands as a whole word in another text than its own. */
type StandsElsewhere = (name: string, path: string) => boolean

const SEVERAL = Symbol('several')

/** Told from one pass over all texts, where every name would want one of its own. */
export function wordIndex(texts: readonly Text[]): StandsElsewhere {
  const places = new Map<string, string | typeof SEVERAL>()
  for (const { path, text } of texts)
    for (const [word] of text.matchAll(WORD)) {
      const place = places.get(word)
      if (place === undefined) places.set(word, path)
      else if (place !== path) places.set(word, SEVERAL)
    }
  return (name, path) => {
    if (!/^[\w-]+$/.test(name)) {
      const word = wholeWord(name)
      return texts.some((each) => each.path !== path && each.text.includes(name) && word.test(each.text))
    }
    const place = places.get(name)
    return place !== undefined && place !== path
  }
}

/** What `wholeWord` finds, cut out instead of looked for. */
const WORD = /(?<![\w@-])[\w-]+/g

/** A pattern that finds a name as a whole word, also with a path behind it. */
export function wholeWord(name: string): RegExp {
  return new RegExp(String.raw`(?<![\w@-])${escaped(name)}(?![\w-])`)
}

/** A text as a pattern that means nothing but itself. */
export function escaped(text: string): string {
  return text.replace(/[^\w/@-]/g, '\\$&')
}
