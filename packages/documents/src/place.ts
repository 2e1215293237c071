// Where a document may lie: below the folder of ideas, and not behind a link that leads out of it.
import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { join, sep } from 'node:path'

export type DocumentPlace =
  | {
      readonly is: 'inside'
      readonly file: string
      /** The file itself, where links within the folder lead to it. */
      readonly real: string
      readonly exists: boolean
      /** It is a link, or one of its folders is. */
      readonly isLink: boolean
    }
  | { readonly is: 'outside'; readonly why: string }
  | { readonly is: 'link_out'; readonly why: string }

interface WantedPlace {
  readonly root: string
  readonly dir: string
  readonly path: string
}

/** Folders of the tree that are never documents, also where a link leads there. */
const NOT_OURS = ['.git', '.treadle', '.claude-sessions']

export function placeOf({ root, dir, path }: WantedPlace): DocumentPlace {
  const folder = dir.replace(/\/+$/, '')
  const parts = path.split('/')
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..')
  const isOwn = parts.some((part) => NOT_OURS.includes(part.toLowerCase()))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are refused.
  if (!isPlain || isOwn || /[\\\u0000-\u001f]/.test(path) || !path.startsWith(`${folder}/`))
    return { is: 'outside', why: `it does not lie below ${folder}` }
  const depth = folder.split('/').length
  let at = root
  let exists = true
  let isLink = false
  for (const [nth, part] of parts.entries()) {
    at = join(at, part)
    const stat = lookAt(at)
    if (stat === null) {
      exists = false
      break
    }
    if (!stat.isSymbolicLink()) continue
    // What the folder itself is a link to is somebody else's place, even within the tree.
    if (nth < depth)
      return { is: 'link_out', why: `${part} is a link, and ${folder} must be a folder of its own` }
    isLink = true
    if (leadsOut(join(root, folder), at)) return { is: 'link_out', why: `${part} is a link out of ${folder}` }
  }
  const file = join(root, ...parts)
  return { is: 'inside', file, real: isLink && exists ? realpathSync(file) : file, exists, isLink }
}

/** Null: nothing is there, or a file stands where a folder would be. */
function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

function leadsOut(folder: string, link: string): boolean {
  try {
    const [real, own] = [realpathSync(link), realpathSync(folder)]
    const inside = real.startsWith(`${own}${sep}`) ? real.slice(own.length + 1).split(sep) : []
    return inside.length === 0 || inside.some((part) => NOT_OURS.includes(part.toLowerCase()))
  } catch {
    // It leads nowhere, or in a circle.
    return true
  }
}
