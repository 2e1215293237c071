// How a project builds what its tests run, as far as its own scripts say so.
import { readManifest } from '../packages/manifest.ts'

/** The script that builds the project, as a command; null: it has none. */
export function buildScript(cwd: string): string | null {
  return readManifest(cwd)?.scripts?.build?.trim() ? 'npm run build' : null
}
