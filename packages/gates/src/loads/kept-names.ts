// Names of the tests that passed in a run, among the evidence.
import { z } from 'zod'
import { keepText, readEvidence } from '../evidence.ts'
import type { Keeping } from './kept-loads.ts'

const charsMax = 4 * 1024 * 1024
const Names = z.array(z.string())

/** The hash under which they are kept; null if they are more than anybody reads. */
export function keepNames(options: Keeping, names: readonly string[]): string | null {
  const text = JSON.stringify(names.toSorted())
  return text.length > charsMax ? null : keepText(options, text)
}

export async function keptNames(
  { evidenceDir }: Pick<Keeping, 'evidenceDir'>,
  hash: string,
): Promise<readonly string[] | null> {
  const found = await readEvidence(evidenceDir, hash, 4 * charsMax)
  if (found === null || !found.complete) return null
  try {
    return Names.parse(JSON.parse(found.text))
  } catch {
    return null
  }
}
