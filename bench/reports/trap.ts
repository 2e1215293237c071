// What a trap is: a project for each runner, and the truth of its run.
export const families = ['jest', 'vitest', 'mocha', 'node'] as const
export type Family = (typeof families)[number]

/** How many tests passed, failed and were skipped, or `red`; with `|` between them where a runner's versions differ. */
type Truth = string | Readonly<Partial<Record<Family | 'others', string>>>

export interface Trap {
  readonly name: string
  /** The runners that can do it; all, if there is none. */
  readonly only?: readonly Family[]
  readonly files: Readonly<Record<string, string | null>>
  readonly args?: Readonly<Partial<Record<Family, readonly string[]>>>
  readonly truth: Truth
  /** How the names of failing tests end. */
  readonly fails?: readonly string[]
}

export function truthOf({ truth }: Trap, family: Family): string {
  return typeof truth === 'string' ? truth : (truth[family] ?? truth.others ?? 'red')
}
