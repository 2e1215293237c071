// Where a document may lie: below the folder of ideas, and not behind a link that leads out of the tree.
import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { join, sep } from 'node:path'

export type Place =
  | {
      readonly is: 'inside'
      readonly file: string
      readonly exists: boolean
      /** It is a link, or one of its folders is. */
      readonly isLink: boolean
    }
  | { readonly is: 'outside'; readonly why: string }
  | { readonly is: 'link_out'; readonly why: string }

interface Asked {
  readonly root: string
  readonly dir: string
  readonly path: string
}

/** Folders of the tree that are never documents, also where a link leads there. */
const NOT_OURS = ['.git', '.treadle', '.claude-sessions']

export function placeOf({ root, dir, path }: Asked): Place {
  const folder = dir.replace(/\/+$/, '')
  const parts = path.split('/')
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..')
  const isOwn = parts.some((part) => NOT_OURS.includes(part.toLowerCase()))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are refused.
  if (!isPlain || isOwn || /[\\\u0000-\u001f]/.test(path) || !path.startsWith(`${folder}/`))
    return { is: 'outside', why: `it does not lie below ${folder}` }
  let at = root
  let exists = true
  let isLink = false
  for (const part of parts) {
    at = join(at, part)
    const stat = lookAt(at)
    if (stat === null) {
      exists = false
      break
    }
    if (!stat.isSymbolicLink()) continue
    isLink = true
    if (leadsOut(root, at)) return { is: 'link_out', why: `${part} is a link out of the tree` }
  }
  return { is: 'inside', file: join(root, ...parts), exists, isLink }
}

/** Null: nothing is there, or a file stands where a folder would be. */
function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

function leadsOut(root: string, link: string): boolean {
  try {
    const [real, own] = [realpathSync(link), realpathSync(root)]
    const inside = real.startsWith(`${own}${sep}`) ? real.slice(own.length + 1).split(sep) : []
    return inside.length === 0 || NOT_OURS.includes(inside[0] ?? '')
  } catch {
    // It leads nowhere, or in a circle.
    return true
  }
}
