// What a repository is made of, as far as its file names and manifests tell.
import { frameworksIn } from './frameworks.ts'
import { type LanguageShare, languagesOf, ownAmong } from './languages.ts'
import { isManifest, isUnreadManifest, type ManifestText, namesInManifest } from './manifests.ts'

const MANIFESTS_MAX = 60

/** The manifests that are worth reading: those of the project itself, the outermost first. */
export function manifestsAmong(paths: readonly string[]): string[] {
  const depth = (path: string) => path.split('/').length
  return ownAmong(paths)
    .filter(isManifest)
    .sort((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1))
    .slice(0, MANIFESTS_MAX)
}

export interface Stack {
  readonly languages: readonly LanguageShare[]
  readonly frameworks: readonly string[]
  /** Null: there is no manifest, or one that was not understood, so that more may be asked for than is known. */
  readonly packages: readonly string[] | null
}

export function stackOf(paths: readonly string[], manifests: readonly ManifestText[]): Stack {
  const own = ownAmong(paths)
  const known = manifests.map(namesInManifest).filter((names) => names !== null)
  const isWhole = known.length > 0 && known.length === own.filter(isManifest).length
  return {
    languages: languagesOf(own),
    frameworks: frameworksIn(known),
    packages:
      isWhole && !own.some(isUnreadManifest)
        ? [...new Set(known.flatMap(({ names }) => names))].sort()
        : null,
  }
}
