// Who owns which files: CODEOWNERS where there is one, else owners.json; the crew owns the rest.
import { compileFit, type FitOf, readPath } from '@treadle/memory/fit'
import { z } from 'zod'

export const DEFAULT_OWNER = 'build-agent'
/** In the order in which they are looked for; the first that is there counts. */
export const OWNER_FILES = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', 'owners.json'] as const

interface OwnerRule {
  /** Of its globs, each read once for all paths. */
  readonly fits: readonly FitOf[]
  /** Null: nobody, said outright. */
  readonly owner: string | null
}

export interface Owners {
  /** The file that they come from; null: none. */
  readonly from: string | null
  readonly rules: readonly OwnerRule[]
  /** Why the file could not be read. */
  readonly why: string | null
}

export const NO_OWNERS: Owners = { from: null, rules: [], why: null }

/** Globs with the owner of what they fit. */
const OwnersFile = z.record(z.string().min(1).max(300), z.string().min(1).max(200))
const RULES_MAX = 2_000

export function readOwners(from: string, text: string): Owners {
  if (!from.endsWith('.json')) return { from, rules: codeOwners(text), why: null }
  const read = OwnersFile.safeParse(parsed(text))
  if (!read.success) return { from, rules: [], why: `${from} is not an object of globs with their owners` }
  const rules = Object.entries(read.data).map(([glob, owner]) => ({
    fits: globsOf(glob).map(compileFit),
    owner,
  }))
  return { from, rules: rules.slice(0, RULES_MAX), why: null }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** The last rule that fits counts, as on GitHub. */
export function ownerOf({ rules }: Owners, path: string): string {
  const asked = readPath(path)
  const rule = rules.findLast(({ fits }) => fits.some((fitOf) => fitOf(asked) !== null))
  return rule?.owner ?? DEFAULT_OWNER
}

/** A path that only a rule for every file fits. */
const ANYWHERE = '\u0001'

/**
 * Who owns a file, if that is another than the crew: whoever owns everything, by a rule for all files, is who the crew
 * works for.
 */
export function otherOwner(owners: Owners, path: string): string | null {
  const owner = ownerOf(owners, path)
  return owner === DEFAULT_OWNER || owner === ownerOf(owners, ANYWHERE) ? null : owner
}

function codeOwners(text: string): OwnerRule[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '' && !/^\^?\[/.test(line))
    .slice(0, RULES_MAX)
    .map((line) => {
      const [pattern = '', ...owners] = line.split(/(?<!\\)\s+/)
      return {
        fits: globsOf(pattern.replaceAll('\\ ', ' ')).map(compileFit),
        owner: owners.length > 0 ? owners.join(' ').slice(0, 200) : null,
      }
    })
}

/** A pattern as gitignore reads it: bound to the root by a slash, and a folder stands for all that is in it. */
function globsOf(pattern: string): string[] {
  const rooted = pattern.replace(/\/$/, '').includes('/')
  const bare = pattern.replace(/^\/+/, '').replace(/\/+$/, '')
  if (bare === '' || bare === '*' || bare === '**') return ['**']
  const base = rooted || bare.startsWith('**/') ? bare : `**/${bare}`
  if (pattern.endsWith('/')) return [`${base}/**`]
  return /[*]$/.test(bare) ? [base] : [base, `${base}/**`]
}
