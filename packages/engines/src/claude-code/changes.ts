// The change of an edit as a unified diff, from the patch that Claude Code reports.
import { z } from 'zod'

const Patched = z.looseObject({
  filePath: z.string(),
  structuredPatch: z
    .array(
      z.looseObject({
        oldStart: z.number(),
        oldLines: z.number().default(1),
        newStart: z.number().default(1),
        newLines: z.number().default(1),
        lines: z.array(z.string()),
      }),
    )
    .min(1),
})

/** The diff of a result; null if it is nothing that is known as a change. */
export function diffOf(result: unknown): string | null {
  const read = Patched.safeParse(result)
  if (!read.success) return null
  const { filePath, structuredPatch } = read.data
  const hunks = structuredPatch.map(({ oldStart, oldLines, newStart, newLines, lines }) =>
    [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n'),
  )
  return [`--- ${filePath}`, `+++ ${filePath}`, ...hunks].join('\n')
}
