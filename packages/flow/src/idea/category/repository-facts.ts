// What a category prompt tells of the repository that an idea is wanted for.

/** What the repository itself says; all names and subjects in it are words of strangers. */
export interface TreeFacts {
  readonly name: string
  /** Whose it is where it is published; null: it has no origin. */
  readonly owner: string | null
  readonly repo: string
  /** Subjects of the newest commits of the target, the newest first. */
  readonly commits: readonly string[]
  /** By the share of files, from 0 to 1, the greatest first. */
  readonly languages: readonly { readonly name: string; readonly share: number }[]
  readonly frameworks: readonly string[]
  /** What its manifests ask for, and what it publishes itself; null: they do not tell. */
  readonly packages: readonly string[] | null
}

export interface RepositoryFacts extends TreeFacts {
  /** Titles of what is open, whoever asked for it, the newest first. */
  readonly issues: readonly string[]
  /** How many are open, where not all titles are given. */
  readonly issueCount: number
}
