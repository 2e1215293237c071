// The lock files that go with a manifest, without one of its packages.
import type { Project } from '@treadle/survey/project'
import { type Removed, withoutDependency } from './npm-lock.ts'

const NPM_LOCKS = ['npm-shrinkwrap.json', 'package-lock.json']
const OTHER_LOCKS = ['yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb']

type Locked = { readonly edits: readonly (readonly [string, string])[] } | { readonly why: string }

/** Of the lock file that is nearest: beside its manifest, or above it where packages of a workspace share one. */
export async function locksWithout(project: Project, removed: Removed): Promise<Locked> {
  const { folder } = removed
  const all = new Set(await project.everything())
  for (const above of foldersAbove(folder)) {
    const at = (file: string) => (above === '' ? file : `${above}/${file}`)
    const foreign = OTHER_LOCKS.map(at).find((file) => all.has(file))
    if (foreign !== undefined) return { why: `${foreign} is written by another package manager than npm` }
    const locks = NPM_LOCKS.map(at).filter((each) => all.has(each))
    const inside = above === '' ? folder : folder.slice(above.length + 1)
    if (locks.length > 0) return allWithout(project, locks, { ...removed, folder: inside })
  }
  return { edits: [] }
}

async function allWithout(project: Project, locks: readonly string[], removed: Removed): Promise<Locked> {
  const edits: (readonly [string, string])[] = []
  for (const file of locks) {
    const text = await project.read(file)
    if (text === null) return { why: `${file} is too large to be read, or no text` }
    const pruned = withoutDependency(text, removed)
    if ('why' in pruned) return { why: `${file} ${pruned.why}` }
    edits.push([file, pruned.text])
  }
  return { edits }
}

function foldersAbove(folder: string): string[] {
  const parts = folder === '' ? [] : folder.split('/')
  return Array.from({ length: parts.length + 1 }, (_, at) => parts.slice(0, parts.length - at).join('/'))
}
