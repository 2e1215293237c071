// Records of loads among the evidence.
import { keepText, readEvidence } from '../evidence.ts'
import { LoadRecord } from './read-loads.ts'

const recordCharsMax = 8 * 1024 * 1024

export interface Keeping {
  readonly evidenceDir: string
  readonly tailBytes: number
  readonly secrets?: readonly string[]
}

/** The hash under which a record is kept; null if there is none, or it is larger than any that somebody means. */
export function keepLoads(options: Keeping, record: LoadRecord | null): string | null {
  if (record === null) return null
  const text = JSON.stringify(record)
  return text.length > recordCharsMax ? null : keepText(options, text)
}

export async function keptLoads(
  { evidenceDir }: Pick<Keeping, 'evidenceDir'>,
  hash: string,
): Promise<LoadRecord | null> {
  const found = await readEvidence(evidenceDir, hash, 4 * recordCharsMax)
  if (found === null || !found.complete) return null
  try {
    return LoadRecord.parse(JSON.parse(found.text))
  } catch {
    return null
  }
}
