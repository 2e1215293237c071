// What a category prompt tells of a repository, read from the commit of its target branch.
import { basename } from 'node:path'
import type { TreeFacts } from '@treadle/flow/idea/category/repository-facts'
import { nameInUrl } from '@treadle/flow/idea/category/repository-name'
import { manifestsAmong, stackOf } from '@treadle/flow/idea/category/stack/stack-of'
import type { GitOptions } from '@treadle/git/git'
import { lookAtBranch, originUrl } from '@treadle/git/look-at-branch'

const COMMITS = 10

/** Of a branch without a commit only the name is known. */
export async function readRepositoryFacts(options: GitOptions, branch: string): Promise<TreeFacts> {
  const [url, look] = await Promise.all([
    originUrl(options),
    lookAtBranch(options, { branch, commits: COMMITS }),
  ])
  const named = url === null ? null : nameInUrl(url)
  const repo = named?.repo ?? basename(options.repository)
  const name = { name: repo, owner: named?.owner ?? null, repo }
  if (look === null) return { ...name, commits: [], languages: [], frameworks: [], packages: null }
  const paths = manifestsAmong(look.files)
  const texts = await look.texts(paths)
  const manifests = paths.map((path) => ({ path, text: texts.get(path) ?? null }))
  return { ...name, commits: look.subjects, ...stackOf(look.files, manifests) }
}
