// Documents of the checkout that Treadle writes and people edit. Types only.
export type DocumentWrite =
  | { readonly is: 'written' | 'unchanged'; readonly path: string }
  /** A person changed the file since it was written: theirs stays, this stands beside it. */
  | { readonly is: 'beside'; readonly path: string; readonly besidePath: string }
  /** A rebase, merge or the like is under way, or the place is not one to write to: nothing was written. */
  | { readonly is: 'refused'; readonly path: string; readonly why: string }

export interface DocumentRead {
  readonly path: string
  /** Null: there is none. */
  readonly text: string | null
  /** Why the file that is there cannot be read: not UTF-8, too large, a link out of the tree. */
  readonly why: string | null
  /** A person changed it since Treadle wrote it; a file that Treadle never wrote counts as a person's. */
  readonly edited: boolean
}

export interface Documents {
  /** Paths are relative to the workspace and must lie below ideas.dir. */
  read(path: string): Promise<DocumentRead>
  /** With `heeded`, the text that was read and whose edits the new one has: a file that still says that is replaced. */
  write(path: string, text: string, heeded?: string): Promise<DocumentWrite>
  /** Why it was not written when that was tried last; null: it was, or nobody has tried. */
  refusal(path: string): string | null
  /** Who reads documents to write them by what they say does so one after the other, by a name of what they are about. */
  inTurn<T>(name: string, act: () => Promise<T>): Promise<T>
}
