// What a bug of the set is: one or two small edits of a correct program.
export type Edit = {
  file: string
  // Occurs exactly once in the reference file.
  find: string
  replace: string
}

export type Bug = {
  id: string
  program: string
  // The slip as a word, or the mutator's name for a bug that a tool seeded.
  kind: string
  origin: 'hand' | 'tool'
  edits: readonly Edit[]
}

export type Faults = 'single' | 'double' | 'multi_file'

export function faultsOf(bug: Bug): Faults {
  if (bug.edits.length === 1) return 'single'
  return new Set(bug.edits.map((edit) => edit.file)).size > 1 ? 'multi_file' : 'double'
}
