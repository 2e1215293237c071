// Which finding of a survey becomes the next item. Pure.
import type { Finding } from '@treadle/contracts/survey'

interface FindingFacts {
  readonly findings: readonly Finding[]
  /** Keys of findings that an item was made of already. */
  readonly taken: readonly string[]
  /** Files that open items of the crew's own are about. */
  readonly busyFiles: readonly string[]
  /** False: only what a program can put right is of use. */
  readonly hasEngine: boolean
}

export type FindingChoice =
  | { readonly is: 'finding'; readonly finding: Finding }
  /** All that could be chosen is in files that are being changed: what is merged there may put it right as well. */
  | { readonly is: 'busy' }
  /** There is none that is not taken and that anybody here could put right. */
  | { readonly is: 'none' }

export function chooseFinding({ findings, taken, busyFiles, hasEngine }: FindingFacts): FindingChoice {
  const free = findings.filter(({ key, mendable }) => !taken.includes(key) && (mendable || hasEngine))
  const [finding] = free
    .filter(({ files }) => !files.some((file) => busyFiles.includes(file)))
    .toSorted((a, b) => Number(b.mendable) - Number(a.mendable) || a.estimateHours - b.estimateHours)
  if (finding !== undefined) return { is: 'finding', finding }
  return { is: free.length > 0 ? 'busy' : 'none' }
}
