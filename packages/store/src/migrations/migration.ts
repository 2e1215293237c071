/** One step of the schema's history. Once released it is never changed; a test holds the text against its hash. */
export interface Migration {
  /** The migration's place in the history (`017_`) and what it is about; stored in each database that has made it. */
  readonly name: string
  /** Statements, each ended by a semicolon at the end of its line. */
  readonly sql: string
}
