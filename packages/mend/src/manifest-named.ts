// The manifest and the package that the rest of a key names: `left-pad`, `packages/a:left-pad`.
import { type Manifest, readManifest } from '@treadle/survey/manifest'
import type { Project } from '@treadle/survey/project'

const LISTS = ['dependencies', 'devDependencies'] as const

interface Named {
  readonly manifest: Manifest
  readonly name: string
}

/** The longest folder that fits, since a name may hold what looks like one. */
export async function manifestNamed(project: Project, rest: string): Promise<Named | null> {
  const manifests = (await project.manifests()).toSorted((a, b) => b.folder.length - a.folder.length)
  for (const known of manifests) {
    const { folder, path } = known
    if (folder !== '' && !rest.startsWith(`${folder}:`)) continue
    const name = folder === '' ? rest : rest.slice(folder.length + 1)
    const manifest = readManifest(path, (await project.read(path)) ?? '')
    if (manifest !== null && LISTS.some((list) => Object.hasOwn(manifest[list], name)))
      return { manifest, name }
  }
  return null
}
