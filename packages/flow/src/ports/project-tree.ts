// The files of the checkout as they are, for whoever has to know how a project is laid out. Types only.
export interface ProjectTree {
  /** Tracked files, and new ones that git does not ignore; paths relative to the workspace. */
  files(): Promise<readonly string[]>
  /** A text file's content; null: there is none, or it is no text of a sane size. */
  read(path: string): Promise<string | null>
}
