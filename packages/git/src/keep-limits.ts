// How much of what is new in a worktree goes into the repository.

export interface KeepLimits {
  /** The largest new file that goes into a checkpoint or a commit. */
  readonly fileBytes: number
  /** The most that the new files of one checkpoint may hold together. */
  readonly checkpointBytes: number
}

const MIB = 1024 ** 2
export const KEEP_LIMITS: KeepLimits = { fileBytes: 50 * MIB, checkpointBytes: 200 * MIB }

/** The limits that the settings name. */
export function keepLimits({
  limits,
}: {
  readonly limits: { readonly checkpointFileBytes: number; readonly checkpointBytes: number }
}): KeepLimits {
  return { fileBytes: limits.checkpointFileBytes, checkpointBytes: limits.checkpointBytes }
}
