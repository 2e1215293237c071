// The ids of requirements.yaml, read without a YAML parser because every test file that cites one loads this.
import { readFileSync } from 'node:fs'

export const requirementsFile = new URL('./requirements.yaml', import.meta.url)

export function readIds(): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const [, id] of readFileSync(requirementsFile, 'utf8').matchAll(/^- id: (\S+)$/gm)) if (id) ids.add(id)
  return ids
}
